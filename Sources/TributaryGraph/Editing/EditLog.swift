/// What happens to the objects of a context, step by step, so that the last steps can be taken back.
///
/// A step tells how things stood before. Most cost nothing but their place in a list: the values of a clean object are its
/// committed ones anyway; only an object that has changes already is copied, once an edit.
///
///     inserted(book)   state(author)   added(author.books, book)   image(author, values)
///                                                                   ◀── taken back from here
final class EditLog {
    enum Step {
        /// The object was made.
        case inserted(ManagedObject)
        /// How the object stood between context and store.
        case state(ManagedObject, ManagedObject.State)
        /// The values of the object; those committed, if there are none here.
        case image(ManagedObject, Row?, hadCommitted: Bool)
        case added(ManyObjects, ManagedObject)
        case removed(ManyObjects, ManagedObject, places: (all: Int?, added: Int?))
        case moved(ManyObjects, from: Int, to: Int)
    }

    @exclusivity(unchecked) private(set) var steps: [Step] = []
    /// How many editors follow the editLog, one inside the other.
    var depth = 0

    deinit { forget(from: 0) }

    // MARK: Before things change

    func noteInsertion(of object: ManagedObject) {
        // Whatever happens to it, it goes as a whole.
        object.state.formUnion([.logged, .valuesLogged])
        steps.append(.inserted(object))
    }

    func noteState(of object: ManagedObject) {
        guard !object.state.contains(.logged) else { return }
        steps.append(.state(object, object.state))
        object.state.insert(.logged)
    }

    func noteValues(of object: ManagedObject) {
        guard !object.state.contains(.valuesLogged) else { return }
        noteState(of: object)
        let isClean = object.committed == nil && !object.state.contains(.inserted)
        steps.append(.image(object, isClean ? nil : object.row.copy(), hadCommitted: object.committed != nil))
        object.state.insert(.valuesLogged)
    }

    func noteDeletion(of object: ManagedObject) {
        guard !object.state.contains(.valuesLogged) else { return }
        noteState(of: object)
        steps.append(.image(object, object.row.copy(), hadCommitted: object.committed != nil))
        object.state.insert(.valuesLogged)
    }

    // MARK: After things have changed

    func noteAddition(of object: ManagedObject, to many: ManyObjects) { steps.append(.added(many, object)) }

    func noteRemoval(of object: ManagedObject, from many: ManyObjects, _ places: (all: Int?, added: Int?)) {
        steps.append(.removed(many, object, places: places))
    }

    func noteMove(in many: ManyObjects, from source: Int, to target: Int) {
        steps.append(.moved(many, from: source, to: target))
    }

    // MARK: Edits

    /// An edit ends, or one inside it begins: the next change of each object is to be noted again.
    func settle(from mark: Int) {
        for index in mark..<steps.count {
            switch steps[index] {
            case .inserted(let object), .state(let object, _):
                object.state.subtract([.logged, .valuesLogged])
                if !object.accessFlags.contains(.fault) { object.accessFlags.insert(.notes) }
            default: break
            }
        }
    }

    /// Nobody will take the steps from `mark` on back.
    func forget(from mark: Int) {
        for index in mark..<steps.count {
            if case .image(_, let row?, _) = steps[index] { row.deallocate() }
        }
        steps.removeSubrange(mark...)
    }

    /// Takes out the last step.
    func popLast() -> Step? { steps.popLast() }
}
