import TributarySQLite
import TributaryPlatform

/// Changes a database through a copy, and writes the copy back in one transaction once it is complete and correct.
///
///     try StagedDatabase.update("shop.sqlite") { copy in
///         let manager = try ContextManager(model: model, store: .sqlite(copy))
///         defer { manager.close() }
///         …
///         return true
///     }
///
/// Readers see the database as it was before or as it is afterwards, and a process that is killed leaves one of the two.
/// It needs twice the space of the database beside it, and once more in its log.
public struct StagedDatabase {
    private let path: String
    private let copy: String

    private init(_ path: String) { (self.path, copy) = (path, path + "-staged") }

    /// Calls `body` with the name of a copy; if that returns true, the copy becomes the database.
    ///
    /// - Parameters:
    ///   - path: The database, which this process does not have open for writing; a missing one is created.
    ///   - body: Changes the copy, and closes it.
    /// - Returns: Whether the database was written.
    /// - Throws: `StoreError` if the copy is damaged, violates mandatory relationships, or another program has changed
    ///   the database meanwhile; `SQLiteError`; the error of `body`. Then the database is as before.
    @discardableResult
    public static func update(_ path: String, _ body: (String) throws -> Bool) throws -> Bool {
        let staged = StagedDatabase(path)
        guard StoreFiles.existing(of: path) == path || StoreFiles.existing(of: path) == nil else {
            throw StoreError(
                .inUse, path, "its first import is not finished", hint: "finish it, or delete \(path)-new")
        }
        let lock = try WriterLock(database: path)
        defer { withExtendedLifetime(lock) {} }
        try staged.removeCopy()
        defer { try? staged.removeCopy() }
        guard StoreFiles.exists(path) else {
            guard try body(staged.copy) else { return false }
            try staged.check()
            try staged.publish(over: try Connection(.file(path)), version: nil)
            return true
        }
        let original = try Connection(.file(path))
        // A process that was killed after the copy was written back has left a journal that is only removed by a write.
        if StoreFiles.exists(path + "-journal") { try original.transaction { try staged.writeNothing(to: original) } }
        if try StoreIdentity(of: original) != nil, let row = try LoadRow.all(on: original).first(where: \.isPending) {
            // Its file belongs to the database, and not to the copy.
            throw StoreError.isLoading(path, row)
        }
        let version = try original.value(of: "PRAGMA data_version")
        try staged.createCopy()
        // SQLite refuses a copy while the source is changed, and begins again if it was.
        try original.copy(over: Connection(.file(staged.copy)))
        guard try body(staged.copy) else { return false }
        try staged.check()
        try staged.publish(over: original, version: version)
        return true
    }

    /// Creates the copy, empty, with the permissions of the database.
    private func createCopy() throws {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        let descriptor = open(copy, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw failure("\(copy) cannot be created: \(String(cString: strerror(errno)))", "check the folder")
        }
        fchmod(descriptor, status.st_mode & 0o777)
        close(descriptor)
    }

    private func removeCopy() throws {
        let loads = ["-load"] + (1..<9).map { "-load-\($0)" }
        for ending in ["", "-wal", "-shm", "-journal", "-writer", "-new"] + loads {
            guard unlink(copy + ending) != 0, errno != ENOENT else { continue }
            throw failure("\(copy + ending) cannot be deleted: \(String(cString: strerror(errno)))", "delete it")
        }
    }

    // MARK: Checking

    /// Throws if the copy is damaged, or objects lack what they must have.
    private func check() throws {
        let connection = try Connection(.file(copy))
        let found = try connection.value(of: "PRAGMA integrity_check(1)")
        guard case .text(let text)? = found, text == "ok" else {
            let reason = if case .text(let text)? = found { text } else { "no answer" }
            throw failure("the copy is damaged: \(reason)", "check the disk")
        }
        if try connection.hasRows("SELECT 1 FROM pragma_foreign_key_check LIMIT 1") {
            throw failure("a reference refers to a missing row", "import what it refers to as well")
        }
        guard let model = try StoredModel.read(on: connection).map({ try Model($0) }) else { return }
        let schema = Schema(model)
        for entity in model.entities where !entity.isAbstract {
            for relationship in entity.relationships
            where !relationship.isOptional && !relationship.isToMany && !relationship.isTransient {
                guard let table = schema.table(of: entity),
                    let column = table.column(.relationship(relationship), of: entity)
                else { continue }
                var condition: SQLFragment = "\(identifier: column.name) IS NULL"
                if table.hasSubentities { condition += " AND \"_entity\" = \(entity.name)" }
                let count = try connection.integer(
                    of: "SELECT COUNT(*) FROM \(identifier: table.name) WHERE \(condition)")
                if let count, count > 0 {
                    throw failure(
                        "\(count) objects have no \(entity.name).\(relationship.name), which is mandatory",
                        "import what they refer to as well")
                }
            }
        }
    }

    // MARK: Publishing

    /// Writes the copy over the database, unless that has changed since `version` was read.
    private func publish(over original: Connection, version: SQLValue?) throws {
        try original.execute("PRAGMA synchronous = EXTRA")
        let source = try Connection(.file(copy))
        if try original.value(of: "PRAGMA journal_mode") == .text("wal") {
            let observer = try Connection(.file(path))
            let before = try observer.value(of: "PRAGMA data_version")
            try checkUnchanged(original, version)
            try source.copy(over: original) {
                // No other connection can write now.
                guard try observer.value(of: "PRAGMA data_version") == before else { throw changed }
            }
            original.checkpoint()
        } else {
            // Without a log, no connection may read during the copy, so lock first.
            try original.execute("PRAGMA locking_mode = EXCLUSIVE")
            try original.transaction {
                try checkUnchanged(original, version)
                // Only a transaction that writes takes the lock.
                try writeNothing(to: original)
            }
            try source.copy(over: original)
        }
    }

    /// Lets a transaction write, and changes nothing.
    private func writeNothing(to original: Connection) throws {
        guard let number = try original.integer(of: "PRAGMA user_version") else { return }
        try original.execute(SQLFragment(trusted: "PRAGMA user_version = \(number)"))
    }

    private func checkUnchanged(_ original: Connection, _ version: SQLValue?) throws {
        guard let version else { return }
        guard try original.value(of: "PRAGMA data_version") == version else { throw changed }
    }

    private var changed: StoreError {
        failure("another program has changed it meanwhile, and nothing was written", "repeat the import")
    }

    private func failure(_ reason: String, _ hint: String) -> StoreError {
        StoreError(.inUse, path, reason, hint: hint)
    }
}
