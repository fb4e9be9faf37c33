import Tributary
import TributaryStore

/// The table of the records that imports rejected.
///
/// No function begins a transaction: a row belongs to the transaction of the group of its record.
enum RejectRows {
    private static let columns: PostgresSQL = """
        run, entity, at, key, key_name, file, byte, line, "column", record, path, code, reason, start, length, raw
        """
    /// The number of rows of one statement.
    private static let slice = 500

    /// Inserts rejects.
    ///
    /// - Throws: `PostgresError`.
    static func insert(_ rejects: [RejectedRecord], on connection: PostgresConnection) throws {
        for start in stride(from: 0, to: rejects.count, by: slice) {
            let part = rejects[start..<min(start + slice, rejects.count)]
            let rows = part.indices.map { index -> PostgresSQL in
                let first = (index - start) * 16
                let list = (1...16).map { "$\(PostgresSQL(number: first + $0))\(type(ofColumn: $0))" as PostgresSQL }
                return "(\(list))"
            }
            try connection.execute("INSERT INTO _reject (\(columns)) VALUES \(rows)", part.flatMap(values))
        }
    }

    private static func type(ofColumn number: Int) -> PostgresSQL {
        switch number {
        case 1, 7, 8, 9, 10, 14, 15: "::bigint"
        case 16: "::bytea"
        default: "::text"
        }
    }

    /// A key without U+0000, which a text of the server cannot hold: U+2400 comes before a 0 for it, and before itself.
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
        func number(_ value: Int?) -> PostgresValue { value.map { .integer(Int64($0)) } ?? .null }
        func text(_ value: String?) -> PostgresValue {
            value.map { .text($0.replacing("\0", with: "\u{2400}")) } ?? .null
        }
        return [
            number(reject.run), text(reject.entity), text(reject.at), text(reject.key.map(escaped)),
            text(reject.keyName),
            text(reject.file), number(reject.byte), number(reject.line), number(reject.column), number(reject.record),
            text(reject.path), text(reject.code), text(reject.reason), number(reject.start), number(reject.length),
            .bytes(reject.raw),
        ]
    }

    /// The next rejects after a key, of one run or of all.
    ///
    /// - Throws: `PostgresError`.
    static func page(
        after id: Int64, run: Int?, limit: Int = 1000, on connection: PostgresConnection
    ) throws -> [RejectedRecord] {
        let rows = try connection.execute(
            """
            SELECT id, \(columns) FROM _reject WHERE id > $1::bigint AND ($2::bigint IS NULL OR run = $2)
            ORDER BY id LIMIT $3::bigint
            """,
            [.integer(id), run.map { .integer(Int64($0)) } ?? .null, .integer(Int64(limit))])
        return (0..<rows.rowCount).map { reject(rows, $0) }
    }

    /// Calls `body` with the lines of many rejects at a time.
    ///
    /// - Throws: `PostgresError`, errors of `body`.
    static func forEachLines(
        run: Int?, on connection: PostgresConnection, _ body: ([UInt8]) throws -> Void
    ) throws {
        var last: Int64 = 0
        while true {
            let rejects = try page(after: last, run: run, on: connection)
            guard let end = rejects.last else { return }
            last = end.id
            var bytes: [UInt8] = []
            for reject in rejects { reject.appendJSONLine(to: &bytes) }
            try body(bytes)
        }
    }

    /// The reject with a key; nil if it was deleted.
    ///
    /// - Throws: `PostgresError`.
    static func row(_ id: Int64, on connection: PostgresConnection) throws -> RejectedRecord? {
        let rows = try connection.execute("SELECT id, \(columns) FROM _reject WHERE id = $1::bigint", [.integer(id)])
        return rows.rowCount > 0 ? reject(rows, 0) : nil
    }

    private static func reject(_ rows: PostgresResult, _ row: Int) -> RejectedRecord {
        func number(_ column: Int) -> Int? { rows.integer(row, column).map { Int($0) } }
        func text(_ column: Int) -> String? { rows.text(row, column) }
        var reject = RejectedRecord()
        (reject.id, reject.run) = (rows.integer(row, 0) ?? 0, number(1) ?? 0)
        (reject.entity, reject.at, reject.key, reject.keyName) = (text(2), text(3), text(4).map(unescaped), text(5))
        (reject.file, reject.byte, reject.line, reject.column) = (text(6), number(7), number(8), number(9))
        (reject.record, reject.path, reject.code, reject.reason) = (
            number(10), text(11), text(12) ?? "", text(13) ?? ""
        )
        (reject.start, reject.length) = (number(14) ?? 0, number(15) ?? 0)
        reject.raw = rows.bytes(row, 16) ?? []
        return reject
    }

    /// The number of rejects, of one run or of all.
    ///
    /// - Throws: `PostgresError`.
    static func count(run: Int? = nil, on connection: PostgresConnection) throws -> Int {
        let found = try connection.execute(
            "SELECT count(*) FROM _reject WHERE $1::bigint IS NULL OR run = $1",
            [run.map { .integer(Int64($0)) } ?? .null])
        return Int(found.integer(0, 0) ?? 0)
    }

    /// For each run with rejects their number.
    ///
    /// - Throws: `PostgresError`.
    static func counts(on connection: PostgresConnection) throws -> [Int: Int] {
        let rows = try connection.execute("SELECT run, count(*) FROM _reject GROUP BY run")
        let pairs = (0..<rows.rowCount).map { (Int(rows.integer($0, 0) ?? 0), Int(rows.integer($0, 1) ?? 0)) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    /// Deletes the rows of a run.
    ///
    /// - Throws: `PostgresError`.
    static func delete(run: Int, on connection: PostgresConnection) throws {
        try connection.execute("DELETE FROM _reject WHERE run = $1::bigint", [.integer(Int64(run))])
    }

    /// Deletes a row.
    ///
    /// - Throws: `PostgresError`.
    static func delete(_ id: Int64, on connection: PostgresConnection) throws {
        try connection.execute("DELETE FROM _reject WHERE id = $1::bigint", [.integer(id)])
    }

    /// Updates the error of a record that was rejected again, and its bytes if they were edited.
    ///
    /// - Throws: `PostgresError`.
    static func update(
        _ id: Int64, code: String, reason: String, edited raw: [UInt8]?, on connection: PostgresConnection
    ) throws {
        try connection.execute(
            """
            UPDATE _reject SET code = $2, reason = $3, raw = coalesce($4::bytea, raw),
            length = coalesce(length($4::bytea), length) WHERE id = $1::bigint
            """,
            [
                .integer(id), .text(code), .text(reason.replacing("\0", with: "\u{2400}")),
                raw.map { .bytes($0) } ?? .null,
            ])
    }
}
