package import TributarySQLite

/// The rows imported from a feed that are missing from its latest run.
///
///     1. find them, block by block of the marks, in a temporary table
///     2. delete them by the rules of the model, or set a date in them
///     3. keep the marks of the latest run only
///
/// A row that another feed still holds is not among them, nor one that no feed has brought.
package struct FeedRows {
    /// What was found of an entity.
    package struct Count: Sendable {
        /// The entity.
        package let entity: Entity
        /// The rows that the feed no longer holds, within the scope.
        package var missingCount = 0
        /// The rows that were imported from the feed.
        package var importedCount = 0
    }

    /// The number of keys that are in memory together.
    private static let slice = 100_000
    private static let temporary: SQLFragment = "temp.\"_gone\""

    private let feed: String
    private let run: Int
    private let compiler: FetchCompiler
    private let connection: Connection

    /// The rows of a feed, after its run `run`.
    package init(of feed: String, run: Int, in schema: Schema, on connection: Connection) {
        (self.feed, self.run, self.connection) = (feed, run, connection)
        compiler = FetchCompiler(schema: schema, model: schema.model)
    }

    // MARK: Finding

    /// Finds the rows of all entities; those of an entity outside of its scope are left, or all if it is nil.
    package func find(scope: (Entity) -> Filter?) throws -> [Count] {
        try connection.execute("DROP TABLE IF EXISTS \(FeedRows.temporary)")
        try connection.execute(
            """
            CREATE TEMP TABLE "_gone" ("entity" TEXT NOT NULL, "key" INTEGER NOT NULL, "isInScope" INTEGER NOT NULL,
            PRIMARY KEY ("entity", "key")) WITHOUT ROWID
            """)
        // Earlier references no longer count.
        try MarkTable.keepMarks(ofRun: run, feed: MarkTable.references(of: feed), keepsEarlier: false, on: connection)
        var counts: [Count] = []
        for name in try MarkTable.entities(feed: feed, on: connection) {
            guard let entity = compiler.model[name] else { continue }
            var count = Count(entity: entity)
            let filter = scope(entity)
            func isInScope() throws -> SQLFragment { try filter.map { try compiler.condition($0, of: entity) } ?? "0" }
            try MarkTable.forEachBlock(of: entity.name, feed: feed, run: run, on: connection) { number, block in
                count.importedCount += block.imported.bitCount
                count.missingCount += try add(number, block.missing, of: entity, isInScope: isInScope)
                // Rows that stay those of the feed.
                if filter != .always {
                    _ = try add(number, block.shared, of: entity, where: { "NOT " + (try isInScope()) })
                }
                _ = try add(number, block.referred, of: entity)
            }
            counts.append(count)
        }
        return counts
    }

    /// Adds those keys of a block that have a row that satisfies a condition; returns the number of rows in the scope.
    ///
    /// Without keys no condition is made, which a table without columns would not allow.
    private func add(
        _ number: Int64, _ block: [UInt8], of entity: Entity, isInScope: () throws -> SQLFragment = { "0" },
        where condition: () throws -> SQLFragment = { "1" }
    ) throws -> Int {
        let keys = KeyBitmap(block: number, block).keys
        guard !keys.isEmpty else { return 0 }
        let isAmong: SQLFragment = "\(compiler.column("_pk")) IN (\(SQLFragment.query(for: keys)))"
        let conditions = [isAmong] + compiler.scope(of: entity) + [try condition()]
        let added = try connection.rows(
            of: """
                INSERT INTO \(FeedRows.temporary) ("entity", "key", "isInScope")
                SELECT \(entity.name), \(compiler.column("_pk")), \(isInScope())
                FROM \(compiler.table(of: entity))\(FetchCompiler.clause(conditions)) RETURNING "isInScope"
                """
        ) { $0.integer(at: 0) != 0 }
        return added.count(where: \.self)
    }

    /// A query for the found keys of an entity.
    private func found(of entity: Entity) -> SQLFragment {
        "SELECT \"key\" FROM \(FeedRows.temporary) WHERE \"entity\" = \(entity.name) AND \"isInScope\""
    }

    /// Calls `body` with slices of the found keys of an entity.
    private func forEachSlice(of entity: Entity, _ body: ([Int64]) throws -> Void) throws {
        var last = Int64.min
        while true {
            let keys = try connection.rows(
                of: "\(found(of: entity)) AND \"key\" > \(last) ORDER BY \"key\" LIMIT \(FeedRows.slice)"
            ) { $0.integer(at: 0) }
            guard let end = keys.last else { return }
            last = end
            try body(keys)
        }
    }

    // MARK: Changing

    /// Deletes the found rows by the rules of the model; returns their number by entity, those included to which
    /// deletions cascade.
    ///
    /// `deleteObjects` deletes rows of an entity itself, and returns how many; nil to have them deleted here. It is asked
    /// first, with no rows.
    package func delete(
        _ counts: [Count], _ deleteObjects: (Entity, [RowKey]) throws -> Int?
    ) throws -> [String: Int] {
        let affected = counts.filter { $0.missingCount > 0 }.map(\.entity)
        for entity in affected { try checkReferences(to: entity) }
        var deleted: [String: Int] = [:]
        var deletion = try BatchDeletion(compiler, derivesLater: true, on: connection)
        func deleteMarked() throws { deleted.merge(try deletion.run(), uniquingKeysWith: +) }
        for entity in affected {
            guard try deleteObjects(entity, []) != nil else {
                // Deleted together with others, so that rows that deny each other's deletion go.
                try deletion.mark(found(of: entity), of: entity)
                continue
            }
            try deleteMarked()
            try forEachSlice(of: entity) { keys in
                let rows = try compiler.rows(of: entity, keys: keys, columns: .keys).keys(on: connection)
                deleted[entity.name, default: 0] += try deleteObjects(entity, rows) ?? 0
            }
        }
        try deleteMarked()
        return deleted
    }

    /// Throws if a table of another program refers to rows, which the rules of the model do not know.
    private func checkReferences(to entity: Entity) throws {
        let own = Set(compiler.schema.tables.map(\.name) + compiler.schema.joins.map(\.name))
        let references = try connection.rows(
            of: """
                SELECT m."name", f."from" FROM sqlite_master AS m JOIN pragma_foreign_key_list(m."name") AS f
                WHERE m."type" = 'table' AND f."table" = \(entity.root.name) COLLATE NOCASE
                """
        ) { (table: $0.text(at: 0), column: $0.text(at: 1)) }
        for (table, column) in references where !own.contains(table) {
            let isUsed = try connection.hasRows(
                """
                SELECT 1 FROM \(identifier: table)
                WHERE \(identifier: column) IN (\(found(of: entity))) LIMIT 1
                """)
            guard !isUsed else {
                throw StoreError(
                    .foreign, connection.name,
                    "\(table).\(column), of another program, refers to rows of \(entity.name) that the feed no longer holds; nothing was deleted",
                    hint: "delete those references, then repeat the sync")
            }
        }
    }

    /// Throws if a column has other values than the dates that a sync sets, as those of its feed.
    package func checkDates(in attribute: String, of entity: Entity) throws {
        guard entity.attribute(named: attribute)?.type != .date else { return }
        let column = try column(attribute, of: entity)
        let hasOthers = try connection.hasRows(
            """
            SELECT 1 FROM \(identifier: entity.root.name) WHERE \(identifier: column) IS NOT NULL
            AND \(identifier: column) NOT GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T*Z' LIMIT 1
            """)
        guard !hasOthers else {
            throw StoreError(
                .foreign, connection.name, "\(entity.name).\(attribute) has other values than dates of deletion",
                hint: "name an attribute that no record sets")
        }
    }

    /// Sets an attribute of the found rows to a date, where it has no value; returns the number of rows by entity.
    package func set(_ attribute: String, to date: SQLValue, _ counts: [Count]) throws -> [String: Int] {
        var changed: [String: Int] = [:]
        for count in counts where count.missingCount > 0 {
            let column = try column(attribute, of: count.entity)
            try connection.execute(
                """
                UPDATE \(identifier: count.entity.root.name) SET \(identifier: column) = \(date),
                "_version" = "_version" + 1
                WHERE "_pk" IN (\(found(of: count.entity))) AND \(identifier: column) IS NULL
                """)
            changed[count.entity.name] = connection.changeCount
        }
        return changed
    }

    /// Clears an attribute of the rows that the run has seen; returns the number of changed rows.
    package func clear(_ attribute: String, of entity: Entity) throws -> Int {
        let column = try column(attribute, of: entity)
        var cleared = 0
        try MarkTable.forEachBlock(feed: feed, run: run, entity: entity.name, on: connection) { number, block in
            let keys = KeyBitmap(block: number, block).keys
            guard let first = keys.first, let last = keys.last else { return }
            // Few rows of the range have a value, so only their keys are searched.
            try connection.execute(
                """
                UPDATE \(identifier: entity.root.name) SET \(identifier: column) = NULL, "_version" = "_version" + 1
                WHERE "_pk" BETWEEN \(first) AND \(last) AND \(identifier: column) IS NOT NULL
                AND +"_pk" IN (\(SQLFragment.query(for: keys)))
                """)
            cleared += connection.changeCount
        }
        return cleared
    }

    private func column(_ attribute: String, of entity: Entity) throws -> String {
        if let property = entity.attribute(named: attribute),
            let column = compiler.schema.table(of: entity)?.column(.attribute(property), of: entity)
        {
            return column.name
        }
        // A table with inferred columns may have got it during the run.
        guard try connection.columns(of: entity.root.name).contains(attribute) else {
            throw StoreError(
                .foreign, connection.name, "\(entity.name) has no attribute \(attribute) for the date of its deletion",
                hint: "name an attribute of type date or text")
        }
        return attribute
    }

    // MARK: Marks

    /// Makes the marks of the run those of the feed: rows outside of the scope stay, and if `keepsEarlier`, the earlier
    /// marks are kept for an undo.
    package func replaceMarks(keepsEarlier: Bool) throws {
        try MarkTable.keepMarks(ofRun: run, feed: feed, keepsEarlier: keepsEarlier, on: connection)
        var left: [String: KeyBitmap] = [:]
        try connection.forEachRow(
            of: "SELECT \"entity\", \"key\" FROM \(FeedRows.temporary) WHERE NOT \"isInScope\""
        ) { left[$0.text(at: 0), default: KeyBitmap()].insert($0.integer(at: 1)) }
        for (entity, keys) in left { try MarkTable.add(keys, feed: feed, run: run, entity: entity, on: connection) }
        try connection.execute("DROP TABLE \(FeedRows.temporary)")
    }
}
