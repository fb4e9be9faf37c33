/// A log of the changes of a context's objects, by which the latest changes can be undone.
///
/// Each step records the state before a change. Most steps copy no values: only an object that has changes already is
/// copied, once per edit, because the committed values of an unchanged object are its values.
///
///     inserted(book)   state(author)   added(author.books, book)   image(author, values)
///                                                                   ◀── undone from here
final class EditLog {
    enum Step {
        /// The object was inserted.
        case inserted(ManagedObject)
        /// The state flags of the object before the change.
        case state(ManagedObject, ManagedObject.State)
        /// The values of the object before the change; nil for its committed values.
        case image(ManagedObject, Row?, hadCommitted: Bool)
        case added(ManyObjects, ManagedObject)
        case removed(ManyObjects, ManagedObject, positions: (all: Int?, added: Int?))
        /// The destinations were arranged, and had this order before.
        case arranged(ManyObjects, [ManagedObject])
    }

    @exclusivity(unchecked) var steps: [Step] = []
    /// The number of nested editors that use the log.
    var depth = 0

    deinit { discardSteps(from: 0) }

    // MARK: Before changes

    func logInsertion(of object: ManagedObject) {
        // Undoing the insertion undoes all later changes of the object.
        object.state.formUnion([.logged, .valuesLogged])
        steps.append(.inserted(object))
    }

    func logState(of object: ManagedObject) {
        guard !object.state.contains(.logged) else { return }
        steps.append(.state(object, object.state))
        object.state.insert(.logged)
    }

    func logValues(of object: ManagedObject, beforeDeletion isDeletion: Bool = false) {
        guard !object.state.contains(.valuesLogged) else { return }
        logState(of: object)
        let isClean = object.committed == nil && !object.state.contains(.inserted)
        // A deletion keeps no committed values.
        let image = isClean && !isDeletion ? nil : object.row.copy()
        steps.append(.image(object, image, hadCommitted: object.committed != nil))
        object.state.insert(.valuesLogged)
    }

    // MARK: Edits

    /// Clears the flags of logged objects after an edit or for a nested editor, so that their next changes are logged.
    func clearFlags(from mark: Int) {
        for index in mark..<steps.count {
            switch steps[index] {
            case .inserted(let object), .state(let object, _):
                object.state.subtract([.logged, .valuesLogged])
                if !object.accessFlags.contains(.fault) { object.accessFlags.insert(.reportsChange) }
            default: break
            }
        }
    }

    /// Removes the steps from `mark` on, which will not be undone.
    func discardSteps(from mark: Int) {
        for index in mark..<steps.count {
            if case .image(_, let row?, _) = steps[index] { row.deallocate() }
        }
        steps.removeSubrange(mark...)
    }
}
