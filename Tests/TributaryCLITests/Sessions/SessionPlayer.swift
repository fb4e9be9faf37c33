import CTributaryFaults
import Foundation
import TributarySQLite
import TributaryTestSupport

/// Plays a session with real commands, and compares the database with the oracle after each step.
struct SessionPlayer {
    let session: Session
    let runner: any SessionRunner
    private var place: SessionPlace
    private var oracle: SessionOracle
    private var check: SessionCheck
    private var step = 0

    /// Begins with an empty folder.
    init(_ session: Session, in folder: String, database: String? = nil, _ runner: any SessionRunner) {
        (self.session, self.runner) = (session, runner)
        place = SessionPlace(
            tables: session.definitions, folder: folder, database: database ?? "\(folder)/db.sqlite")
        oracle = SessionOracle(session)
        check = SessionCheck(session, place)
    }

    /// Plays all steps.
    ///
    /// - Throws: `SessionDifference` at the first one.
    mutating func play() throws {
        do {
            try FileManager.default.createDirectory(atPath: place.folder, withIntermediateDirectories: true)
            for version in 1...2 {
                try write(SessionTable.model(version: version), to: "v\(version).xml")
            }
            if !session.statements.isEmpty { try check.execute(session.statements) }
            try check.remember()
            for (number, step) in session.steps.enumerated() {
                self.step = number
                try play(step)
                try check(oracle)
                if number % 3 == 0 || number == session.steps.count - 1 { try checkJournal() }
            }
        } catch let difference as SessionDifference {
            throw SessionDifference(difference.description, step: step)
        } catch {
            throw SessionDifference("error: \(error)", step: step)
        }
    }

    private mutating func play(_ step: SessionStep) throws {
        switch step {
        case .load(let load):
            // A table without rows may have no columns yet.
            if load.misfits, oracle.tables[load.table].rows.isEmpty { return }
            if try write(load.feed.text, to: load.feed.fileName) {
                oracle.writes[load.feed.fileName, default: 0] += 1
            }
            for item in load.feed.items { oracle.items[item.text] = item }
            let indexWords = try indexWords(load)
            let words = load.words(place) + (try searchWords(load)) + indexWords
            if load.isProfiled {
                try write(runner.run(["inspect", place.path(load.feed.fileName), "--json"]).output, to: "profile.json")
            }
            var expectation = oracle.load(load)
            // A sync that its limit refuses has ended with an error before.
            let isEnded = [0, 3].contains(expectation.code) && expectation.counts != nil
            if !indexWords.isEmpty, !load.isDryRun, isEnded, !oracle.makeUnique(load.table) { expectation = .failure }
            if let fault = load.fault { try runner.run(words, failing: fault) }
            try compare(words, expectation)
            if load.fault != nil, let last = try runNumbers().last {
                oracle.renumberLast(to: last, undoable: try check.undoableRuns(), finished: try finishedRuns())
            }
        case .retry(let retry):
            guard hasDatabase else { return }
            let words = try words(retry)
            let expectation = oracle.retry(retry)
            try compare(words, expectation)
        case .undo(let isDryRun):
            let expectation = oracle.undo(isDryRun: isDryRun)
            try compare(["undo", place.database, "--json"] + (isDryRun ? ["--dry-run"] : []), expectation)
        case .forget(let table):
            let words = ["forget", place.database, "--entity", session.definitions[table].name]
            if let expectation = oracle.forget(table) {
                try compare(words, expectation)
            } else {
                _ = try runner.run(words)
            }
        case .migrate(let version, let isDryRun):
            guard hasDatabase else { return }
            let expectation = oracle.migrate(to: version, isDryRun: isDryRun)
            place.version = oracle.version
            check.version = oracle.version
            let words = [
                "migrate", place.database, "--model", place.path("v\(version).xml"), "--drop-values", "--json",
            ]
            try compare(words + (isDryRun ? ["--dry-run"] : []), expectation)
        case .seed(let ids):
            try write(Session.seedText(ids), to: "a.seed.json")
            let expectation = oracle.seed(ids)
            let model = place.path("v\(place.version).xml")
            try compare(
                ["seed", place.database, place.path("a.seed.json"), "--model", model, "--json"], expectation)
        case .edit(let table, let row, let value):
            guard try check.hasTable(session.definitions[table].name, with: "name"),
                let row = oracle.edit(table, row, value)
            else { return }
            try check.edit(table, row, value)
        case .audit(let table):
            guard !oracle.tables[table].isAudited, try check.hasTable(session.definitions[table].name, with: "id")
            else { return }
            oracle.tables[table].isAudited = true
            try check.execute(Session.audit(session.definitions[table].name))
            try check.remember()
        case .export:
            guard hasDatabase else { return }
            try SessionExport(session: session, place: place, check: check, runner: runner).play()
        }
    }

    /// The words that ask for a full-text index of the columns that are there before.
    private func searchWords(_ load: SessionLoad) throws -> [String] {
        let table = session.definitions[load.table]
        let columns = try ["name", "label"].filter { try check.hasTable(table.name, with: $0) }
        let names = table.key + columns.prefix(1)
        return load.searches && !names.isEmpty ? ["--search", names.joined(separator: ",")] : []
    }

    /// The words that ask for indexes of the columns that are there before.
    private func indexWords(_ load: SessionLoad) throws -> [String] {
        let table = session.definitions[load.table]
        guard load.makesIndexes, try check.hasTable(table.name, with: "tag") else { return [] }
        return ["--index", "tag+\(table.key[0])", "--unique", "tag"]
    }

