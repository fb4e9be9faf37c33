import Foundation
import Testing
import TributaryPostgres
import TributarySQLite
import TributaryTestSupport

/// A folder with a dump and databases of each kind, in which commands are tried many at a time.
struct OptionWorld {
    private let folder: TemporaryFolder
    private static let damaged = "{\"id\":4,\"name\" 1}"

    init() async throws {
        folder = try TemporaryFolder()
        try write(
            """
            [{"id":1,"name":"Ada","address":{"id":7,"city":"Graz"},"n":5},
            {"id":2,"name":"Bob","address":{"id":8,"city":"Linz"},"n":6},
            {"id":3,"name":"Cy","address":{"id":7,"city":"Graz"},"n":7}]
            """, "users.json")
        try write("[{\"id\":1,\"name\":\"Ada\",\"address\":{\"id\":7},\"n\":5},\(Self.damaged)]", "damaged.json")
        try write("[{\"id\":9,\"name\":\"Old\",\"n\":0}]", "old.json")
        let attributes = [("name", "String"), ("n", "Integer 64"), ("gone", "Date")].map { name, type in
            "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"\(type)\" usesScalarValueType=\"NO\"/>"
        }
        try write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0"><entity name="users">
            <attribute name="id" attributeType="Integer 64" usesScalarValueType="NO"/>\(attributes.joined())
            <uniquenessConstraints><uniquenessConstraint><constraint value="id"/></uniquenessConstraint>
            </uniquenessConstraints></entity></model>
            """, "model.xml")
        for name in ["foreign", "foreign-retry"] {
            let connection = try Connection(.file(folder.path("\(name).base")))
            try connection.execute(
                """
                CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, address TEXT, n INT, more TEXT,
                address_id INT, address_city TEXT, source TEXT)
                """)
            try connection.execute("INSERT INTO users (id, name, n) VALUES (9, 'Old', 0)")
        }
        let map = ["import", "none", "users.json", "--model", "model.xml", "--print-map"]
        let old = [OptionTarget.keyless, .keyed, .model].map { target in
            ["import", "\(target.rawValue).base", "old.json", "--table", "users"] + target.firstWords
        }
        let rejects = OptionTarget.allCases.filter { $0 != .server }.map { target in
            Self.rejects(target, into: "\(target.rawValue)-retry.base")
        }
        let outcomes = try await run([map] + old + rejects + [["inspect", "users.json", "--json"]])
        #expect(
            outcomes.map(\.code) == [0] + old.map { _ in 0 } + rejects.map { _ in 3 } + [0], "\(outcomes.map(\.error))")
        try write(outcomes[0].output, "map.json")
        try write(outcomes[outcomes.count - 1].output, "profile.json")
        for target in OptionTarget.allCases where target != .server { try fixRejects(target) }
    }

    private static func rejects(_ target: OptionTarget, into database: String) -> [String] {
        ["import", database, "damaged.json", "--table", "users"] + target.firstWords
            + ["--rejects", "\(target.rawValue)-rejects"]
    }

    private func fixRejects(_ target: OptionTarget) throws {
        let name = "\(target.rawValue)-rejects"
        let text = String(decoding: try folder.read(name), as: UTF8.self)
        try write(text.replacing("\\\"name\\\" 1", with: "\\\"name\\\":\\\"Di\\\""), name)
    }

    private func write(_ text: String, _ name: String) throws { _ = try folder.write(text.utf8, to: name) }

    // MARK: Running

    /// Tries commands, each with a database of its own.
    func outcomes(of trials: [OptionTrial]) async throws -> [OptionOutcome] {
        var found: [OptionOutcome] = []
        for start in stride(from: 0, to: trials.count, by: 200) {
            found += try await outcomes(ofSome: Array(trials[start..<min(start + 200, trials.count)]))
        }
        return found
    }

    private func outcomes(ofSome trials: [OptionTrial]) async throws -> [OptionOutcome] {
        var databases: [String] = []
        for (number, trial) in trials.enumerated() {
            databases.append(
                trial.target == .server ? try PostgresServer.shared().newSchemaText() : "\(number).sqlite")
            guard let base = base(trial) else { continue }
            try FileManager.default.copyItem(atPath: folder.path(base), toPath: folder.path("\(number).sqlite"))
        }
        let retries = trials.indices.filter { trials[$0].target == .server && trials[$0].command == .retry }
        if !retries.isEmpty {
            // An import does not replace edited rejects.
            try? FileManager.default.removeItem(atPath: folder.path("server-rejects"))
            _ = try await run(
                retries.map { index in
                    Self.rejects(.server, into: databases[index])
                        + (trials[index].has("--model") ? ["--model", "model.xml"] : [])
                })
            try fixRejects(.server)
        }
        var outcomes = try await run(trials.indices.map { trials[$0].words("\($0)", into: databases[$0]) })
        for (number, trial) in trials.enumerated() where number < outcomes.count {
            if trial.target == .server {
                try examine(databases[number], &outcomes[number])
            } else {
                try examine("\(number).sqlite", base(trial), &outcomes[number])
            }
        }
        for name in try names() {
            guard let number = Int(name.prefix { $0.isNumber }) else { continue }
            let end = String(name.dropFirst("\(number)".count))
            // A log that SQLite has kept is removed when the database is opened next.
            let isExpected = [".sqlite", ".sqlite-wal", ".sqlite-shm"].contains(end)
            if !isExpected, number < outcomes.count { outcomes[number].files.append(end) }
            try FileManager.default.removeItem(atPath: folder.path(name))
        }
        return outcomes
    }

    /// The name of the database that is there before a trial.
    private func base(_ trial: OptionTrial) -> String? {
        guard trial.target != .server else { return nil }
        if trial.command == .retry { return "\(trial.target.rawValue)-retry.base" }
        return trial.target.exists ? "\(trial.target.rawValue).base" : nil
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    /// Runs commands one after the other in a process of their own.
    private func run(_ commands: [[String]]) async throws -> [OptionOutcome] {
        _ = try folder.write(JSONEncoder().encode(commands), to: "commands")
        _ = try folder.write([], to: "outcomes")
        await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
            try await MainActor.run { try OptionWorld.runCommands(in: path) }
        }
        let outcomes = try folder.read("outcomes").split(separator: UInt8(ascii: "\n")).map {
            try JSONDecoder().decode(OptionOutcome.self, from: Data($0))
        }
        if outcomes.count < commands.count {
            Issue.record("a command has ended the process: \(commands[outcomes.count].joined(separator: " "))")
        }
        return outcomes
    }

    /// Runs the commands of a folder in this process.
    @MainActor private static func runCommands(in path: String) throws {
        #expect(FileManager.default.changeCurrentDirectoryPath(path))
        let commands = try JSONDecoder().decode([[String]].self, from: Data(contentsOf: URL(filePath: "commands")))
        let outcomes = try FileHandle(forWritingTo: URL(filePath: "outcomes"))
        let runner = try OwnSessionRunner()
        for words in commands {
            let found = try runner.run(words)
            let outcome = OptionOutcome(code: found.code, output: found.output, error: found.error)
            try outcomes.write(contentsOf: JSONEncoder().encode(outcome) + Data("\n".utf8))
        }
    }

    // MARK: Examining

    private func examine(_ name: String, _ base: String?, _ outcome: inout OptionOutcome) throws {
        guard FileManager.default.fileExists(atPath: folder.path(name)) else { return }
        let isUnchanged = try base.map { try content($0) == content(name) } ?? false
        outcome.database = isUnchanged ? .unchanged : .changed
        let connection = try Connection(.file(folder.path(name)))
        let checks = try connection.rows(of: "PRAGMA integrity_check") + connection.rows(of: "PRAGMA foreign_key_check")
        outcome.damage = checks.filter { $0 != ["ok"] }.map { "\($0)" }
        guard try connection.hasRows("SELECT 1 FROM sqlite_master WHERE name = 'users'") else { return }
        var rows: [String] = []
        try connection.forEachRow(of: "SELECT * FROM users") { row in
            let cells = (0..<row.columnCount).compactMap { index -> String? in
                let (column, value) = (row.columnName(at: index), row.value(at: index))
                return column.hasPrefix("_") || value == .null ? nil : "\(column) \(value)"
            }
            rows.append(cells.sorted().joined(separator: ", "))
        }
        outcome.rows = rows.sorted()
    }

    /// The bytes of a database without the counter of its changes, which opening it may raise.
    private func content(_ name: String) throws -> [UInt8] {
        var bytes = try folder.read(name)
        for range in [24..<28, 92..<96] where bytes.count > range.upperBound {
            bytes.replaceSubrange(range, with: repeatElement(0, count: range.count))
        }
        return bytes
    }

    private func examine(_ address: String, _ outcome: inout OptionOutcome) throws {
        let connection = try PostgresConnection(PostgresAddress(address), role: "tests")
        let tables = try connection.execute(
            "SELECT count(*), to_regclass('users') IS NOT NULL FROM pg_tables WHERE schemaname = current_schema()")
        outcome.database = tables.text(0, 0) == "0" ? .absent : .changed
        guard tables.text(0, 1) == "t" else { return }
        let rows = try connection.execute("SELECT json_strip_nulls(row_to_json(users))::text FROM users ORDER BY 1")
        outcome.rows = (0..<rows.rowCount).compactMap { rows.text($0, 0) }
    }
}
