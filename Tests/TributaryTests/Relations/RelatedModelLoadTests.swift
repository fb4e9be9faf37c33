import Foundation
import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// A first load of a model with relationships, whose records lack mandatory values, repeat keys, and list objects by
/// their keys before or after these come, is the same page by page and in groups.
///
/// `TRIBUTARY_NESTS` sets the number of random feeds.
@Suite struct RelatedModelLoadTests {
    private static let count = ProcessInfo.processInfo.environment["TRIBUTARY_NESTS"].flatMap { Int($0) } ?? 30

    private func store() throws -> MappedStore {
        func entity(_ name: String, _ attribute: String, _ relationships: [RelationshipDescription])
            -> EntityDescription
        {
            var entity = EntityDescription(name)
            var required = AttributeDescription(attribute, .string)
            required.isOptional = false
            entity.attributes = [AttributeDescription("id", .integer64), required]
            entity.uniquenessConstraints = [["id"]]
            entity.relationships = relationships
            return entity
        }
        return try MappedStore([
            entity("Author", "name", [LibraryModel.many("books", "Book", inverse: "author")]),
            entity(
                "Book", "title",
                [
                    LibraryModel.one("author", "Author", inverse: "books"),
                    LibraryModel.many("tags", "Tag", inverse: "books", isOrdered: true),
                ]),
            entity("Tag", "label", [LibraryModel.many("books", "Book", inverse: "tags")]),
        ])
    }

    private static func feed(of entity: String, _ lots: inout SeededGenerator) -> String {
        let (count, shares, lacks) = (lots.pick([4, 40, 300]), lots.pick([3, 30]), lots.pick([0, 5, 40]))
        func object(_ id: Int, _ name: String, _ members: [String] = []) -> String {
            let isWhole = lacks == 0 || !lots.once(in: lacks)
            let named = isWhole ? ["\"\(name)\":\"\(name) \(id)\""] : lots.once(in: 2) ? ["\"\(name)\":null"] : []
            return "{\((["\"id\":\(id)"] + named + members).joined(separator: ","))}"
        }
        func list(_ name: String, of shares: Int, _ element: (Int) -> String) -> [String] {
            lots.once(in: 3)
                ? []
                : [
                    "\"\(name)\":[\((0..<lots.below(4)).map { _ in element(lots.below(shares)) }.joined(separator: ","))]"
                ]
        }
        func tag(_ id: Int) -> String { lots.once(in: 4) ? "\(id)" : object(id, "label") }
        func book(_ id: Int) -> String {
            lots.once(in: 3) ? "\(id)" : object(id, "title", list("tags", of: shares, tag))
        }
        return (0..<count).map { number in
            let id = lots.once(in: 8) ? lots.below(count) : number
            if entity == "Author" { return object(id, "name", list("books", of: count, book)) }
            let key = lots.below(shares)
            let author = lots.once(in: 4) ? "\(key)" : object(key, "name")
            return object(
                id, "title", (lots.once(in: 3) ? [] : ["\"author\":\(author)"]) + list("tags", of: shares, tag))
        }.joined(separator: "\n")
    }

    private func dump(_ store: MappedStore) throws -> [String] {
        let queries = [
            "SELECT 'author', _pk, id, name FROM Author", "SELECT 'book', _pk, id, title, author FROM Book",
            "SELECT 'tag', _pk, id, label FROM Tag",
            "SELECT 'tagged', _source, _target, _targetOrder FROM \"_Book.tags\"",
        ]
        var lines = try queries.flatMap { try store.rows($0).map { "\($0)" }.sorted() }
        lines += try store.rows("PRAGMA integrity_check").map { "\($0)" }
        lines += try store.rows("PRAGMA foreign_key_check").map { "\($0)" }
        return lines
    }

    @Test(
        "Records of a model become the same rows and rejects page by page and in groups", arguments: ["Author", "Book"])
    func equal(entity: String) throws {
        var lots = SeededGenerator.sampled(7_350, case: entity == "Author" ? 1 : 0)
        for number in 0..<Self.count {
            let seed = lots.next()
            var own = SeededGenerator(seed: seed)
            let text = Self.feed(of: entity, &own)
            var dumps: [[String]] = []
            var tallies: [[Int]] = []
            for way in [ImportOptions.FirstLoad.direct, .inGroups] {
                let store = try store()
                let batch = own.pick([1, 7, 10_000])
                let summary = try store.take(text, as: entity) {
                    $0.firstLoad = way
                    $0.batchSize = batch
                }
                #expect(summary.isBalanced)
                tallies.append([summary.read, summary.counts.inserted, summary.counts.rejected])
                dumps.append(try dump(store))
            }
            let isEqual = dumps[0] == dumps[1]
            let (found, expected) = (Set(dumps[0]), Set(dumps[1]))
            // The keys of the first rows that differ.
            let numbers = found.symmetricDifference(expected).prefix(4).flatMap { $0.matches(of: /\d+/).map(\.output) }
            let lines = text.split(separator: "\n").filter { line in
                line.matches(of: /"id":(\d+)|[\[,](\d+)/).contains {
                    numbers.contains($0.output.1 ?? $0.output.2 ?? "")
                }
            }
            #expect(
                isEqual && tallies[0] == tallies[1],
                """
                feed \(number) of \(entity), seed \(seed), \(tallies): page by page \(found.subtracting(expected).sorted()
                .prefix(5)), in groups \(expected.subtracting(found).sorted().prefix(5)) of
                \(lines.joined(separator: "\n").prefix(6000))
                """)
            if !isEqual { return }
        }
    }
}
