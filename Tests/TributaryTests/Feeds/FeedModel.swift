import TributaryGraph
import TributarySQLite
import TributaryTestSupport

import Tributary

/// A random entity: its attributes, its key, and possibly a second unique attribute.
struct FeedModel: Sendable {
    struct Column: Sendable {
        let attribute: AttributeDescription
        let isKey: Bool
        let samples: [FeedValue]
        /// The value of a new row if its record omits the attribute.
        let standard: SQLValue
        var name: String { attribute.name }
    }

    static let entity = "Item"
    let columns: [Column]
    /// The indexes of the columns of a second uniqueness constraint; empty if there is none.
    let unique: [Int]

    var keyNames: [String] { columns.filter(\.isKey).map(\.name) }
    var key: [Int] { columns.indices.filter { columns[$0].isKey } }

    /// Generates an entity.
    init(_ lots: inout SeededGenerator) {
        let keyTypes: [AttributeType] = [.integer64, .string, .integer64, .string, .integer32, .uuid, .date, .decimal]
        let types: [AttributeType] = [
            .integer64, .integer32, .integer16, .double, .float, .decimal, .string, .string, .boolean, .date, .uuid,
            .uri, .binary, .json,
        ]
        var columns: [Column] = []
        for place in 0..<(lots.once(in: 3) ? 2 : 1) {
            columns.append(FeedModel.column("k\(place)", lots.pick(keyTypes), isKey: true, &lots))
        }
        for place in 0..<1 + lots.below(5) {
            columns.append(FeedModel.column("a\(place)", lots.pick(types), isKey: false, &lots))
        }
        // The columns of the key may stand anywhere among the others.
        columns.shuffle(using: &lots)
        self.columns = columns
        let free = columns.indices.filter { !columns[$0].isKey }
        unique = lots.once(in: 4) ? [lots.pick(free)] : []
    }

    private static func column(
        _ name: String, _ type: AttributeType, isKey: Bool, _ lots: inout SeededGenerator
    ) -> Column {
        var attribute = AttributeDescription(name, type)
        attribute.isIndexed = lots.once(in: 4)
        attribute.isOptional = !isKey && !lots.once(in: 4)
        var standard = SQLValue.null
        if !isKey, lots.once(in: 3), let value = defaults[type] {
            attribute.defaultValue = value.0
            standard = value.1
        }
        return Column(
            attribute: attribute, isKey: isKey, samples: FeedValue.samples(of: type, isKey: isKey), standard: standard)
    }

    private static let defaults: [AttributeType: (ModelValue, SQLValue)] = [
        .integer64: (.integer(5), 5), .integer32: (.integer(6), 6), .double: (.double(0.25), 0.25),
        .string: (.string("none"), "none"), .boolean: (.boolean(true), 1),
    ]

    /// The model with the entity.
    func model() throws -> Model {
        var entity = EntityDescription(FeedModel.entity)
        entity.attributes = columns.map(\.attribute)
        entity.uniquenessConstraints = [keyNames] + (unique.isEmpty ? [] : [unique.map { columns[$0].name }])
        return try Model(ModelDescription([entity]))
    }

    /// All rows of a store: number, then columns.
    func rows(_ store: SQLiteStore) throws -> [String] {
        let names = columns.map { SQLFragment(trusted: ", \"\($0.name)\"") }
        let list = names.reduce(SQLFragment(trusted: "\"_pk\"")) { $0 + $1 }
        return try store.read { connection in
            try connection.rows(of: "SELECT \(list) FROM \"Item\" ORDER BY \"_pk\"").map { row in
                row.map(\.exact).joined(separator: "|")
            }
        }
    }
}
