import Foundation
import Testing
import TributaryConcurrency
import TributarySQLite
import TributaryTestSupport

@Suite struct ConnectionTests {
    private let folder = try? TemporaryFolder()

    private func connection() throws -> Connection {
        let connection = try Connection(.memory)
        try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b, c UNIQUE)")
        return connection
    }

    @Test("A value of any kind is read as it was written")
    func valuesComeBackAsTheyWent() throws {
        let connection = try connection()
        let values: [SQLValue] = [
            nil, 0, -1, .integer(.min), .integer(.max), 0.5, -1e300, "", "é\u{0}ñ😀", .blob([]), .blob([0, 255]),
        ]
        for value in values {
            try connection.execute("DELETE FROM t")
            try connection.execute("INSERT INTO t (b) VALUES (\(value))")
            #expect(try connection.rows(of: "SELECT b FROM t") == [[value]])
        }
        #expect(Double.nan.sqlValue == .null)
    }

    @Test("Names with quotes, SQL or other special characters can be used")
    func hostileNames() throws {
        let connection = try Connection(.memory)
        for name in ["a\"b", "x); DROP TABLE t; --", "", "select", "é😀", "a b\n", "'", "`"] {
            try connection.execute("CREATE TABLE \(identifier: name) (\(identifier: name + "c"))")
            try connection.execute("INSERT INTO \(identifier: name) (\(identifier: name + "c")) VALUES (\(name))")
            #expect(
                try connection.value(of: "SELECT \(identifier: name + "c") FROM \(identifier: name)") == .text(name))
        }
        #expect(throws: SQLiteError.self) { try connection.execute("CREATE TABLE sqlite_x (a)") }
    }

    @Test("A transaction commits if it returns and rolls back if it throws, also nested")
    func transactionsAreKeptOrUndone() throws {
        struct Stop: Error {}
        let connection = try connection()
        func count() throws -> SQLValue? { try connection.value(of: "SELECT COUNT(*) FROM t") }
        try connection.transaction {
            try connection.execute("INSERT INTO t (b) VALUES (1)")
            #expect(throws: Stop.self) {
                try connection.transaction {
                    try connection.execute("INSERT INTO t (b) VALUES (2)")
                    throw Stop()
                }
            }
            try connection.transaction { try connection.execute("INSERT INTO t (b) VALUES (3)") }
        }
        #expect(try count() == 2 && !connection.isInTransaction)
        #expect(throws: Stop.self) {
            try connection.transaction {
                try connection.execute("INSERT INTO t (b) VALUES (4)")
                throw Stop()
            }
        }
        #expect(try count() == 2 && !connection.isInTransaction)
    }

    @Test("An error has the SQL but not the bound values")
    func errorsCarryTheSQLAndHideTheValues() throws {
        let connection = try connection()
        try connection.execute("INSERT INTO t (c) VALUES (\("secret"))")
        let error = #expect(throws: SQLiteError.self) {
            try connection.execute("INSERT INTO t (c) VALUES (\("secret"))")
        }
        #expect(error?.code == .uniqueConstraint && error?.code.primary == .constraint)
        #expect(error?.sql == "INSERT INTO t (c) VALUES (?)")
        #expect(error.map { "\($0)".contains("secret") } == false)
        let syntax = #expect(throws: SQLiteError.self) { try connection.execute("SELEC 1") }
        #expect(syntax?.message.contains("SELEC") == true)
        #expect(throws: SQLiteError.self) { try connection.execute("SELECT 1; SELECT 2") }
        #expect(throws: SQLiteError.self) { try connection.execute("") }
    }

    @Test("The code of SQLite is with its own messages only")
    func codesOfErrors() throws {
        let own = SQLiteError(.busy, "it is being written", database: "db", hint: "wait")
        #expect("\(own)" == "db: it is being written; wait")
        let connection = try connection()
        let error = try #require(throws: SQLiteError.self) { try connection.execute("SELEC 1") }
        #expect("\(error)".contains("syntax error (1); in SELEC 1"), "\(error)")
    }

    @Test("An error of a full or failing disk says what to do")
    func errorsOfTheDiskSayWhatToDo() {
        func text(_ code: SQLiteError.Code) -> String { "\(SQLiteError(code, "it failed", database: "db"))" }
        #expect(text(.full).contains("free disk space") && text(.sharedMemoryFull).contains("free disk space"))
        #expect(text(.inputOutput).contains("check the disk"))
    }

    @Test("An unknown name in double quotes is an error, not text")
    func quotedTextIsNoName() throws {
        // A misspelt column in double quotes must not become text.
        #expect(throws: SQLiteError.self) { try connection().execute("SELECT \"nothing\" FROM t") }
    }

    @Test("A repeated statement is traced each time, and can run inside itself")
    func statementsAreCompiledOnce() throws {
        let connection = try connection()
        let traced = Guarded<[String]>([])
        connection.trace { event in if event.duration == nil { traced.withLock { $0.append(event.sql) } } }
        for number in 0..<3 { try connection.execute("INSERT INTO t (b) VALUES (\(number))") }
        #expect(traced.withLock { $0 } == Array(repeating: "INSERT INTO t (b) VALUES (?)", count: 3))
        connection.trace(nil)
        try connection.execute("DELETE FROM t")
        #expect(traced.withLock { $0.count } == 3)
        // A statement that is in use is compiled again.
        try connection.execute("INSERT INTO t (b) VALUES (1), (2)")
        var pairs = 0
        try connection.forEachRow(of: "SELECT b FROM t") { _ in
            try connection.forEachRow(of: "SELECT b FROM t") { _ in pairs += 1 }
        }
        #expect(pairs == 4)
    }

    @Test("A function receives and returns values of every kind, and its error is thrown")
    func functionsGetAndGiveEveryKind() throws {
        struct Failure: Error, CustomStringConvertible { let description = "no" }
        let connection = try Connection(.memory)
        try connection.define("same", argumentCount: 1) { $0[0] }
        try connection.define("fails", argumentCount: 0) { _ in throw Failure() }
        for value in [nil, 7, 0.5, "a\u{0}b", .blob([1, 2])] as [SQLValue] {
            #expect(try connection.value(of: "SELECT same(\(value))") == value)
        }
        let error = #expect(throws: SQLiteError.self) { try connection.value(of: "SELECT fails()") }
        #expect(error?.message == "no")
    }

    @Test("A read-only connection neither writes nor creates a database")
    func readersCannotWrite() throws {
        let path = try #require(folder).path("x.sqlite")
        do {
            let writer = try Connection(.file(path))
            try writer.execute("CREATE TABLE t (a)")
        }
        var options = Connection.Options()
        options.isReadOnly = true
        let reader = try Connection(.file(path), options: options)
        let error = #expect(throws: SQLiteError.self) { try reader.execute("INSERT INTO t VALUES (1)") }
        #expect(error?.code.primary == .readOnly)
        #expect(throws: SQLiteError.self) { try Connection(.file(path + "-none"), options: options) }
    }

    @Test("A file that is not a database is an error that names the file")
    func whatIsNoDatabaseIsRefusedByName() throws {
        let path = try #require(folder).write("this is no database at all, but a text".utf8, to: "x.sqlite")
        let error = #expect(throws: SQLiteError.self) {
            try Connection(.file(path)).execute("SELECT * FROM sqlite_master")
        }
        #expect(error?.code.primary == .notADatabase && error?.database == path)
    }

    @Test("A second writer lock is an error that names the process of the first one")
    func oneWriterAtATime() throws {
        let path = try #require(folder).path("x.sqlite")
        var lock: WriterLock? = try WriterLock(database: path)
        let error = #expect(throws: SQLiteError.self) { try WriterLock(database: path) }
        #expect(error?.code == .busy && error?.message.contains("process \(getpid())") == true)
        withExtendedLifetime(lock) {}
        lock = nil
        _ = try WriterLock(database: path)
    }

    @Test("Two connections share a database in memory by its name")
    func sharedMemory() throws {
        let key = "tributary-\(UUID())"
        let one = try Connection(.sharedMemory(key))
        try one.execute("CREATE TABLE t (a)")
        try one.execute("INSERT INTO t VALUES (1)")
        let other = try Connection(.sharedMemory(key))
        #expect(try other.value(of: "SELECT a FROM t") == 1)
    }
}
