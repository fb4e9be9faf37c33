import Foundation
import TributaryConcurrency
public import TributaryGraph
public import TributaryJSON
import TributarySQLite

/// An import into a table whose columns are found from the data.
///
///     let feed = try InferredImport(into: "dump.sqlite", entity: "users", key: ["id"], from: [.file("users.json")])
///     let books = try feed.perform().summary
///
/// Each key of a record is a column, which is added in the transaction of the first row that needs it; columns have no type,
/// so every value stays what it was. Nested values stay JSON. A key that cannot be a column (it differs from another one in
/// case only, is one too many, or belongs to the store) goes into the column `_rest`, as JSON: one value, which a later
/// record of the same key replaces as a whole.
public final class InferredImport: Sendable {
    /// The manager of the store.
    public let manager: ContextManager
    private let stream: StreamImport

    /// An import into the database at `path`, which is made if it does not exist.
    ///
    /// - Parameters:
    ///   - path: The database.
    ///   - entity: The name of the table.
    ///   - key: What tells one record from another; nil if each record is a row of its own.
    ///   - sources: Where the records come from.
    ///   - place: Where the records are in the sources.
    ///   - options: How it is done.
    /// - Throws: `StoreError`, `ModelError`, `SQLiteError`.
    public init(
        into path: String, entity: String, key: ImportKey? = nil, from sources: [any ByteSource],
        at place: RecordPath? = nil, options: ImportOptions = ImportOptions()
    ) throws {
        let model = try InferredImport.model(path, entity, key)
        var opening = StoreOptions()
        opening.cacheKiB = 16 << 10
        manager = try ContextManager(model: model, store: .sqlite(path), options: opening)
        stream = StreamImport(
            into: manager, from: sources, routes: [.found(entity, at: place, key: key)], options: options)
    }

    /// The model of the database, in which the entity is.
    private static func model(_ path: String, _ entity: String, _ key: ImportKey?) throws -> Model {
        try key?.demandSize()
        let names = key?.parts.map(\.attribute) ?? []
        guard !names.contains(FoundColumns.rest) else {
            throw ImportError(
                .route, "\(FoundColumns.rest) cannot be a part of the key: it holds what no column can",
                hint: "name another key")
        }
        let stored = try StoreInspection.read(path) { try StoredModel.read(on: $0) } ?? nil
        guard let stored else {
            var model = ModelDescription([StoredModel.found(entity, columns: names, key: names)])
            model.isInferred = true
            return try Model(model)
        }
        guard stored.isInferred else {
            throw ImportError(
                .route, "\(path) has a model, whose columns are not found from data",
                hint: "import into one of its entities, or into another file")
        }
        if let known = stored.entities.first(where: { $0.name == entity }) {
            let isSame = known.uniquenessConstraints == (names.isEmpty ? [] : [names])
            if isSame { return try Model(stored) }
            // What has no rows yet may still take another key.
            guard try StoreInspection.read(path, { try GrowingTable.isEmpty(entity, on: $0) }) ?? false else {
                let said = known.uniquenessConstraints.first?.joined(separator: ",") ?? "none"
                throw ImportError(
                    .route,
                    "the key of \(entity) in \(path) is \(said), not \(names.isEmpty ? "none" : names.joined(separator: ","))",
                    hint: "give the same key as before, or another entity")
            }
        }
        let store = try SQLiteStore(Model(stored), at: .sqlite(path))
        try store.importing { connection in
            try connection.transaction {
                try StoredModel.addFound(entity, columns: names, key: names, on: connection)
            }
        }
        store.close()
        let grown = try StoreInspection.read(path) { try StoredModel.read(on: $0) } ?? nil
        return try Model(grown ?? stored)
    }

    /// The books, as far as they are committed.
    public var summary: ImportSummary { stream.summary }
    /// What is being done.
    public var phase: String { stream.phase }
    /// Bytes taken from the sources so far, as they are stored.
    public var storedBytes: Int { stream.storedBytes }
    /// What the sources were found to be.
    public var sourceReports: [SourceReport] { stream.sourceReports }

    /// Stops behind the chunk at hand; what is committed stays.
    public func cancel() { stream.cancel() }

    /// Does it all on the calling thread.
    ///
    /// - Throws: as `StreamImport.perform()`.
    public func perform() throws -> ImportOutcome { try stream.perform() }
}
