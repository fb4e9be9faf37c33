import Testing
import TributaryConcurrency
import TributaryTestSupport

import Tributary
import TributaryPostgres

/// Rows that the server refuses, many of them in one group.
@Suite struct RefusedRowTests {
    let world: PostgresWorld

    init() throws { world = try PostgresWorld() }

    @Test("The number of statements does not depend on the number of refused rows", arguments: [true, false])
    func statements(_ hasKey: Bool) throws {
        func statements(_ table: String, every interval: Int) throws -> [String] {
            let columns: PostgresSQL = hasKey ? "id integer PRIMARY KEY" : "id integer"
            try world.execute("CREATE TABLE \(name: table) (\(columns), size integer CHECK (size < 100), v text)")
            let records = (0..<2000).map { "{\"id\":\($0),\"size\":\($0 % interval == 7 ? 100 : 5)}" }
            let texts = Guarded<[String]>([])
            let summary = try world.load("[\(records.joined(separator: ",\n"))]", .table(table), file: table) {
                $1.onStatement = { text in texts.withLock { $0.append(text) } }
            }
            #expect(summary.rejected == 2000 / interval && summary.inserted == 2000 - 2000 / interval)
            return texts.withLock { $0 }.filter { !$0.hasPrefix("INSERT INTO _reject") }
        }
        // The first one makes the journal.
        _ = try statements("first", every: 1000)
        let few = try statements("few", every: 1000)
        let many = try statements("many", every: 10)
        #expect(many.count == few.count && few.count < 100, "\(few.count), \(many.count)")
        #expect(try world.column("SELECT count(DISTINCT reason) FROM _reject") == ["\(2 + 2 + 200)"])
    }

    @Test("A group with refused rows leaves what groups of one record leave", arguments: ImportMode.allCases)
    func oneByOne(_ mode: ImportMode) throws {
        var lots = SeededGenerator.sampled(11_500)
        for round in 0..<3 {
            let records = (0..<400).map { _ in record(&lots) }
            let text = "[\(records.joined(separator: ",\n"))]"
            var results: [[String]] = []
            for (batch, group) in [(1, 1), (10, 70), (10_000, 100_000)] {
                try prepare(hasTriggers: round == 1, isDeferred: round == 2)
                let tally = try world.load(text, .table("thing", key: "id")) { options, settings in
                    (options.mode, options.batchSize) = (mode, batch)
                    (settings.groupRows, settings.connections) = (group, 2)
                }.tally
                results.append(try ["\(tally)"] + world.rows() + world.rejects())
            }
            let label: Comment = "\(mode), round \(round), seed \(lots.seed)"
            for result in results.dropFirst() {
                let difference = zip(results[0], result).first { $0 != $1 }
                #expect(result.count == results[0].count && difference == nil, "\(label): \(difference as Any)")
            }
            let codes = try world.column("SELECT DISTINCT code FROM _reject")
            #expect(mode == .ignore || codes.count > 1, label)
        }
    }

    /// A record whose values may violate any constraint, or are absent.
    private func record(_ lots: inout SeededGenerator) -> String {
        var members = ["\"id\":\(lots.below(120))"]
        if lots.below(5) > 0 { members.append("\"parent\":\(lots.below(12))") }
        if lots.below(6) > 0 { members.append("\"size\":\(lots.below(20) == 0 ? "null" : "\(lots.below(110))")") }
        if lots.below(4) > 0 { members.append("\"code\":\"c\(lots.below(150))\"") }
        members.append("\"name\":\"\(lots.pick(["a", "b", "bad", "skip", "too long"]))\"")
        return "{\(members.joined(separator: ","))}"
    }

    private func prepare(hasTriggers: Bool, isDeferred: Bool) throws {
        try world.execute(
            "DROP TABLE IF EXISTS _run, _range, _reject, _held, _key", "DROP TABLE IF EXISTS thing, parent",
            "CREATE TABLE parent (id integer PRIMARY KEY)", "INSERT INTO parent SELECT generate_series(0, 10)",
            """
            CREATE TABLE thing (id integer PRIMARY KEY, parent integer REFERENCES parent
            \(isDeferred ? "DEFERRABLE INITIALLY DEFERRED" : "" as PostgresSQL), size integer NOT NULL CHECK (size < 100),
            code text UNIQUE, name text CHECK (length(name) < 6))
            """, "INSERT INTO thing SELECT n, 1, 5, 'c' || n, 'a' FROM generate_series(0, 90, 3) n")
        guard hasTriggers else { return }
        try world.execute(
            """
            CREATE OR REPLACE FUNCTION judge() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF NEW.name = 'bad' THEN RAISE 'it is bad'; END IF;
            IF NEW.name = 'skip' THEN RETURN NULL; END IF; NEW.name := NEW.name || '!'; RETURN NEW; END $$
            """, "CREATE TRIGGER judge BEFORE INSERT OR UPDATE ON thing FOR EACH ROW EXECUTE FUNCTION judge()")
    }

    @Test("A role that may not use the language of functions imports too")
    func withoutFunctions() throws {
        let name = "d\(world.schema.suffix(20))"
        try world.execute("CREATE DATABASE \(name: name)", "CREATE ROLE \(name: name) LOGIN")
        let server = world.server
        let owner = try PostgresConnection(PostgresAddress(server.text(database: name)), role: "test")
        try owner.execute("REVOKE USAGE ON LANGUAGE plpgsql FROM PUBLIC")
        try owner.execute("GRANT CREATE ON SCHEMA public TO \(name: name)")
        try owner.execute("CREATE TABLE thing (id integer PRIMARY KEY, size integer CHECK (size < 100))")
        try owner.execute("GRANT ALL ON thing TO \(name: name)")
        let text = "[\((0..<50).map { "{\"id\":\($0),\"size\":\($0 % 10 == 3 ? 100 : 5)}" }.joined(separator: ","))]"
        let address = try PostgresAddress(server.text(user: name, database: name))
        let summary = try world.makeImport(text, .table("thing"), to: address).perform().summary
        #expect(summary.tally == [50, 45, 0, 0, 0, 0, 5])
    }
}
