import Testing
import TributaryConcurrency
import TributaryModel
import TributaryTestSupport

import Tributary
import TributaryPostgres

/// The statements of imports.
@Suite struct ImportStatementTests {
    /// Imports a text, and returns its statements.
    private func statements(
        _ world: PostgresWorld, _ text: String, _ route: ImportRoute = .inferred("thing", key: "id"),
        model: Model? = nil, _ change: (inout ImportOptions, inout PostgresSettings) -> Void = { _, _ in }
    ) throws -> (statements: [String], tally: [Int]) {
        let texts = Guarded<[String]>([])
        let tally = try world.load(text, route, model: model) {
            $1.onStatement = { text in texts.withLock { $0.append(text) } }
            change(&$0, &$1)
        }.tally
        return (texts.withLock { $0 }, tally)
    }

    private func records(_ range: Range<Int>, _ name: String) -> String {
        "[" + range.map { #"{"id":\#($0),"name":"\#(name) \#($0)","size":\#($0).5}"# }.joined(separator: ",\n") + "]"
    }

    @Test("An import that changes nothing has one COPY and one statement a group")
    func unchanged() throws {
        let world = try PostgresWorld()
        let text = records(0..<1000, "name")
        _ = try statements(world, text)
        var counts: [Int] = []
        for groups in [1, 10] {
            let (statements, tally) = try statements(world, text) { ($0.batchSize, $1.groupRows) = (50, 1000 / groups) }
            #expect(tally == [1000, 0, 0, 1000, 0, 0, 0])
            #expect(statements.count { $0.hasPrefix("COPY pg_temp.") } == groups)
            #expect(
                statements.count { $0.contains("INSERT INTO") && $0.contains("ON CONFLICT") && $0.contains("thing") }
                    == groups)
            #expect(!statements.contains { $0.contains("_reject") && $0.hasPrefix("INSERT") })
            counts.append(statements.count)
        }
        // BEGIN, COPY, the statement, the position, COMMIT.
        #expect(counts[1] - counts[0] == 9 * 5, "\(counts)")
    }

    @Test("The number of statements does not depend on the number of records")
    func counts() throws {
        func counts(_ records: Int) throws -> [Int] {
            let world = try PostgresWorld()
            let first = try statements(world, self.records(0..<records, "a"))
            let changed = try statements(world, self.records(0..<records, "b"))
            let new = try statements(world, self.records(records..<2 * records, "b"))
            #expect(changed.tally[2] == records && new.tally[1] == records)
            return [first, changed, new].map(\.statements.count)
        }
        let few = try counts(10)
        #expect(try counts(5000) == few)
    }

    @Test("No value of a dump, and no name of a file, is part of a statement", arguments: ImportMode.allCases)
    func noValues(_ mode: ImportMode) throws {
        let world = try PostgresWorld()
        let attributes = [
            AttributeDescription("id", .string), AttributeDescription("name", .string),
            AttributeDescription("size", .integer64), AttributeDescription("j", .json),
        ]
        let model = try Model(thing: attributes)
        let marks = ["m4rk", "7354211", "dump.json"]
        let repeated = (0..<3).flatMap { round in
            (0..<50).map { #"{"id":"m4rk\#($0)","name":"m4rk'; \#(round)","size":7354211,"j":{"m4rk":[7354211]}}"# }
        }
        let rejected = [
            #"{"id":"m4rk\u0000"}"#, #"{"id":"m4rk","size":"m4rk"}"#, #"{"id":"m4rk" "m4rk"}"#, #"{"id":"m4rk"}"#,
        ]
        for (text, kind) in [("[\((repeated + rejected).joined(separator: ",\n"))]", 1), ("[\(repeated[0])]", 2)] {
            for route in [ImportRoute.rows("thing"), .inferred("other", key: "id")] {
                let isInferred = route.inference != nil
                if isInferred, mode == .update, kind == 1 { continue }
                let (statements, _) = try statements(world, text, route, model: isInferred ? nil : model) {
                    options, settings in
                    options.mode = mode
                    options.onError = .quarantine
                    settings.groupRows = 20
                }
                #expect(statements.count > 10)
                for statement in statements {
                    #expect(!marks.contains(where: statement.contains), "\(statement)")
                }
            }
        }
        // Each of them is in the database, so the marks are right.
        #expect(try world.column("SELECT count(*) > 0 FROM _reject WHERE raw LIKE '%m4rk%'::bytea") == ["t"])
        #expect(try world.column("SELECT count(*) > 0 FROM _run WHERE entry LIKE '%dump.json%'") == ["t"])
    }
}
