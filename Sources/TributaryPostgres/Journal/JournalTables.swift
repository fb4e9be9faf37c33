/// The tables of the library in a database of PostgreSQL, beside those that imports fill.
///
/// They are in the schema in which the connection creates tables.
enum JournalTables {
    /// The comment on the table of runs: the version of all tables.
    private static let version = "tributary 1"
    /// The lock of the decisions of runs: how one begins, is shared, is finished or forgotten.
    private static let lock: Int64 = 0x7472_6962

    /// Whether the database has the tables.
    ///
    /// - Throws: `PostgresError`, also if another version has made them.
    static func exist(on connection: PostgresConnection) throws -> Bool {
        // A look into the catalogue, unlike a function that knows it, sees a table that was just made by another process.
        let found = try connection.execute(
            """
            SELECT obj_description(oid, 'pg_class') FROM pg_class
            WHERE relname = '_run' AND pg_table_is_visible(oid)
            """)
        guard found.rowCount > 0 else { return false }
        guard found.text(0, 0) == version else {
            throw PostgresError(
                .misuse, "the table _run is of another program, or of another version of tributary",
                hint:
                    "use the version that made it, or another schema: add ?options=-csearch_path%3DNAME to the address")
        }
        return true
    }

    /// Creates the tables that are missing.
    static func create(on connection: PostgresConnection) throws {
        guard try !exist(on: connection) else { return }
        let schema = try connection.execute("SELECT current_schema()")
        guard !schema.isNull(0, 0) else {
            throw PostgresError(
                .unknownSchema, "the connection has no schema to create tables in",
                hint:
                    "create the schema of its search_path, or name another in the address: ?options=-csearch_path%3DNAME"
            )
        }
        try connection.transaction {
            try takeLock(on: connection)
            guard try !exist(on: connection) else { return }
            for statement in creation { try connection.execute(statement) }
        }
    }

    /// Waits until no other process decides about runs; the lock ends with the transaction.
    static func takeLock(on connection: PostgresConnection) throws {
        try connection.execute("SELECT pg_advisory_xact_lock($1::bigint)", [.integer(lock)])
    }

    private static let creation: [PostgresSQL] = [
        """
        CREATE TABLE _run (run bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, identity text NOT NULL,
        state text NOT NULL, entry text NOT NULL, indexes text NOT NULL DEFAULT '{}',
        shared boolean NOT NULL DEFAULT false, phase text NOT NULL DEFAULT 'load')
        """,
        "CREATE INDEX _run_identity ON _run (identity)",
        """
        CREATE TABLE _range (run bigint NOT NULL, number bigint NOT NULL, range text,
        entry text NOT NULL, commits bigint NOT NULL DEFAULT 0, step text NOT NULL,
        done boolean NOT NULL DEFAULT false, epoch bigint NOT NULL DEFAULT 0, owner text, backend integer,
        backend_start timestamptz, lease timestamptz, PRIMARY KEY (run, number))
        """,
        """
        CREATE TABLE _reject (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, run bigint NOT NULL, entity text,
        at text, key text, key_name text, file text, byte bigint, line bigint, "column" bigint, record bigint, path text,
        code text NOT NULL, reason text NOT NULL, start bigint NOT NULL, length bigint NOT NULL, raw bytea NOT NULL)
        """,
        "CREATE INDEX _reject_run ON _reject (run, id)",
        """
        CREATE TABLE _held (run bigint NOT NULL, route integer NOT NULL, source integer NOT NULL, byte bigint NOT NULL,
        ordinal integer NOT NULL, hash bigint NOT NULL, incomplete boolean NOT NULL, row bytea NOT NULL,
        origin text NOT NULL, PRIMARY KEY (run, route, source, byte, ordinal))
        """,
        "CREATE TABLE _key (run bigint NOT NULL, number bigint NOT NULL, route integer NOT NULL, hash bigint NOT NULL)",
        "CREATE INDEX _key_run ON _key (run, number)",
        "COMMENT ON TABLE _run IS 'tributary 1'",
    ]
}
