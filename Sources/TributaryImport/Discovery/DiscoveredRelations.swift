import TributaryStore
public import TributaryJSON
package import TributaryModel
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
    /// What was found: a line for each link, and for each member whose objects stay JSON unexpectedly.
    public let lines: [String]
    /// The members that can have no column, because their names are reserved, too long or differ in case only, or there
    /// are too many; their values are in the column `_rest`.
    public let leftOut: [String]
    /// The members of the records that `lines` says stay JSON.
    package let stayingJSON: Set<String>
    /// The model with all tables.
    package let model: ModelDescription
    /// The choices that decide what becomes a table, as text.
    private let choices: String
    /// Finds the tables of all records while they are imported; nil if all were read.
    package private(set) var survey: RelationSurvey?

    /// The names of all tables.
    package var tables: [String] { model.entities.map(\.name) }

    /// Whether no objects inside of records have tables.
    public var isFlat: Bool { model.entities.first { $0.name == table }?.relationships.isEmpty ?? true }

    /// The size of the beginning of a source that tells whether records are flat.
    private static let sampledBytes = 4 << 20

    /// Reads the sources to find tables; to the end only if the beginning has objects with an id.
    ///
    /// - Parameters:
    ///   - sources: The files; they are read again by the import.
    ///   - table: The name of the table of the records.
    ///   - key: The key of the records; nil for their `id`, if each of them has one.
    ///   - includesAll: Whether objects without an id have tables too, numbered within the objects around them.
    ///   - keys: For places such as `orders.lines` the member that identifies their objects; nil for `id`, `_id`, `uuid` or
    ///     `guid`. A place begins with the table of the records.
    ///   - tables: For such places the names of their tables; nil for names after their members.
    ///   - shaping: Whether typed values of Extended JSON are plain ones, and the column for the name of the source.
    ///   - dateColumn: The column of records for the date of their deletion, which no record sets; nil if there is none.
    ///   - database: The path of the database, whose tables are kept.
    ///   - reading: How the sources are read.
    ///   - onReader: Called with each reader, so that it can be cancelled.
    /// - Throws: `JSONError` if a source cannot be read, `ImportError` if the database has other columns or links of the
    ///   same names.
    public init(
        in sources: [any ByteSource], table: String, key: ImportKey? = nil, all includesAll: Bool = false,
        keys: [String: String] = [:], tables: [String: String] = [:], shaping: ColumnShaping? = nil,
        dateColumn: String? = nil, into database: String, reading: ReadOptions = ReadOptions(),
        onReader: (RecordReader) -> Void = { _ in }
    ) throws {
        let request = Request(
            table: table, key: key, includesAll: includesAll, keys: keys, tables: tables, shaping: shaping,
            dateColumn: dateColumn, database: database, reading: reading)
        try self.init(request, in: sources, surveysLater: false, onReader)
    }

    /// What is asked for.
    package struct Request: Sendable {
        let table: String
        let key: ImportKey?
        let includesAll: Bool
        let keys: [String: String]
        let tables: [String: String]
        let shaping: ColumnShaping?
        let dateColumn: String?
        let database: String
        let reading: ReadOptions
        let filter: RecordFilter?

        package init(
            table: String, key: ImportKey?, includesAll: Bool, keys: [String: String], tables: [String: String],
            shaping: ColumnShaping?, dateColumn: String?, database: String, reading: ReadOptions,
            filter: RecordFilter? = nil
        ) {
            (self.table, self.key, self.includesAll) = (table, key, includesAll)
            (self.keys, self.tables) = (Request.complete(keys, table), Request.complete(tables, table))
            (self.shaping, self.dateColumn) = (shaping, dateColumn)
            (self.database, self.reading, self.filter) = (database, reading, filter)
        }

        /// Whether the import takes a record that may have tables inside.
        func takes(_ record: Record) -> Bool { record.value.kind == .object && filter?.isMet(by: record) ?? true }

        /// The shape of no records, whose dictionaries are those of a database, or stated.
        func emptyShape(_ stored: ModelDescription?) throws -> ObjectShape {
            ObjectShape(
                table,
                SurveyedPlaces(
                    keys: keys,
                    dictionaries: try SurveyedPlaces.dictionaries(
                        in: Array(keys.keys) + tables.keys, of: table, stored),
                    unwrapsExtendedJSON: shaping?.unwrapsExtendedJSON ?? true))
        }

        /// The places, of which those that begin with a dictionary are inside of the records.
        private static func complete(_ places: [String: String], _ table: String) -> [String: String] {
            Dictionary(
                places.map { place, name in
                    (place.prefix { $0 != "." }.hasSuffix("{}") ? "\(table).\(place)" : place, name)
                }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// Reads the sources to find tables; with `surveysLater` only their beginnings, if the import that follows surveys
    /// them, and with a profile of the sources not at all.
    package init(
        _ request: Request, in sources: [any ByteSource], surveysLater: Bool, ignoresStored: Bool = false,
        profile: DumpProfile? = nil, _ onReader: (RecordReader) -> Void = { _ in }
    ) throws {
        let (table, keys, tables) = (request.table, request.keys, request.tables)
        let stored = ignoresStored ? nil : try StoredModel.read(at: request.database)
        guard stored?.isInferred ?? true else {
            throw ImportError(
                .route, "\(request.database) has a model, which says what becomes a table",
                hint: "import without relations into one of its entities")
        }
        var reading = request.reading
        if reading.onError == .quarantine { reading.onError = .skip }
        reading.digests = false
        func read(mayCut: Bool) throws -> (shape: ObjectShape, isCut: Bool) {
            let shape = try request.emptyShape(stored)
            if let profile {
                try profile.checkShapes()
                try profile.checkTypedValues(shape.places)
                shape.add(profile.records, at: [], profile)
                return (shape, false)
            }
            let isCut = try DiscoveredRelations.read(
                sources, request, into: shape, mayCut: mayCut, mayCutAll: surveysLater, reading,
                onReader)
            return (shape, isCut)
        }
        // What a database with relations gets has to fit its columns.
        let isFlat = stored?.entities.first { $0.name == table }?.relationships.isEmpty ?? true
        var found = try read(mayCut: isFlat && keys.isEmpty && tables.isEmpty)
        // The beginning of a flat file does not tell the columns of a table with relations.
        let isSample = found.isCut && found.shape.holdsObjects(all: request.includesAll)
        if isSample, !surveysLater { found = try read(mayCut: false) }
        let others = ignoresStored ? [] : try ForeignTable.names(in: request.database, besides: stored)
        try self.init(request, found.shape, stored, besides: others)
        if isSample, surveysLater { survey = try RelationSurvey(request, expected: self) }
    }

    /// The tables of records of a shape, beside those that a database has.
    init(_ request: Request, _ shape: ObjectShape, _ stored: ModelDescription?, besides others: Set<String>) throws {
        let (table, key, database) = (request.table, request.key, request.database)
        let (keys, tables, shaping) = (request.keys, request.tables, request.shaping)
        shape.findDictionaries()
        let discovered = try DiscoveredTables(
            [(shape, key)], all: request.includesAll, known: stored?.entities ?? [], others: others, names: tables,
            shaping: shaping, keyName: request.reading.keyName
        ) { table, column in
            try StoreInspection.read(database) { try TableRows.holdsValues(column, of: table, on: $0) } ?? false
        }
        for place in Set(keys.keys).union(tables.keys).subtracting(discovered.paths).sorted() {
            throw ImportError(
                .route, "the records have no objects at \(place)",
                hint: "they have some at \(discovered.paths.sorted().shortList)")
        }
        if let place = Set(tables.keys).subtracting(discovered.tablePaths).sorted().first {
            throw ImportError(
                .route, "the objects at \(place) stay JSON, so there is no table to name",
                hint: "give them a key, or include objects without an id")
        }
        self.table = table
        self.key = discovered.key(of: table, key)
        try shaping?.check(key: self.key?.parts.map(\.attribute) ?? [])
        (lines, leftOut, stayingJSON) = (discovered.lines, discovered.leftOut, discovered.stayingJSON)
        var model = stored ?? ModelDescription([])
        model.entities = discovered.entities
        if let name = request.dateColumn, let index = model.entities.firstIndex(where: { $0.name == table }) {
            let known = model.entities[index].attributes.map(\.name) + model.entities[index].relationships.map(\.name)
            if !known.contains(where: { $0.lowercased() == name.lowercased() }) {
                model.entities[index].attributes.append(.inferred(name))
            }
        }
        model.isInferred = true
        self.model = model
        choices =
            ([request.includesAll ? "all" : "keyed"] + [keys, tables].map { "\($0.sorted { $0.key < $1.key })" }
            + [shaping].compactMap(\.self).map { StoredJSON.text($0) }).joined(separator: "\n")
    }

    /// Adds the records of all sources to their shape; whether a source with flat records, or with `mayCutAll` with any,
    /// was read in part only.
    private static func read(
        _ sources: [any ByteSource], _ request: Request, into shape: ObjectShape, mayCut: Bool, mayCutAll: Bool,
        _ reading: ReadOptions, _ onReader: (RecordReader) -> Void
    ) throws -> Bool {
        let known = SurveyedKeys()
        var isCut = false
        for source in sources {
            let reader = RecordReader(from: source, options: reading)
            onReader(reader)
            var isSample = mayCut
            while let chunk = try reader.next() {
                for record in chunk where request.takes(record) { _ = shape.add(record.value, known.insert) }
                guard isSample, chunk.checkpoint.byte >= DiscoveredRelations.sampledBytes else { continue }
                isSample = false
                if mayCutAll || !shape.holdsObjects(all: request.includesAll) {
                    isCut = true
                    reader.cancel()
                    break
                }
            }
        }
        return isCut
    }

    /// The route of the records at a path; nil for the one that is found.
    public func route(at path: RecordPath? = nil) -> ImportRoute {
        var route = key.map { ImportRoute.rows(table, at: path, key: $0) } ?? .newRows(table, at: path)
        // The model grows with the data, so it does not identify the import.
        route.discovery = choices
        return route
    }
}

extension DiscoveredRelations {
    /// The model of a database with the tables, to which an existing one is extended; for a dry run with columns too.
    package func extendedModel(at path: String, isDryRun: Bool) throws -> Model {
        let model = try Model(self.model)
        if let stored = try StoredModel.read(at: path) {
            let store = try SQLiteStore(stored: stored, at: path)
            defer { store.close() }
            try store.importing { connection in
                try connection.transaction {
                    try StoredModel.extend(to: model, isDryRun: isDryRun, on: connection)
                }
            }
        }
        return model
    }
}
