package import TributarySQLite

/// A database whose entities and tables are queried, all of them in one state; it is not changed.
///
///     let database = try QueryableDatabase("app.sqlite")
///     let source = try database?.source("Book")
package final class QueryableDatabase {
    /// The path.
    package let path: String
    /// The names of its tables and views, those of this library aside.
    package let names: ReadableTable.Names
    /// The names of the tables by those in lower case, which foreign keys may have in another case.
    private(set) lazy var tablesByFoldedName = Dictionary(names.tables.map { ($0.lowercasedASCII, $0) }) { first, _ in
        first
    }
    /// The stored model; nil in a database of another program.
    package let model: Model?
    /// The connection, in a transaction that only reads.
    let connection: Connection
    /// The tables and views of other programs that were used, which have a temporary view.
    private var plainSources: [String: QuerySource] = [:]
    private(set) var isStopped: () -> Bool = { false }

    /// Opens a database; nil if the file does not exist.
    ///
    /// A text or blob of more bytes than `longestValue` is an error. With `rollsBack`, the transaction of a crashed
    /// program is rolled back, without which no connection can read; else that is an error of `SQLiteError`.
    package init?(_ path: String, rollsBack: Bool = true, longestValue: Int = .max) throws {
        guard var file = StoreFiles.existing(of: path) else { return nil }
        self.path = path
        var options = Connection.Options()
        options.isReadOnly = true
        do {
            let connection: Connection
            do {
                connection = try Connection(.file(file), options: options)
            } catch let error as SQLiteError where error.code.primary == .cannotOpen {
                // An import has published a new database meanwhile, whose file has another name then.
                guard let later = StoreFiles.existing(of: path), later != file else { throw error }
                file = later
                connection = try Connection(.file(file), options: options)
            } catch let error as SQLiteError where error.code == .unfinishedWriting && rollsBack {
                _ = try StoreInspection.readDatabase(path) { _ in true }
                connection = try Connection(.file(file), options: options)
            }
            connection.allowViews()
            try FilterFunctions.define(on: connection)
            try connection.execute("BEGIN")
            model = try StoredModel.read(on: connection).map { try Model($0) }
            names = try ReadableTable.names(on: connection, isOwn: model != nil)
            try connection.allowOnlyReading()
            connection.setLongestValue(bytes: longestValue)
            self.connection = connection
        } catch let error as SQLiteError {
            throw StoreError.explaining(error, at: .sqlite(path))
        }
    }

    /// The names of all that can be queried: entities, tables and views.
    package var sources: [String] {
        let entities = model?.entities.map(\.name) ?? []
        return entities + (names.tables + names.views).filter { !entities.contains($0) }
    }

    /// Ends reading with an error once `condition` is true.
    package func stop(when condition: @escaping () -> Bool) {
        isStopped = condition
        connection.interrupt(when: condition)
    }

    // MARK: Sources

    /// The entity, table or view with one of the names of `sources`.
    package func source(_ name: String) throws -> QuerySource {
        try explaining {
            if let model, let entity = model[name] {
                let source = QuerySource(entity, of: model)
                do {
                    let all = try source.compiler.rows(RowRequest(entity: name))
                    _ = try connection.statement(of: all.sql)
                    return source
                } catch let error as SQLiteError {
                    // Another program may have changed the columns.
                    guard names.tables.contains(name) else { throw error }
                }
            }
            if let known = plainSources[name] { return known }
            let source = try identified(plain(name))
            plainSources[name] = source
            return source
        }
    }

    /// A table or view of another program, which a temporary view gives the shape of an entity's table.
    private func plain(_ name: String) throws -> QuerySource {
        let columns = try connection.rows(
            of: "SELECT \"name\", \"type\" FROM pragma_table_xinfo(\(name), 'main') WHERE \"hidden\" <> 1"
        ) { (name: $0.text(at: 0), affinity: ForeignTable.Affinity($0.text(at: 1), isStrict: false)) }
        let taken = Set(columns.map { $0.name.lowercasedASCII })
        var entity = EntityDescription(name)
        var values: [SQLFragment] = []
        let stored = try storedKinds(columns.map(\.name), of: name)
        for (column, stored) in zip(columns, stored) {
            // The names of the columns of every entity are given another end.
            var attribute = column.name
            // SQLite gives a column of a view another name than these.
            while ReservedNames.isColumn(attribute) || ["true", "false"].contains(attribute.lowercasedASCII)
                || attribute != column.name && taken.contains(attribute.lowercasedASCII)
            {
                attribute = String(attribute.drop { $0 == "_" }) + "_"
            }
            let kinds: ValueKinds =
                switch column.affinity {
                case .integer: .integer
                case .real: .real
                case .text: .text
                case .numeric, .none: stored
                }
            entity.attributes.append(.inferred(attribute, kinds: kinds))
            values.append("\(identifier: column.name) AS \(identifier: attribute)")
        }
        let key = try rowKey(of: name, taken)
        values.append("\(key ?? "NULL") AS \"_pk\"")
        var description = ModelDescription([entity])
        description.isInferred = true
        let model = try Model(description)
        guard let resolved = model[name] else { fatalError("internal error: the model has no entity \(name)") }
        try connection.createTemporaryView(name, as: "SELECT \(values) FROM main.\(identifier: name)")
        return QuerySource(resolved, of: model, isPlain: true, hasKeys: key != nil)
    }

    /// The kinds of the values in the first rows of a table, for columns whose declared type tells none.
    private func storedKinds(_ columns: [String], of name: String) throws -> [ValueKinds] {
        let types = columns.map { column -> SQLFragment in "typeof(\(identifier: column))" }
        var kinds = [ValueKinds](repeating: [], count: columns.count)
        guard !columns.isEmpty else { return kinds }
        try connection.forEachRow(of: "SELECT \(types) FROM main.\(identifier: name) LIMIT 1000") { row in
            for index in columns.indices {
                switch row.text(at: index) {
                case "text": kinds[index] = .text
                case "real" where kinds[index] != .text: kinds[index] = .real
                case "integer" where kinds[index].isEmpty: kinds[index] = .integer
                default: break
                }
            }
        }
        return kinds
    }

    /// The value that identifies a row and is cheap to order by; nil if there is none, as in a view.
    private func rowKey(of name: String, _ columns: Set<String>) throws -> SQLFragment? {
        guard names.tables.contains(name) else { return nil }
        let rowID = ["rowid", "_rowid_", "oid"].first { !columns.contains($0) }
        let isKeyed = try connection.hasRows(
            "SELECT 1 FROM pragma_table_list WHERE \"schema\" = 'main' AND \"name\" = \(name) AND \"wr\"")
        if !isKeyed, let rowID {
            let key: SQLFragment = "\(identifier: rowID)"
            // A virtual table may have none.
            return (try? connection.statement(of: "SELECT \(key) FROM main.\(identifier: name)")).map { _ in key }
        }
        return try connection.texts(of: "SELECT \"name\" FROM pragma_table_info(\(name), 'main') WHERE \"pk\" = 1")
            .first.map { "\(identifier: $0)" }
    }

    // MARK: Results

    /// The results of a request, which names its columns.
    ///
    /// - Throws: `FetchError` or `FilterError` if the request does not fit the source.
    package func rows(of request: ValueRequest, in source: QuerySource) throws -> ValueCursor {
        try explaining {
            let query = try compiler(request, source).query(request)
            let columns = zip(query.columns, request.columns).map {
                ValueCursor.Column($0, $1.expression, in: source)
            }
            return try ValueCursor(query, columns, on: connection, store: path)
        }
    }

    /// The number of results of a request; nil if counting takes longer than `limit`.
    package func count(
        _ request: ValueRequest, in source: QuerySource, within limit: Duration? = nil
    ) throws -> Int? {
        let compiler = try compiler(request, source)
        var translation = try ValueTranslation(request, compiler)
        let results = try translation.query().sql
        var sql: SQLFragment = "SELECT COUNT(*) FROM (\(results))"
        if !translation.isAggregated, !request.isDistinct, request.having == nil {
            var rows = RowRequest(entity: request.entityName, where: request.filter)
            (rows.limit, rows.offset) = (request.limit, request.offset)
            sql = try compiler.count(rows)
        }
        let isStopped = isStopped
        if let limit {
            let end = ContinuousClock.now + limit
            connection.interrupt { isStopped() || ContinuousClock.now > end }
        }
        defer { connection.interrupt(when: isStopped) }
        do {
            return Int(try connection.integer(of: sql) ?? 0)
        } catch let error as SQLiteError {
            if limit != nil, error.code.primary == .interrupted, !isStopped() { return nil }
            throw StoreError.explaining(error, at: .sqlite(path))
        }
    }

    /// The SQL of a request, and how SQLite would run it.
    package func explanation(of request: ValueRequest, in source: QuerySource) throws -> QueryExplanation {
        try explaining { try compiler(request, source).query(request).sql.explanation(on: connection) }
    }

    /// The full-text index of a source; nil if it has none.
    package func searchIndex(of source: QuerySource) throws -> SearchIndex? {
        try explaining {
            try SearchIndex.find(of: source.isPlain ? source.entity.name : source.entity.root.name, on: connection)
        }
    }

    /// The compiler of a source, with the words that a request searches for.
    func compiler(_ request: ValueRequest, _ source: QuerySource) throws -> FetchCompiler {
        var compiler = source.compiler
        guard let text = request.match else { return compiler }
        guard let index = try searchIndex(of: source) else {
            throw FetchError(.unsupported, "\(source.entity.name) has no full-text index")
        }
        compiler.match = SearchMatch(index: index, expression: SearchText.expression(text))
        return compiler
    }

    /// Calls `body` with the connection, to read the journal.
    package func reading<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        try explaining { try body(connection) }
    }

    /// Calls `body`, in which reading also ends with an error once `condition` is true.
    package func stopping<Result>(when condition: @escaping () -> Bool, _ body: () throws -> Result) rethrows -> Result
    {
        let isStopped = isStopped
        connection.interrupt { isStopped() || condition() }
        defer { connection.interrupt(when: isStopped) }
        return try body()
    }

    func explaining<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw StoreError.explaining(error, at: .sqlite(path))
        }
    }
}
