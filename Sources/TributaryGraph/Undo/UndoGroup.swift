/// Changes that are undone and redone together.
final class UndoGroup {
    enum Item {
        case changes([UndoStep])
        case group(UndoGroup)
    }

    var items: [Item]
    var name = ""

    init(_ items: [Item] = []) { self.items = items }

    /// All steps, in the order in which they were made.
    var steps: [UndoStep] {
        items.flatMap { item in
            switch item {
            case .changes(let steps): steps
            case .group(let group): group.steps
            }
        }
    }

    /// Adds changes to the item added last.
    func join(_ steps: [UndoStep]) {
        if case .group(let group)? = items.last { group.join(steps) } else { items.append(.changes(steps)) }
    }
}
