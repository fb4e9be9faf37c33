package import TributaryModel
import TributarySQLite

extension QueryableDatabase {
    /// Calls `body` for each row of a part of a list, with the place of the row.
    ///
    /// - Returns: False if the row of the list's place no longer exists.
    /// - Throws: `FetchError` or `FilterError` if the list does not fit the source.
    package func forEachRow(
        of list: RowList, in source: QuerySource, _ body: (ValueCursor, RowList.Place) throws -> Void
    ) throws -> Bool {
        var placeIsNull = list.place?.value == .null
        if let place = list.place, place.value == nil, !list.sort.isEmpty {
            let isNull = try explaining {
                var translation = try ValueTranslation(list.request, compiler(list.request, source))
                return try connection.integer(of: translation.isNull(at: place, of: list))
            }
            guard let isNull else { return false }
            placeIsNull = isNull != 0
        }
        let queries = try explaining {
            var translation = try ValueTranslation(list.request, compiler(list.request, source))
            return try translation.queries(of: list, isKeyed: source.identifiesRows, placeIsNull: placeIsNull)
        }
        var rest = list.limit
        for query in queries where rest > 0 {
            let columns = zip(query.columns, list.request.columns).map {
                ValueCursor.Column($0, $1.expression, in: source)
            }
            let cursor = try explaining { try ValueCursor(query, columns, on: connection, store: path) }
            while rest > 0, try cursor.next() {
                try body(cursor, cursor.place)
                rest -= 1
            }
        }
        return true
    }

    /// The bytes of a database that are read without a look at the clock.
    private static let mostCountedAtOnce: Int64 = 256 << 20

    /// The number of rows of a list, at most `most`; nil if counting takes longer than `limit`.
    package func count(
        of list: RowList, in source: QuerySource, most: Int = .max, within limit: Duration
    ) throws -> Int? {
        let sql = try explaining {
            // SQLite counts all rows of a table in one step, which does not end before it has read them.
            let isShort = try most == .max && size() <= QueryableDatabase.mostCountedAtOnce
            var translation = try ValueTranslation(list.request, compiler(list.request, source))
            return try translation.count(of: list, most: isShort ? nil : most)
        }
        return try within(limit) { Int(try connection.integer(of: sql) ?? 0) }
    }

    private func size() throws -> Int64 {
        try connection.integer(of: "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size") ?? 0
    }

    /// The result of `body`; nil if its statements take longer than `limit`.
    func within<Result>(_ limit: Duration, _ body: () throws -> Result) throws -> Result? {
        let end = ContinuousClock.now + limit
        let isStopped = isStopped
        connection.interrupt { isStopped() || ContinuousClock.now > end }
        defer { connection.interrupt(when: isStopped) }
        do {
            return try body()
        } catch let error as SQLiteError {
            if error.code.primary == .interrupted, !isStopped() { return nil }
            throw StoreError.explaining(error, at: .sqlite(path))
        }
    }

    /// The entity of the object with a key, which may be a subentity; nil if there is none.
    package func entity(ofKey key: Int64, in source: QuerySource) throws -> Entity? {
        let compiler = source.compiler
        let isTagged = compiler.schema.table(of: source.entity)?.hasSubentities ?? false
        let name: SQLFragment = isTagged ? compiler.column("_entity") : "\(source.entity.name)"
        let conditions = compiler.scope(of: source.entity) + ["\(compiler.column("_pk")) = \(key)"]
        let clause = FetchCompiler.clause(conditions)
        return try explaining {
            try connection.texts(of: "SELECT \(name) FROM \(compiler.table(of: source.entity))\(clause)").first
                .flatMap { compiler.model[$0] }
        }
    }

    /// The names of the properties by which rows are sorted with an index.
    package func indexedNames(of source: QuerySource) throws -> Set<String> {
        let table = source.entity.root.name
        let columns = try explaining {
            try connection.texts(
                of: """
                    SELECT c."name" FROM pragma_index_list(\(table), 'main') AS i,
                    pragma_index_info(i."name", 'main') AS c
                    WHERE NOT i."partial" AND c."seqno" = 0 AND c."name" IS NOT NULL
                    """)
        }
        var indexed = Set(columns)
        if let key = source.keyColumn { indexed.insert(key) }
        return Set(source.fields.filter { source.columnName($0).map { indexed.contains($0) } ?? false })
    }
}

extension ValueCursor {
    /// The place of the current row of a list.
    fileprivate var place: RowList.Place {
        let count = resultCount
        let (value, key) = (cell(at: count - 2), cell(at: count - 1))
        let isText = value.kind == .text
        if isText || value.kind == .blob {
            // A long value is read again, and so is text that is no UTF-8.
            let isExact = !isText || String(validating: value.bytes, as: UTF8.self) != nil
            if value.bytes.count > RowList.mostBytes || !isExact { return RowList.Place(value: nil, key: key.value) }
        }
        return RowList.Place(value: value.value, key: key.value)
    }
}
