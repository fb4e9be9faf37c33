import Foundation
import TributarySQLite

/// The identity of a store: its ID, and the version hashes of its model.
struct StoreIdentity: Sendable, Hashable {
    /// The application ID in the file header of all stores: `Trbt`.
    static let applicationID = 0x5472_6274
    /// The version of the layout of tables; a store with another version is refused.
    static let format = 1

    let id: UUID
    /// The version hash of each entity.
    let hashes: [String: String]
    /// Whether another program made the database, in which the tables of this library are only some of all.
    var isForeignDatabase = false

    /// Makes the identity of a new store for a configuration of `model`, or for all entities if nil.
    init(_ model: Model, configuration: String?) {
        id = UUID()
        hashes = (model.versionHashes(in: configuration) ?? [:]).mapValues(\.description)
    }

    /// Reads the identity of a database; nil if it has no tables of this library.
    init?(of connection: Connection) throws {
        let name = connection.name
        guard try StoreIdentity.hasMetadata(connection) else { return nil }
        let all = try MetadataTable.values(withPrefix: "", on: connection)
        let values = Dictionary(all) { first, _ in first }
        isForeignDatabase = values[StoreIdentity.guestKey] != nil
        guard values["format"] == "\(StoreIdentity.format)" else {
            throw StoreError(
                .foreign, name,
                "its format is \(values["format"] ?? "unknown"), expected \(StoreIdentity.format)",
                hint: "open it with the version of Tributary that created it")
        }
        guard let id = values["store"].flatMap({ UUID(uuidString: $0) }) else {
            throw StoreError(.damaged, name, "its identity is missing", hint: "restore it from a backup")
        }
        self.id = id
        hashes = values.reduce(into: [:]) { hashes, item in
            guard item.key.hasPrefix("entity ") else { return }
            hashes[String(item.key.dropFirst("entity ".count))] = item.value
        }
    }

    private static let guestKey = "guest"

    /// Whether the table of the metadata exists.
    private static func hasMetadata(_ connection: Connection) throws -> Bool {
        let existing = try connection.value(
            of: "SELECT \"type\" FROM sqlite_master WHERE \"name\" = \(MetadataTable.name) COLLATE NOCASE")
        guard let existing else { return false }
        let columns = try connection.value(
            of: """
                SELECT COUNT(*) FROM pragma_table_info(\(MetadataTable.name)) WHERE "name" IN ('key', 'value')
                """)
        guard existing == .text("table"), columns == 2 else {
            throw StoreError(
                .foreign, connection.name, "its table \(MetadataTable.name) is one of another program",
                hint: "rename it, or choose another file; it was not changed")
        }
        return true
    }

    /// Writes the identity into a database that has none.
    func write(to connection: Connection) throws {
        let rows =
            [("format", "\(StoreIdentity.format)"), ("store", id.uuidString)]
            + (isForeignDatabase ? [(StoreIdentity.guestKey, "1")] : [])
            + hashes.sorted { $0.key < $1.key }.map { ("entity \($0.key)", $0.value) }
        for (key, value) in rows { try MetadataTable.set(key, to: value, on: connection) }
    }

    /// Whether the store was made for a model.
    func isOf(_ model: Model, configuration: String?) -> Bool {
        (model.versionHashes(in: configuration) ?? [:]).mapValues(\.description) == hashes
    }

    /// Throws if the store was made for another model; the error names the entities that differ.
    func check(_ model: Model, configuration: String?, store name: String) throws {
        let wanted = (model.versionHashes(in: configuration) ?? [:]).mapValues(\.description)
        guard wanted != hashes else { return }
        let changed = wanted.keys.filter { hashes[$0] != nil && hashes[$0] != wanted[$0] }
        let added = wanted.keys.filter { hashes[$0] == nil }
        let gone = hashes.keys.filter { wanted[$0] == nil }
        let parts = [("differs in", changed), ("lacks", added), ("also has", gone)]
            .filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1.sorted().joined(separator: ", "))" }
        throw StoreError(
            .incompatibleModel, name, "it was made for another model: it \(parts.joined(separator: ", it "))",
            hint:
                "open it with that model, migrate it ('tributary migrate'), or choose another file; it was not changed")
    }
}
