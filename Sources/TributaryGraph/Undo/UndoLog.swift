/// The changes of a context since pending changes were processed, in their order.
///
/// The values of an object are copied once, before its first change. Changes of to-many relationships are logged one by
/// one, on both sides, so that undoing and redoing maintain no inverses and load no unordered relationship.
final class UndoLog {
    @exclusivity(unchecked) var steps: [UndoStep] = []
    /// The objects whose values are not copied again.
    private var copied: Set<ObjectIdentifier> = []

    // MARK: Before changes

    func logInsertion(of object: ManagedObject) {
        // Its values are copied when the insertion is undone.
        copied.insert(ObjectIdentifier(object))
        steps.append(.inserted(ObjectContents(object)))
    }

    func logDeletion(of object: ManagedObject) {
        let contents = ObjectContents(object)
        contents.copyAll()
        steps.append(.deleted(contents))
    }

    func logValues(of object: ManagedObject) {
        guard copied.insert(ObjectIdentifier(object)).inserted else { return }
        let contents = ObjectContents(object)
        contents.copyValues()
        steps.append(.values(contents))
    }

    // MARK: Removing

    /// Removes the last steps, whose changes were undone by an `ObjectEditor`.
    func truncate(to count: Int) {
        while steps.count > count {
            switch steps.removeLast() {
            case .inserted(let contents), .values(let contents): copied.remove(ObjectIdentifier(contents.object))
            case .deleted, .added, .removed, .arranged: break
            }
        }
    }

    @discardableResult
    func removeAll() -> [UndoStep] {
        defer { (steps, copied) = ([], []) }
        for case .values(let contents) in steps { contents.findChanges() }
        return steps
    }
}
