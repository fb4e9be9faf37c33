import Foundation
import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Tables of any model that are filled directly are the same as tables that are filled in groups.
///
/// `TRIBUTARY_LOADS` sets the number of random models.
@Suite struct ModelLoadTests {
    private static let count = ProcessInfo.processInfo.environment["TRIBUTARY_LOADS"].flatMap { Int($0) } ?? 40
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A model of an entity `Item`, its key, and how its records are drawn.
    private struct Drawn {
        static let types: [AttributeType] = [
            .integer64, .integer64, .integer32, .integer16, .double, .float, .decimal, .string, .string, .string,
            .boolean,
            .date, .uuid, .uri, .binary, .json,
        ]

        let description: ModelDescription
        let attributes: [AttributeDescription]
        let key: [String]
        var table: String { description.entities.first?.name ?? "" }

        init(_ lots: inout SeededGenerator) {
            let attributes = (0..<1 + lots.below(8)).map { number in
                var attribute = AttributeDescription("a\(number)", lots.pick(Self.types))
                attribute.isIndexed = lots.once(in: 6)
                attribute.isOptional = !lots.once(in: 8)
                if lots.once(in: 6), attribute.type == .integer64 { attribute.defaultValue = .integer(5) }
                return attribute
            }
            var item = EntityDescription("Item")
            let keyable = attributes.filter { ![.json, .boolean].contains($0.type) }.map(\.name)
            key = lots.once(in: 4) ? [] : Array(keyable.shuffled(using: &lots).prefix(1 + lots.below(2)))
            item.uniquenessConstraints = key.isEmpty ? [] : [key]
            if lots.once(in: 2), attributes.count > 1 {
                let names = attributes.map(\.name).shuffled(using: &lots).prefix(1 + lots.below(3))
                item.indexes = [IndexDescription("several", names.map { .init($0) })]
            }
            // Attributes of the parent come first in the table, those of siblings have no values.
            let inherited = lots.once(in: 3) ? lots.below(attributes.count) : 0
            var entities: [EntityDescription] = []
            if inherited > 0 || lots.once(in: 5) {
                var thing = EntityDescription("Thing")
                thing.isAbstract = lots.once(in: 2)
                thing.attributes = Array(attributes[..<inherited])
                var other = EntityDescription("Other")
                other.parent = "Thing"
                other.attributes = [AttributeDescription("o", .string)]
                item.parent = "Thing"
                entities = [thing, other]
            }
            item.attributes = Array(attributes[inherited...])
            description = ModelDescription(entities + [item])
            self.attributes = attributes
        }

        /// The JSON text of a value.
        private func value(_ attribute: AttributeDescription, of count: Int, _ lots: inout SeededGenerator) -> String {
            let isKey = key.contains(attribute.name)
            if lots.once(in: isKey ? 40 : 8) { return "null" }
            switch attribute.type {
            case .integer64 where !lots.once(in: 6): return "\(lots.below(2 * count))"
            case .double where lots.once(in: 2): return "\(Double(lots.below(1_000_000)) / 7)"
            case .string where !lots.once(in: 6):
                let length = lots.pick([1, 3, 70, isKey ? 100 : 5000])
                return "\"\(String(repeating: "ab é", count: lots.below(length)))\(lots.below(2 * count))\""
            default: return lots.pick(FeedValue.samples(of: attribute.type, isKey: isKey)).json
            }
        }

        func records(_ count: Int, _ lots: inout SeededGenerator) -> String {
            (0..<count).map { _ in
                let members = attributes.compactMap { attribute -> String? in
                    if !key.contains(attribute.name), lots.once(in: 6) { return nil }
                    return "\"\(attribute.name)\":\(value(attribute, of: count, &lots))"
                }
                return "{\(members.joined(separator: ","))}"
            }.joined(separator: "\n")
        }
    }

