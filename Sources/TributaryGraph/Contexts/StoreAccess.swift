/// The operations that the setters and hooks of an import may use, and whether one of them violated this limit.
///
/// The limit is checked in the session of the thread, through which the store is read and written, and in
/// `ManagedObject.context`. A violation does not reject its record; the import ends when `isViolated` is true.
package final class StoreAccess: StoreLimit {
    /// The objects that a setter may use.
    package enum Scope: Sendable {
        /// The record, and the attributes of the object.
        case object
        /// Also the context of the object, but without a save.
        case context
    }

    /// The error of an operation outside the scope.
    package struct Refusal: Error, CustomStringConvertible {
        let scope: Scope

        /// The operations within the scope.
        package var description: String {
            switch scope {
            case .object: "a setter with two arguments may use its record and the attributes of its object only"
            case .context: "a setter may not save, or write through another context"
            }
        }
    }

    package let scope: Scope
    /// Whether a setter or a hook has used an operation outside the scope; checked several times for each record, in one
    /// thread.
    @exclusivity(unchecked) package private(set) var isViolated = false
    /// The object whose hook violated the limit; nil for a setter.
    package private(set) var object: ManagedObject?

    package init(_ scope: Scope) { self.scope = scope }

    /// Records a violation.
    package func violate() { isViolated = true }

    /// Called before a setter or a hook reads the store.
    package func willRead() throws(Refusal) {
        if scope == .object { throw refuse() }
    }

    /// Called before a setter or a hook writes to the store.
    package func willWrite() throws(Refusal) { throw refuse() }

    /// Called when a setter or a hook requests the context of its object.
    func willUseContext() { if scope == .object { isViolated = true } }

    private func refuse() -> Refusal {
        isViolated = true
        return Refusal(scope: scope)
    }

    /// Called after a hook of `object` has returned.
    func checkHook(of object: ManagedObject) throws(Refusal) {
        recordHook(of: object)
        try check()
    }

    /// - Throws: `Refusal` if a setter or a hook violated the limit.
    package func check() throws(Refusal) {
        if isViolated { throw Refusal(scope: scope) }
    }

    /// Called after a hook of `object` has returned or failed; attributes a first violation to the object.
    func recordHook(of object: ManagedObject) {
        if isViolated, self.object == nil { self.object = object }
    }
}
