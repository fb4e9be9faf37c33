package import TributaryImport
package import TributaryStore

extension PostgresConnection: ImportStore {
    // MARK: Runs

    package func runs() throws -> [JournalEntry] { try RunJournal.runs(on: self).map(\.entry) }

    package func run(_ number: Int) throws -> JournalEntry? { try RunJournal.run(number, on: self)?.entry }

    package func runs(of identity: String) throws -> [JournalEntry] {
        try RunJournal.runs(of: identity, on: self).map(\.entry)
    }

    package func latestRun(of identity: String) throws -> JournalEntry? {
        try RunJournal.latest(identity, on: self)?.entry
    }

    package func workers(on entry: JournalEntry) throws -> [String] {
        try entry.state.isUnfinished ? RunJournal.owners(of: entry.run, on: self) : []
    }

    // MARK: Rejects

    private static let columns: PostgresSQL = """
        run, entity, at, key, key_name, file, byte, line, "column", record, path, code, reason, start, length, raw
        """
    /// The number of rows of one statement.
    private static let slice = 500

    package func insert(_ rejects: [RejectedRecord]) throws {
        for start in stride(from: 0, to: rejects.count, by: Self.slice) {
            let part = rejects[start..<min(start + Self.slice, rejects.count)]
            let rows = part.indices.map { index -> PostgresSQL in
                let first = (index - start) * 16
                let list = (1...16).map { "$\(PostgresSQL(number: first + $0))\(Self.type(of: $0))" as PostgresSQL }
                return "(\(list))"
            }
            try execute("INSERT INTO _reject (\(Self.columns)) VALUES \(rows)", part.flatMap(Self.values))
        }
    }

    private static func type(of column: Int) -> PostgresSQL {
        switch column {
        case 1, 7, 8, 9, 10, 14, 15: "::bigint"
        case 16: "::bytea"
        default: "::text"
        }
    }

    /// A text of the server cannot hold U+0000: a message has U+2400 instead.
    private static func readable(_ text: String) -> PostgresValue { .text(text.replacing("\0", with: "\u{2400}")) }

    /// A key without U+0000: U+2400 comes before a 0 for it, and before itself.
    private static func escaped(_ key: String) -> String {
        var text = String.UnicodeScalarView()
        for scalar in key.unicodeScalars {
            if scalar == "\0" || scalar == "\u{2400}" { text.append("\u{2400}") }
            text.append(scalar == "\0" ? "0" : scalar)
        }
        return String(text)
    }

    private static func unescaped(_ key: String) -> String {
        var (text, isEscaped) = (String.UnicodeScalarView(), false)
        for scalar in key.unicodeScalars {
            if !isEscaped, scalar == "\u{2400}" {
                isEscaped = true
                continue
            }
            text.append(isEscaped && scalar == "0" ? "\0" : scalar)
            isEscaped = false
        }
        return String(text)
    }

    private static func values(of reject: RejectedRecord) -> [PostgresValue] {
        var reject = reject
        reject.key = reject.key.map(escaped)
        return reject.columns(
            number: { $0.map { .integer(Int64($0)) } ?? .null }, text: { $0.map(readable) ?? .null },
            bytes: { .bytes($0) })
    }

    private static func rejects(_ rows: PostgresResult) -> [RejectedRecord] {
        (0..<rows.rowCount).map { row in
            var reject = RejectedRecord(
                number: { rows.integer(row, $0).map { Int($0) } }, text: { rows.text(row, $0) },
                bytes: { rows.bytes(row, $0) ?? [] })
            reject.key = reject.key.map(unescaped)
            return reject
        }
    }

    private static func value(_ run: Int?) -> PostgresValue { run.map { .integer(Int64($0)) } ?? .null }

    package func rejects(after id: Int64, run: Int?, limit: Int) throws -> [RejectedRecord] {
        try Self.rejects(
            execute(
                """
                SELECT id, \(Self.columns) FROM _reject WHERE id > $1::bigint AND ($2::bigint IS NULL OR run = $2)
                ORDER BY id LIMIT $3::bigint
                """, [.integer(id), Self.value(run), .integer(Int64(limit))]))
    }

    package func reject(_ id: Int64) throws -> RejectedRecord? {
        try Self.rejects(execute("SELECT id, \(Self.columns) FROM _reject WHERE id = $1::bigint", [.integer(id)])).first
    }

    package func rejectCount(run: Int?) throws -> Int {
        let found = try execute(
            "SELECT count(*) FROM _reject WHERE $1::bigint IS NULL OR run = $1", [Self.value(run)])
        return Int(found.firstInteger ?? 0)
    }

    package func truncatedRejectCount(run: Int) throws -> Int {
        let found = try execute(
            "SELECT count(*) FROM _reject WHERE run = $1::bigint AND length(raw) < length", [Self.value(run)])
        return Int(found.firstInteger ?? 0)
    }

    package func rejectCounts() throws -> [Int: Int] {
        let rows = try execute("SELECT run, count(*) FROM _reject GROUP BY run")
        let pairs = (0..<rows.rowCount).map { (Int(rows.integer($0, 0) ?? 0), Int(rows.integer($0, 1) ?? 0)) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    package func updateReject(_ id: Int64, code: String, reason: String, edited raw: [UInt8]?) throws {
        try execute(
            """
            UPDATE _reject SET code = $2, reason = $3, raw = coalesce($4::bytea, raw),
            length = coalesce(length($4::bytea), length) WHERE id = $1::bigint
            """, [.integer(id), .text(code), Self.readable(reason), raw.map { .bytes($0) } ?? .null])
    }

    package func deleteReject(_ id: Int64) throws {
        try execute("DELETE FROM _reject WHERE id = $1::bigint", [.integer(id)])
    }

    package func deleteRejects(run: Int) throws {
        try execute("DELETE FROM _reject WHERE run = $1::bigint", [Self.value(run)])
    }

    // MARK: References

    package func waitingRelations() throws -> [String: Int] {
        guard try MirroredReferences.exists(on: self) else { return [:] }
        let rows = try execute("SELECT relation, count(*) FROM \(name: MirroredReferences.name) GROUP BY relation")
        let pairs = (0..<rows.rowCount).map { (rows.text($0, 0) ?? "", Int(rows.integer($0, 1) ?? 0)) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }
}