    /// Everything in the table, with types, and the entries of each index.
    private static func dump(_ path: String, table: String) throws -> [[String]] {
        let connection = try Connection(.file(path))
        func rows(_ query: SQLFragment) throws -> [[String]] {
            try connection.rows(of: query).map { $0.map(\.exact) }
        }
        var names: [String] = []
        try connection.forEachRow(of: "SELECT \"name\" FROM pragma_table_info(\(table))") {
            names.append($0.text(at: 0))
        }
        // The version counts the writes of a row, which depend on the groups.
        names.removeAll { $0 == "_version" }
        var all = [names]
        for name in names {
            all += try rows(
                """
                SELECT \"_pk\", \(identifier: name), typeof(\(identifier: name)) FROM \(identifier: table) NOT INDEXED
                ORDER BY \"_pk\"
                """)
        }
        var indexes: [String] = []
        // The constraint of one of several entities has a condition, and no query uses it by itself.
        try connection.forEachRow(
            of: "SELECT \"name\" FROM pragma_index_list(\(table)) WHERE NOT \"partial\" ORDER BY 1"
        ) {
            indexes.append($0.text(at: 0))
        }
        for index in indexes {
            var columns: [String] = []
            try connection.forEachRow(of: "SELECT \"name\" FROM pragma_index_info(\(index)) ORDER BY \"seqno\"") {
                columns.append($0.text(at: 0))
            }
            let list = columns.map { "\(identifier: $0)" as SQLFragment }.reduce("\"_pk\"" as SQLFragment) {
                $0 + ", " + $1
            }
            all.append([index])
            all += try rows(
                "SELECT \(list) FROM \(identifier: table) INDEXED BY \(identifier: index) ORDER BY \(list), 1")
        }
        all += try rows("SELECT * FROM \"_counter\"")
        #expect(try rows("PRAGMA integrity_check") == [[SQLValue.text("ok").exact]])
        return all
    }

    @Test("Rows of any model are the same, in pages of any size and in a new database")
    func anyModel() throws {
        var lots = SeededGenerator.sampled(5_800)
        var loadable = 0
        for number in 0..<Self.count {
            let label: Comment = "model \(number), seed \(lots.seed)"
            let drawn = Drawn(&lots)
            let model = try Model(drawn.description)
            let text = drawn.records(lots.pick([1, 2, 40, 300]), &lots)
            let pageSize = 512 << lots.below(8)
            let batch = lots.pick([1, 13, 10_000])
            var results: [(dump: [[String]], tally: [Int])] = []
            for (way, creation) in [
                (ImportOptions.FirstLoad.inGroups, StoreOptions.Creation.whenOpened), (.direct, .whenOpened),
                (.direct, .afterFirstImport),
            ] {
                let path = folder.path("\(number)-\(way)-\(creation).sqlite")
                if creation == .whenOpened {
                    let connection = try Connection(.file(path))
                    try connection.execute(SQLFragment(trusted: "PRAGMA page_size = \(pageSize)"))
                    try connection.execute("VACUUM")
                }
                var opening = StoreOptions()
                opening.creation = creation
                let manager = try ContextManager(model: model, store: .sqlite(path), options: opening)
                var options = ImportOptions.batches(of: batch, onError: .skip)
                options.firstLoad = way
                let key = drawn.key.isEmpty ? nil : ImportKey(drawn.key)
                let tally = try manager.load(
                    .text(text), [key.map { .rows("Item", key: $0) } ?? .newRows("Item")], options
                ).tally
                results.append((try Self.dump(path, table: drawn.table), tally))
                if creation == .whenOpened {
                    let connection = try Connection(.file(path))
                    #expect(try connection.rows(of: "PRAGMA page_size") == [[.integer(Int64(pageSize))]], label)
                    if try LoadLayout(drawn.table, columns: [], on: connection) != nil { loadable += 1 }
                }
                #expect(!FileManager.default.fileExists(atPath: path + "-load"))
                for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) }
            }
            for (dump, tally) in results[1...] {
                #expect(tally == results[0].tally, label)
                guard dump != results[0].dump else { continue }
                let different = zip(dump, results[0].dump).first { $0 != $1 }
                Issue.record("\(label): \("\(different as Any)".prefix(600))")
            }
        }
        // Other tables are always filled in groups.
        #expect(loadable > Self.count / 2)
    }
}
