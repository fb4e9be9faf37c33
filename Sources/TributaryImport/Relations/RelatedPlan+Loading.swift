import TributaryStore

/// Which plans fill empty tables page by page.
extension RelatedPlan {
    /// The links that have a join table.
    var joins: [PairStorage] { links.filter { !$0.isColumn } }

    /// Whether equal objects are harmless, and nothing but the records of an object changes it.
    ///
    /// Each link is listed from one side only, and each table holds the objects of one unit.
    var canLoad: Bool {
        guard !keepsEqualObjects, partners.isEmpty, Set(units.map(\.table)).count == units.count else { return false }
        var listed: Set<Int> = []
        for relation in units.flatMap(\.relations) {
            guard relation.dangling != .stub, relation.mapped.links == .replace else { return false }
            switch relation.way {
            case .column(_, nil): continue
            case .pairs(let link, let isFromTarget, _):
                let storage = links[link]
                let otherOrder = isFromTarget ? storage.targetOrder : storage.sourceOrder
                guard listed.insert(link).inserted, otherOrder == nil, !storage.isSymmetric,
                    !storage.needsSource || units[relation.target].parent != nil
                else { return false }
            case .column, .partner: return false
            }
        }
        return units.allSatisfy { $0.entity.root == $0.entity && $0.entity.descendants.isEmpty }
    }
}

extension RelatedPlan.Unit {
    /// Whether the row of an object says everything about it.
    var isPlain: Bool { relations.allSatisfy { $0.list == nil } }
    /// Whether rows have positions among the objects of their owners.
    var hasPositions: Bool { rows.columns.contains { $0.order != nil } }
}
