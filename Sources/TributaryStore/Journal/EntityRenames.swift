import Foundation
package import TributarySQLite

/// The names that a migration has given to entities, by which the journal finds those of earlier runs.
package struct EntityRenames: Codable {
    /// The last run before the migration.
    package let run: Int
    /// The later names by the earlier ones.
    package let names: [String: String]

    private static let prefix = "renamed entities "

    /// The renames of all migrations, in their order.
    package static func all(on connection: Connection) throws -> [EntityRenames] {
        try MetadataTable.values(withPrefix: prefix, on: connection).compactMap { _, text in
            try? JSONDecoder().decode(EntityRenames.self, from: Data(text.utf8))
        }
    }

    /// Keeps the renames of a migration.
    static func add(_ names: [String: String], on connection: Connection) throws {
        let renames = EntityRenames(run: try RunTable.nextRun(on: connection) - 1, names: names)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(renames), as: UTF8.self)
        let number = String(format: "%06d", try all(on: connection).count)
        try MetadataTable.set(prefix + number, to: text, on: connection)
    }
}