    private var hasDatabase: Bool { session.isPostgres || FileManager.default.fileExists(atPath: place.database) }

    /// Writes a file unless it has this text, so that an unchanged file keeps its date; returns whether it was written.
    @discardableResult private func write(_ text: String, to name: String) throws -> Bool {
        let (url, data) = (URL(filePath: place.path(name)), Data(text.utf8))
        if let old = try? Data(contentsOf: url), old == data { return false }
        try data.write(to: url)
        return true
    }

    /// The words of a retry, for which rejects are fixed in a file.
    private func words(_ retry: SessionRetry) throws -> [String] {
        let common = ["--json"] + (retry.isDryRun ? ["--dry-run"] : [])
        guard retry.isFile else { return ["retry", place.database] + common }
        let lines = try objects(["rejects", place.database])
        let texts = oracle.lines(retry).map(\.text)
        guard lines.count == texts.count else { return ["retry", place.database] + common }
        let edited = try zip(lines, texts).map { line, text in
            var line = line
            line["raw"] = text
            return String(decoding: try JSONSerialization.data(withJSONObject: line), as: UTF8.self) + "\n"
        }
        try write(edited.joined(), to: "rejects.ndjson")
        return ["retry", place.database, place.path("rejects.ndjson")] + common
    }

    /// The lines that a command prints as JSON.
    private func objects(_ words: [String]) throws -> [[String: Any]] {
        try runner.run(words).output.split(separator: "\n").map { line in
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
        }
    }

    private func finishedRuns() throws -> Set<Int> {
        Set(
            try objects(["status", place.database, "--json"]).filter { $0["state"] as? String == "finished" }
                .compactMap { $0["run"] as? Int })
    }

    private func runNumbers() throws -> [Int] {
        guard hasDatabase else { return [] }
        return try objects(["status", place.database, "--json"]).compactMap { $0["run"] as? Int }
    }

    // MARK: Comparing

    private func compare(_ words: [String], _ expectation: SessionExpectation) throws {
        let outcome = try runner.run(words)
        let told = "\(words.joined(separator: " "))\n\(outcome.output)\(outcome.error)"
        guard outcome.code == expectation.code || outcome.code == expectation.otherCode else {
            throw SessionDifference("exit code \(outcome.code), expected \(expectation.code): \(told)")
        }
        guard let counts = expectation.counts else { return }
        guard let object = try? JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any] else {
            throw SessionDifference("no counts, expected \(counts): \(told)")
        }
        func count(_ name: String) -> Int { object[name] as? Int ?? 0 }
        let found = SessionCounts(
            read: count("read"), inserted: count("inserted"), updated: count("updated"), unchanged: count("unchanged"),
            duplicate: count("duplicate"), skipped: count("skipped"), rejected: count("rejected"))
        guard found == counts else { throw SessionDifference("counts \(found), expected \(counts): \(told)") }
        for (name, counts) in expectation.related {
            let found = (object["related"] as? [String: [String: Int]])?[name] ?? [:]
            let expected = ["inserted": counts.inserted, "updated": counts.updated, "unchanged": counts.unchanged]
            guard found.filter({ expected[$0.key] != nil }) == expected else {
                throw SessionDifference("counts of \(name): \(found), expected \(expected): \(told)")
            }
        }
        if let deleted = expectation.deleted {
            let found = self.deleted(object)
            guard found == deleted else { throw SessionDifference("deleted \(found), expected \(deleted): \(told)") }
        }
        guard let changes = expectation.changes else { return }
        if let sample = object["sample"] as? [[String: Any]] {
            try check.compare(
                sample, with: changes.filter { $0.kind != "inserted" }, limit: 5, expectation.hidden, told)
        } else if words.contains("--changes") {
            let text = try String(contentsOfFile: place.path("changes.ndjson"), encoding: .utf8)
            let listed = try text.split(separator: "\n").compactMap {
                try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            }
            try check.compare(listed, with: changes, limit: .max, 0, told)
        }
    }

    /// The number of rows that a summary says a sync has deleted.
    private func deleted(_ summary: [String: Any]) -> Int {
        ((summary["sync"] as? [String: Any])?["deleted"] as? [String: Int] ?? [:]).values.reduce(0, +)
    }

    private func checkJournal() throws {
        guard hasDatabase else { return }
        let rejects = try objects(["rejects", place.database]).map { "\($0["run"] ?? 0) \($0["raw"] ?? "")" }
        let expected = oracle.rejects.map { "\($0.run) \($0.text)" }
        guard rejects == expected else { throw SessionDifference("the rejects are \(rejects), expected \(expected)") }
        let runs = try objects(["status", place.database, "--json"]).compactMap { run -> String? in
            guard let number = run["run"] as? Int else { return nil }
            return "\(number) \(run["state"] ?? "") \(run["read"] ?? "") \(run["kept"] ?? "") \(deleted(run))"
        }
        let wanted = oracle.runs.map { run in
            let kept = oracle.rejects.filter { $0.run == run.number }.count
            return "\(run.number) \(run.state) \(run.counts.read) \(kept) \(run.deleted)"
        }
        // A command that was killed on a server may have taken a number, and nothing else.
        func isKept(_ run: String) -> Bool { !oracle.isPostgres || !run.hasSuffix(" abandoned 0 0 0") }
        guard runs.filter(isKept) == wanted.filter(isKept) else {
            throw SessionDifference("the runs are \(runs), expected \(wanted)")
        }
    }
}
