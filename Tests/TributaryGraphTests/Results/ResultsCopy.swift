import Testing
import TributaryGraph

/// A copy of the results of a controller, which only the told changes keep up to date.
final class ResultsCopy {
    struct Section: Equatable {
        let name: String
        var ids: [Int]
    }

    private(set) var sections: [Section]
    private(set) var changes: [ResultsChange] = []
    private unowned let controller: FetchedResultsController<ResultsEntry>
    private var observation: ContextObservation?

    init(_ controller: FetchedResultsController<ResultsEntry>) {
        self.controller = controller
        sections = ResultsCopy.sections(of: controller)
        observation = controller.observe { [unowned self] change in
            changes.append(change)
            apply(change)
        }
    }

    static func sections(of controller: FetchedResultsController<ResultsEntry>) -> [Section] {
        controller.sections.enumerated().map { index, section in
            Section(name: section.name, ids: controller.objects(inSection: index).map(\.id))
        }
    }

    /// Applies a change as its documentation says.
    private func apply(_ change: ResultsChange) {
        if change.isReload {
            sections = ResultsCopy.sections(of: controller)
            return
        }
        let old = sections
        let leaving = change.objects.filter { $0.kind == .delete || $0.kind == .move }.compactMap(\.oldPath)
        for path in leaving.sorted(by: >) { sections[path.section].ids.remove(at: path.item) }
        for section in change.deletedSections.reversed() {
            #expect(sections[section.index] == Section(name: section.name, ids: []))
            sections.remove(at: section.index)
        }
        for section in change.insertedSections {
            sections.insert(Section(name: section.name, ids: []), at: section.index)
        }
        let arriving = change.objects.filter { $0.kind == .insert || $0.kind == .move }
        for object in arriving.sorted(by: { ($0.newPath ?? .init(item: 0)) < ($1.newPath ?? .init(item: 0)) }) {
            guard let path = object.newPath else { continue }
            sections[path.section].ids.insert(controller.object(at: path).id, at: path.item)
        }
        for object in change.objects where object.kind == .move || object.kind == .update {
            guard let from = object.oldPath, let to = object.newPath else { continue }
            #expect(old[from.section].ids[from.item] == controller.object(at: to).id, "\(object)")
        }
        let order: [ResultsChange.Kind] = [.delete, .insert, .move, .update]
        let kinds = change.objects.compactMap { order.firstIndex(of: $0.kind) }
        #expect(kinds == kinds.sorted())
        #expect(Set(change.objects.map(\.id)).count == change.objects.count, "each object has one change")
    }

    /// The changes since the last call, in short form.
    func take() -> [String] {
        defer { changes = [] }
        return changes.map(ResultsCopy.text)
    }

    /// The changes since the last call, and those that a context has not processed yet.
    func take(processing context: ManagedObjectContext) -> [String] {
        context.processPendingChanges()
        return take()
    }

    /// A change in short form: `-§` and `+§` with the names of sections, `-`, `+`, `>` and `~` with places.
    static func text(_ change: ResultsChange) -> String {
        if change.isReload { return "reload" }
        var words = change.deletedSections.map { "-§\($0.name)" } + change.insertedSections.map { "+§\($0.name)" }
        for object in change.objects {
            let (old, new) = (object.oldPath?.description ?? "", object.newPath?.description ?? "")
            switch object.kind {
            case .delete: words.append("-\(old)")
            case .insert: words.append("+\(new)")
            case .move: words.append("\(old)>\(new)")
            case .update: words.append("~\(old)")
            }
        }
        return words.joined(separator: " ")
    }
}
