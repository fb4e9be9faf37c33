import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Ordered to-many relationships whose children name their parents.
@Suite struct OrderedChildrenTests {
    private func store() throws -> MappedStore {
        func entity(_ name: String, _ relationship: RelationshipDescription) -> EntityDescription {
            var entity = EntityDescription(name)
            entity.attributes = [AttributeDescription("id", .integer64)]
            entity.uniquenessConstraints = [["id"]]
            entity.relationships = [relationship]
            return entity
        }
        let children = LibraryModel.many("children", "Child", inverse: "parent", isOrdered: true)
        return try MappedStore([
            entity("Parent", children), entity("Child", LibraryModel.one("parent", "Parent", inverse: "children")),
        ])
    }

    private func order(_ store: MappedStore) throws -> [[SQLValue]] {
        try store.rows(
            """
            SELECT p.id, c.id, c."_order.Parent.children" FROM Child c JOIN Parent p ON p._pk = c.parent ORDER BY 1, 3
            """)
    }

    @Test("Children that name one parent are in the order of the feed, also many of them, and later ones follow")
    func manyOfOneParent() throws {
        let store = try store()
        try store.take("[{\"id\":1}]", as: "Parent")
        func feed(_ ids: Range<Int>) -> String {
            "[" + ids.map { "{\"id\":\($0 * 7919 % 100_003),\"parent\":1}" }.joined(separator: ",") + "]"
        }
        try store.take(feed(0..<20_000), as: "Child")
        try store.take(feed(20_000..<20_100), as: "Child")
        let order = try order(store)
        #expect(order.map { $0[1] } == (0..<20_100).map { .integer(Int64($0 * 7919 % 100_003)) })
        let first = Int64(1) << 32
        #expect(order.map { $0[2] } == (0..<20_100).map { .integer(first + Int64($0)) })
    }

    @Test("Lists and children that move between parents have the order of importing one record at a time")
    func moves() throws {
        for number in 0..<6 {
            var lots = SeededGenerator.sampled(11_100, case: UInt64(number))
            let (whole, single) = (try store(), try store())
            for store in [whole, single] {
                try store.take("[{\"id\":1},{\"id\":2},{\"id\":3}]", as: "Parent")
                try store.take("[" + (0..<8).map { "{\"id\":\($0)}" }.joined(separator: ",") + "]", as: "Child")
            }
            for _ in 0..<4 {
                let isOfChildren = lots.once(in: 2)
                let records = (0..<(1 + lots.below(9))).map { _ -> String in
                    if isOfChildren {
                        let parent = lots.once(in: 6) ? "null" : "\(1 + lots.below(3))"
                        return "{\"id\":\(lots.below(10)),\"parent\":\(parent)}"
                    }
                    let children = (0..<lots.below(4)).map { _ in "\(lots.below(8))" }.joined(separator: ",")
                    return "{\"id\":\(1 + lots.below(3)),\"children\":[\(children)]}"
                }
                let entity = isOfChildren ? "Child" : "Parent"
                try whole.take("[\(records.joined(separator: ","))]", as: entity)
                for record in records { try single.take("[\(record)]", as: entity) }
                // The numbers may differ by those of children that have left.
                let (found, expected) = (try order(whole), try order(single))
                #expect(
                    found.map { $0.dropLast() } == expected.map { $0.dropLast() },
                    "seed \(lots.seed), \(entity): \(records)")
            }
        }
    }
}
