import TributaryConcurrency

/// The values of observers, such as closures to call, in the order in which they were added.
package final class Observers<Value> {
    private var values: [(id: Int, value: Value)] = []
    private var last = 0

    package init() {}

    /// The values in their order.
    package var all: [Value] { values.map(\.value) }
    var isEmpty: Bool { values.isEmpty }

    /// Adds a value, and returns its ID.
    package func add(_ value: Value) -> Int {
        last += 1
        values.append((last, value))
        return last
    }

    /// Removes and returns the value with an ID, which may release other observations when it is released.
    @discardableResult
    package func remove(_ id: Int) -> Value? {
        values.firstIndex { $0.id == id }.map { values.remove(at: $0).value }
    }

    /// Adds a value of the queue of `context` until the observation is released.
    func add(_ value: Value, in context: ManagedObjectContext) -> ContextObservation {
        context.check()
        let id = add(value)
        let ending = UncheckedTransfer { [weak self] in _ = self?.remove(id) }
        return ContextObservation { [isolation = context.isolation] in
            if isolation.isCurrent { ending.value() } else { isolation.async { ending.value() } }
        }
    }
}
