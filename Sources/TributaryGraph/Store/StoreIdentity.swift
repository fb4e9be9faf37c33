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

    /// Makes the identity of a new store for a configuration of `model`, or for all entities if nil.
    init(_ model: Model, configuration: String?) {
        id = UUID()
        hashes = (model.versionHashes(in: configuration) ?? [:]).mapValues(\.description)
    }

    /// Reads the identity of a database; nil if it is empty.
    ///
    /// - Throws: `StoreError` if the database is not a store or has another format, or `SQLiteError`.
    init?(of connection: Connection) throws {
        let name = connection.name
        let tables = try connection.value(of: "SELECT COUNT(*) FROM sqlite_master")
        let application = try connection.value(of: "PRAGMA application_id")
        if tables == 0, application == 0 { return nil }
        guard application == .integer(Int64(StoreIdentity.applicationID)) else {
            throw StoreError(
                .foreign, name, "it is a database of another program", hint: "choose another file; it was not changed")
        }
        var values: [String: String] = [:]
        try connection.forEachRow(of: "SELECT \"key\", \"value\" FROM \(identifier: Schema.metadata)") { row in
            values[row.text(at: 0)] = row.text(at: 1)
        }
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

    /// Writes the identity into a new database.
    func write(to connection: Connection) throws {
        let rows =
            [("format", "\(StoreIdentity.format)"), ("store", id.uuidString)]
            + hashes.sorted { $0.key < $1.key }.map { ("entity \($0.key)", $0.value) }
        for (key, value) in rows {
            try connection.execute(
                "INSERT INTO \(identifier: Schema.metadata) (\"key\", \"value\") VALUES (\(key), \(value))")
        }
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
            hint: "open it with that model, migrate it, or choose another file; it was not changed")
    }
}
