public import TributaryGraph
public import TributaryImport

extension ContextManager {
    /// A manager of a database with inferred columns, for imports with ``ImportRoute/inferred(_:at:key:_:)``.
    ///
    ///     let manager = try ContextManager(inferring: "users", key: "id", at: "dump.sqlite")
    ///     let feed = StreamImport(
    ///         into: manager, from: [.file("users.json")], routes: [.inferred("users", key: "id")])
    ///
    /// The database and the table are created if they do not exist. While the table has no rows, its key can change;
    /// a table that was imported without a key gets one if its rows allow it.
    ///
    /// - Parameters:
    ///   - entity: The name of the table.
    ///   - key: The attributes that identify a record; nil if each record inserts a new row.
    ///   - path: The path of the database.
    ///   - creation: When a database that does not exist gets its name.
    /// - Throws: `ImportError` if a model defines the columns or the table has another key, `StoreError`, `ModelError`,
    ///   `SQLiteError`.
    public convenience init(
        inferring entity: String, key: ImportKey? = nil, at path: String,
        creation: StoreOptions.Creation = .whenOpened
    ) throws {
        try self.init(inferring: [(entity, key)], at: path, creation: creation)
    }

    /// A manager of a database with several tables of inferred columns.
    ///
    /// - Throws: As `init(inferring:key:at:creation:)`.
    public convenience init(
        inferring tables: [(entity: String, key: ImportKey?)], at path: String,
        creation: StoreOptions.Creation = .whenOpened
    ) throws {
        try self.init(
            model: InferredDatabase.model(path, tables), store: .sqlite(path),
            options: InferredDatabase.options(creation))
    }

    /// A manager of a database of another program, for imports with ``ImportRoute/table(_:at:key:_:)``.
    ///
    /// The tables of this library, whose names begin with an underscore, are created beside the others.
    ///
    /// - Throws: `StoreError`, `ModelError`, `SQLiteError`.
    public convenience init(tablesAt path: String) throws {
        try self.init(
            model: InferredDatabase.model(ofTablesAt: path), store: .sqlite(path),
            options: InferredDatabase.tableOptions)
    }
}
