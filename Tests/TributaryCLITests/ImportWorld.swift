import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// A folder of dumps and databases, and the command that imports the dumps.
struct ImportWorld {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    var database: String { folder.path("app.sqlite") }

    func write(_ text: String, _ name: String = "users.json") throws -> String {
        try folder.write(text.utf8, to: name)
    }

    /// Runs `tributary import app.sqlite WORDS`.
    func load(_ words: String..., input: Data? = nil) throws -> Tool.Outcome {
        try Tool.tributary.run(["import", database] + words, input: input)
    }

    /// The counts that `--json` prints.
    func books(_ outcome: Tool.Outcome) throws -> [String: Int] {
        let object = try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any]
        return try #require(object).compactMapValues { $0 as? Int }
    }

    /// All rows of a table, without their versions.
    func rows(_ table: String, in path: String? = nil) throws -> [[String: SQLValue]] {
        var options = Connection.Options()
        options.isReadOnly = true
        let connection = try Connection(.file(path ?? database), options: options)
        var rows: [[String: SQLValue]] = []
        try connection.forEachRow(of: "SELECT * FROM \(identifier: table) ORDER BY \"_pk\"") { row in
            var values: [String: SQLValue] = [:]
            for index in 0..<row.columnCount where row.columnName(at: index) != "_version" {
                values[row.columnName(at: index)] = row.value(at: index)
            }
            rows.append(values)
        }
        return rows
    }

    /// The values of a column.
    func values(_ column: String, of table: String) throws -> [SQLValue] {
        try rows(table).map { $0[column] ?? .null }
    }

    /// The rows of a query.
    func query(_ sql: String) throws -> [[SQLValue]] {
        try Connection(.file(database)).rows(of: SQLFragment(trusted: sql))
    }

    /// A model with an entity `User`, whose `id` is unique and whose `city` comes from `address.city`.
    func model() throws -> String {
        try write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
                <entity name="User">
                    <attribute name="id" attributeType="Integer 64" usesScalarValueType="NO"/>
                    <attribute name="name" optional="YES" attributeType="String"/>
                    <attribute name="city" optional="YES" attributeType="String">
                        <userInfo><entry key="json" value="address.city"/></userInfo>
                    </attribute>
                    <uniquenessConstraints>
                        <uniquenessConstraint><constraint value="id"/></uniquenessConstraint>
                    </uniquenessConstraints>
                </entity>
            </model>
            """, "Users.xml")
    }
}
