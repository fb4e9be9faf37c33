public import TributaryGraph
public import TributaryJSON
import TributaryModel
import TributarySQLite

/// The tables that records and the objects inside of them need, as found in the records themselves.
///
///     let found = try DiscoveredRelations(in: [.file("countries.json")], table: "countries", into: "app.sqlite")
///     let manager = try ContextManager(found, at: "app.sqlite")
///     let feed = StreamImport(into: manager, from: [.file("countries.json")], routes: [found.route()])
///
/// Every object, or array of objects, that has an id becomes a table named after its member, with a column that leads to
/// the row around it, or a join table if one object is in several arrays.
public struct DiscoveredRelations: Sendable {
    /// The table of the records.
    public let table: String
    /// The key of the records; nil if each record inserts a new row.
    public let key: ImportKey?
    /// What was found, a line for each link, and for each member whose objects stay JSON although most have an id.
    public let lines: [String]
    /// The members that can have no column, because their names are reserved or differ in case only.
    public let leftOut: [String]
    /// The model with all tables.
    let model: ModelDescription

    /// Whether no objects inside of records have tables.
    public var isFlat: Bool { model.entities.first { $0.name == table }?.relationships.isEmpty ?? true }

    /// The size of the beginning of a source that tells whether records are flat.
    private static let sampledBytes = 4 << 20
    /// The size of the filter of keys.
    private static let filterBytes = 16 << 20

    /// Reads the sources to find tables; to the end only if the beginning has objects with an id.
    ///
    /// - Parameters:
    ///   - sources: The files; they are read again by the import.
    ///   - table: The name of the table of the records.
    ///   - key: The key of the records; nil for their `id`, if each of them has one.
    ///   - includesAll: Whether objects without an id have tables too, numbered within the objects around them.
    ///   - database: The path of the database, whose tables are kept.
    ///   - reading: How the sources are read.
    ///   - onReader: Called with each reader, so that it can be cancelled.
    /// - Throws: `JSONError` if a source cannot be read, `ImportError` if the database has other columns or links of the
    ///   same names.
    public init(
        in sources: [any ByteSource], table: String, key: ImportKey? = nil, all includesAll: Bool = false,
        into database: String, reading: ReadOptions = ReadOptions(), onReader: (RecordReader) -> Void = { _ in }
    ) throws {
        let stored = try StoredModel.read(at: database)
        guard stored?.isInferred ?? true else {
            throw ImportError(
                .route, "\(database) has a model, which says what becomes a table",
                hint: "import without relations into one of its entities")
        }
        var reading = reading
        if reading.onError == .quarantine { reading.onError = .skip }
        reading.digests = false
        // What a database with relations gets has to fit its columns.
        let mayCut = stored?.entities.first { $0.name == table }?.relationships.isEmpty ?? true
        var found = try DiscoveredRelations.shape(
            of: sources, table, all: includesAll, mayCut: mayCut, reading, onReader)
        // The beginning of a flat file does not tell the columns of a table with relations.
        if found.isCut, found.shape.holdsObjects(all: includesAll) {
            found = try DiscoveredRelations.shape(
                of: sources, table, all: includesAll, mayCut: false, reading, onReader)
        }
        let shape = found.shape
        let tables = try DiscoveredTables(shape, key: key, all: includesAll, known: stored?.entities ?? []) {
            table, column in
            try StoreInspection.read(database) { try TableRows.holdsValues(column, of: table, on: $0) } ?? false
        }
        self.table = table
        self.key = tables.key(of: table, key)
        (lines, leftOut) = (tables.lines, tables.leftOut)
        var model = stored ?? ModelDescription([])
        model.entities = tables.entities
        model.isInferred = true
        self.model = model
    }

    /// The shape of the records of all sources, and whether a source with flat records was read in part only.
    private static func shape(
        of sources: [any ByteSource], _ table: String, all includesAll: Bool, mayCut: Bool, _ reading: ReadOptions,
        _ onReader: (RecordReader) -> Void
    ) throws -> (shape: ObjectShape, isCut: Bool) {
        let shape = ObjectShape(table)
        let filter = KeyFilter(byteCount: DiscoveredRelations.filterBytes)
        var isCut = false
        for source in sources {
            let reader = RecordReader(from: source, options: reading)
            onReader(reader)
            var isSample = mayCut
            while let chunk = try reader.next() {
                for record in chunk where record.value.kind == .object { _ = shape.add(record.value, filter.insert) }
                guard isSample, chunk.checkpoint.byte >= DiscoveredRelations.sampledBytes else { continue }
                isSample = false
                if !shape.holdsObjects(all: includesAll) {
                    isCut = true
                    reader.cancel()
                    break
                }
            }
        }
        return (shape, isCut)
    }

    /// The route of the records at a path; nil for the one that is found.
    public func route(at path: RecordPath? = nil) -> ImportRoute {
        key.map { .rows(table, at: path, key: $0) } ?? .newRows(table, at: path)
    }
}

extension ContextManager {
    /// A manager of a database with the tables of discovered relations, which is created if it does not exist.
    ///
    /// - Throws: `StoreError`, `ModelError`, `SQLiteError`.
    public convenience init(_ found: DiscoveredRelations, at path: String) throws {
        let model = try Model(found.model)
        if let stored = try StoredModel.read(at: path) {
            let store = try SQLiteStore(stored: stored, at: path)
            defer { store.close() }
            try store.importing { connection in
                try connection.transaction { try StoredModel.extend(to: model, on: connection) }
            }
        }
        var opening = StoreOptions()
        // Columns are added by the import, and not by a model that was read before.
        opening.migration.isAutomatic = false
        opening.lockTimeout = ImportOptions.lockTimeout
        try self.init(model: model, store: .sqlite(path), options: opening)
    }
}
