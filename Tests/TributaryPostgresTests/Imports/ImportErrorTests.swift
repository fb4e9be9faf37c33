import Testing
import TributaryConcurrency
import TributaryModel
import TributaryTestSupport

import Tributary
import TributaryPostgres

/// The errors of imports: each says what to do, and nothing is half done.
@Suite struct ImportErrorTests {
    private static let text =
        "[" + (0..<100).map { #"{"id":\#($0),"name":"n\#($0)"}"# }.joined(separator: ",\n") + "]"

    let world: PostgresWorld

    init() throws { world = try PostgresWorld() }

    /// The error of an import.
    private func error(
        to address: PostgresAddress? = nil, _ route: ImportRoute = .inferred("thing", key: "id"),
        _ change: (inout ImportOptions, inout PostgresSettings) -> Void = { _, _ in }
    ) throws -> any Error {
        let feed = try world.makeImport(Self.text, route, to: address, change)
        do {
            let outcome = try feed.perform()
            Issue.record("it did not fail: \(outcome)")
            throw ImportError(.misuse, "it did not fail")
        } catch {
            return error
        }
    }

    private func expect(_ error: any Error, _ code: PostgresError.Code, _ words: String...) {
        #expect((error as? PostgresError)?.code == code, "\(error)")
        for word in words { #expect("\(error)".contains(word), "\(error)") }
    }

    /// The names of the tables of the schema.
    private func tables() throws -> [String?] {
        try world.column(
            "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' ORDER BY 1"
        )
    }

    /// A new role without rights, and its address.
    private func newRole() throws -> (name: String, address: PostgresAddress) {
        let name = "role_\(world.schema.suffix(20))"
        try world.execute(
            "CREATE ROLE \(name: name) LOGIN", "GRANT USAGE ON SCHEMA \(name: world.schema) TO \(name: name)")
        let text = world.addressText.replacing("//tributary@", with: "//\(name)@")
        return (name, try PostgresAddress(text))
    }

    // MARK: Connecting

    @Test("A wrong password, a missing one, and a role that is not there")
    func roles() throws {
        let (name, _) = try newRole()
        try world.execute("ALTER ROLE \(name: name) PASSWORD 'pa55-word'", "GRANT password_required TO \(name: name)")
        let place = "127.0.0.1:\(world.server.port)/tributary"
        let wrong = try error(to: PostgresAddress("postgres://\(name):wrong-secret@\(place)"))
        expect(wrong, .wrongPassword, "28P01", "PGPASSWORD")
        #expect(!"\(wrong)".contains("secret"))
        let missing = try error(to: PostgresAddress("postgres://\(name)@\(place)?passfile=/nonexistent"))
        expect(missing, .missingPassword, "PGPASSWORD")
        expect(try error(to: PostgresAddress("postgres://no_such_role@\(place)")), .role, "pg_hba.conf")
        #expect(try tables().isEmpty)
    }

    @Test("A database, a server and a schema that are not there")
    func places() throws {
        let place = "postgres://tributary@127.0.0.1"
        expect(
            try error(to: PostgresAddress("\(place):\(world.server.port)/no_such_database")), .unknownDatabase,
            "createdb")
        expect(try error(to: PostgresAddress("\(place):1/tributary")), .unreachable, "check the host and the port")
        let schema = try error(
            to: PostgresAddress("\(place):\(world.server.port)/tributary?options=-csearch_path%3Dno_such_schema"))
        expect(schema, .unknownSchema, "create the schema of its search_path")
        #expect(try tables().isEmpty)
    }

    // MARK: Rights

    @Test("A role that may not create tables, and one that may not insert")
    func rights() throws {
        let (name, address) = try newRole()
        expect(try error(to: address), .permission, world.schema, "grant it")
        #expect(try tables().isEmpty)
        try world.execute(
            "GRANT CREATE ON SCHEMA \(name: world.schema) TO \(name: name)",
            "CREATE TABLE thing (id bigint PRIMARY KEY, name text)",
            "GRANT SELECT ON thing TO \(name: name)")
        expect(try error(to: address, .table("thing")), .permission, "thing", "grant it")
        #expect(try world.rows().isEmpty)
        // With the right the same import resumes.
        try world.execute("GRANT INSERT, UPDATE ON thing TO \(name: name)")
        let again = try world.makeImport(Self.text, .table("thing"), to: address).perform().summary
        #expect(again.tally == [100, 100, 0, 0, 0, 0, 0])
        #expect(try world.column("SELECT state FROM _run ORDER BY run") == ["finished"])
    }

    @Test("A server that is read-only")
    func readOnly() throws {
        let text = world.addressText.replacing("?options=", with: "?options=-cdefault_transaction_read_only%3Don%20")
        expect(try error(to: PostgresAddress(text)), .readOnly, "25006", "default_transaction_read_only")
        #expect(try tables().isEmpty)
        try world.load(Self.text)
        expect(try error(to: PostgresAddress(text)), .readOnly, "25006")
        #expect(try world.rows().count == 100)
        #expect(try world.column("SELECT state FROM _run") == ["finished"])
    }

    // MARK: While it works

    @Test("A full disk ends the import, and with space it resumes")
    func fullDisk() throws {
        try world.execute(
            "CREATE TABLE thing (id bigint PRIMARY KEY, name text)",
            """
            CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF NEW.id = 60 THEN RAISE 'could not extend file: No space left on device' USING ERRCODE = '53100'; END IF;
            RETURN NEW; END $$
            """, "CREATE TRIGGER fill BEFORE INSERT ON thing FOR EACH ROW EXECUTE FUNCTION fill()")
        let full = try error(.table("thing")) { ($0.batchSize, $1.groupRows) = (10, 10) }
        expect(full, .diskFull, "53100", "free disk space")
        #expect(try world.rows().count == 60)
        #expect(try world.column("SELECT state FROM _run") == ["failed"])
        try world.execute("DROP TRIGGER fill ON thing")
        let summary = try world.load(Self.text, .table("thing"))
        #expect(summary.tally == [100, 100, 0, 0, 0, 0, 0])
        #expect(try world.rows().count == 100)
        #expect(try world.column("SELECT state FROM _run") == ["finished"])
        try world.expectNoLeftovers()
    }

    @Test("A table that is dropped while it is written, and afterwards")
    func droppedTable() throws {
        try world.execute("CREATE TABLE thing (id bigint PRIMARY KEY, name text)")
        let world = world
        let begun = Guarded(0)
        let dropped = try error(.table("thing")) { options, settings in
            (options.batchSize, settings.groupRows) = (10, 10)
            settings.onStatement = { text in
                guard text == "BEGIN ISOLATION LEVEL READ COMMITTED" else { return }
                if begun.next() == 6 { try? world.execute("DROP TABLE thing") }
            }
        }
        expect(dropped, .unknownTable, "thing", "dropped")
        #expect(try world.column("SELECT state FROM _run") == ["failed"])
        // The rest alone would not be the dump.
        let again = try error(.table("thing")) { _, _ in }
        #expect("\(again)".contains("thing"), "\(again)")
    }

    @Test("A table that is dropped between two imports is created again")
    func droppedBetween() throws {
        try world.load(Self.text)
        try world.execute("DROP TABLE thing")
        #expect(try world.load(Self.text).tally == [100, 100, 0, 0, 0, 0, 0])
        #expect(try world.rows().count == 100)
    }

    @Test("A table _run of another program")
    func otherRun() throws {
        try world.execute("CREATE TABLE _run (x integer)")
        expect(try error(), .misuse, "_run is of another program", "another schema", "search_path")
        #expect(try tables() == ["_run"])
    }

    @Test("What is for stores only is refused before anything is made")
    func refusedOptions() throws {
        let cases: [(words: String, change: (inout ImportOptions) -> Void)] = [
            ("deletes rows is not for PostgreSQL", { $0.sync = SyncOptions() }),
            ("undo them is not for PostgreSQL", { $0.isUndoable = true }),
            ("a dry run is not for PostgreSQL", { $0.isDryRun = true }),
            ("emptying tables first is not for PostgreSQL", { $0.truncates = true }),
            ("only quarantine keeps rejects", { ($0.onError, $0.rejects) = (.skip, "rejects.ndjson") }),
            ("whatever maxErrors is", { ($0.onError, $0.maxErrors) = (.stop, .count(1)) }),
        ]
        for (words, change) in cases {
            let refused = try error { options, _ in change(&options) }
            #expect("\(refused)".contains(words), "\(refused)")
        }
        let model = try Model(thing: [AttributeDescription("id", .integer64)])
        let setter = PostgresImport(
            into: try world.address(), from: [.text(Self.text)],
            routes: [.objects("thing", key: "id") { _, _ in }], model: model)
        let error = try #require(throws: ImportError.self) { try setter.perform() }
        #expect(error.code == .setter && "\(error)".contains("import into SQLite"), "\(error)")
        #expect(try tables().isEmpty)
    }

    @Test("More rejects than are tolerated end the import, which can resume")
    func tooManyErrors() throws {
        let records = (0..<100).map { #"{"id":\#($0),"name":\#($0 % 10 == 5 ? "[1]" : "\"x\"")}"# }
        let model = try Model(thing: [AttributeDescription("id", .integer64), AttributeDescription("name", .string)])
        let feed = try world.makeImport("[\(records.joined(separator: ","))]", .rows("thing"), model: model) {
            ($0.maxErrors, $0.batchSize, $1.groupRows) = (.count(3), 10, 10)
        }
        let error = try #require(throws: ImportError.self) { try feed.perform() }
        #expect(error.code == .tooManyErrors, "\(error)")
        let summary = try world.load("[\(records.joined(separator: ","))]", .rows("thing"), model: model)
        #expect(summary.tally == [100, 90, 0, 0, 0, 0, 10])
        #expect(try world.column("SELECT count(*) FROM _reject") == ["10"])
        try world.expectNoLeftovers()
    }
}
