import Foundation
import Testing
import TributaryCLI
import TributaryModel
import TributarySQLite
import TributaryStore
import TributaryTestSupport

/// Random queries of tables and views that other programs made, compared with SQL written by a second hand.
@Suite struct QueryPlainTests {
    /// A column with a name that needs quotes, and the type that is declared.
    private struct Column {
        let name: String
        let declared: String
        let isText: Bool

        /// The name in a filter.
        var key: String { FilterExpression.keyPath([name]).description }
        /// The name in SQL.
        var sql: String { "\"\(name.replacing("\"", with: "\"\""))\"" }
    }

    private struct Table {
        let name: String
        let columns: [Column]
        /// What SQL orders rows by that are equal otherwise; nil for a view, whose rows have no order.
        let key: String?
    }

    private static let names = [
        "first name", "select", "x\"y", "größe", "a.b", "rowid", "COUNT", "it's", "-minus", "_pk2", "[b]", "😀",
    ]

    private let folder: TemporaryFolder
    private var path: String { folder.path("plain.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    /// Makes a table of a random kind with random rows.
    private func make(_ number: Int, _ random: inout SeededGenerator, _ connection: Connection) throws -> Table {
        var names = QueryPlainTests.names
        let columns = (0...random.below(4)).map { _ in
            let isText = random.once(in: 2)
            let declared = random.pick(isText ? ["TEXT", "VARCHAR(3)", "CLOB"] : ["INTEGER", "INT", "BIGINT"])
            return Column(name: names.remove(at: random.below(names.count)), declared: declared, isText: isText)
        }
        let isStrict = random.once(in: 4)
        let parts = columns.map { "\($0.sql) \(isStrict ? ($0.isText ? "TEXT" : "INT") : $0.declared)" }
        let name = "t \(number)"
        func execute(_ text: String) throws { try connection.execute(SQLFragment(trusted: text)) }
        let hasNoRowID = random.once(in: 3)
        let options = [isStrict ? "STRICT" : nil, hasNoRowID ? "WITHOUT ROWID" : nil].compactMap(\.self)
        try execute(
            "CREATE TABLE \"\(name)\" (\((parts + ["k INTEGER PRIMARY KEY"]).joined(separator: ", "))) "
                + options.joined(separator: ", "))
        for key in 0..<random.below(20) {
            let values = columns.map { column -> String in
                if random.once(in: 5) { return "NULL" }
                if column.isText { return random.pick(["''", "'a'", "'ab'", "'b'", "'É'", "'😀'", "'a b'"]) }
                return random.pick(["0", "1", "-3", "7", "9223372036854775807"])
            }
            try execute("INSERT INTO \"\(name)\" VALUES (\((values + ["\(key * 3 - 5)"]).joined(separator: ", ")))")
        }
        let all = columns + [Column(name: "k", declared: "INTEGER", isText: false)]
        guard random.once(in: 4) else { return Table(name: name, columns: all, key: "k") }
        try execute("CREATE VIEW \"v \(number)\" AS SELECT * FROM \"\(name)\"")
        return Table(name: "v \(number)", columns: all, key: nil)
    }

    /// A condition as a filter and as SQL, which is 1 or 0.
    private func condition(_ table: Table, _ random: inout SeededGenerator, _ depth: Int) -> (
        filter: String, sql: String
    ) {
        if depth > 0, random.once(in: 2) {
            let (one, two) = (condition(table, &random, depth - 1), condition(table, &random, depth - 1))
            switch random.below(3) {
            case 0: return ("NOT (\(one.filter))", "NOT (\(one.sql))")
            case 1: return ("(\(one.filter) AND \(two.filter))", "(\(one.sql) AND \(two.sql))")
            default: return ("(\(one.filter) OR \(two.filter))", "(\(one.sql) OR \(two.sql))")
            }
        }
        let column = random.pick(table.columns)
        let (key, sql) = (column.key, column.sql)
        func known(_ condition: String) -> String { "COALESCE(\(condition), 0)" }
        if random.once(in: 6) { return ("\(key) == nil", "\(sql) IS NULL") }
        if column.isText {
            let text = random.pick(["", "a", "ab", "b", "É"])
            return random.pick([
                ("\(key) == '\(text)'", known("\(sql) = '\(text)'")),
                ("\(key) < '\(text)'", known("\(sql) < '\(text)'")),
                ("\(key) BEGINSWITH '\(text)'", known("substr(\(sql), 1, length('\(text)')) = '\(text)'")),
                ("\(key) CONTAINS '\(text)'", known("instr(\(sql), '\(text)') > 0")),
                ("length(\(key)) > 1", known("length(\(sql)) > 1")), ("\(key) LIKE 'a*'", known("\(sql) GLOB 'a*'")),
            ])
        }
        let number = random.pick([0, 1, -3, 7])
        return random.pick([
            ("\(key) > \(number)", known("\(sql) > \(number)")), ("\(key) != \(number)", "\(sql) IS NOT \(number)"),
            ("\(key) IN {1, \(number)}", known("\(sql) IN (1, \(number))")),
            ("\(key) BETWEEN {\(number), 7}", known("\(sql) BETWEEN \(number) AND 7")),
            ("\(key) & 1 == 1", known("\(sql) & 1 = 1")),
        ])
    }

    /// The words of a random query, and the SQL that gives the same rows in the same order.
    private func query(_ table: Table, _ random: inout SeededGenerator) -> (
        words: [String], names: [String], sql: String
    ) {
        var words = [table.name]
        var clause = "FROM \"\(table.name)\""
        if random.once(in: 2) {
            let (filter, sql) = condition(table, &random, 2)
            words.append("--where=\(filter)")
            clause += " WHERE \(sql)"
        }
        if random.once(in: 3) {
            let column = random.pick(table.columns)
            words += ["--group-by=\(column.key)", "--fields=g=\(column.key),n=count(SELF),m=max(k)"]
            return (words, ["g", "n", "m"], "SELECT \(column.sql), COUNT(*), MAX(k) \(clause) GROUP BY 1 ORDER BY 1")
        }
        let column = random.pick(table.columns)
        let isDescending = random.once(in: 2)
        // All rows of a view have another `k`.
        words.append("--sort=\(isDescending ? "-" : "")\(column.key),k")
        clause += " ORDER BY \(column.sql) \(isDescending ? "DESC" : "ASC"), k"
        let (limit, offset) = (1 + random.below(30), random.below(4))
        words += ["--limit=\(limit)", "--offset=\(offset)"]
        clause += " LIMIT \(limit) OFFSET \(offset)"
        return (
            words, table.columns.map(\.name), "SELECT \(table.columns.map(\.sql).joined(separator: ", ")) \(clause)"
        )
    }

    @Test("Random queries of plain tables and views give what SQL of a second hand gives", arguments: 0..<2)
    func randomQueries(half: Int) throws {
        let each = 20
        let wanted = ProcessInfo.processInfo.environment["TRIBUTARY_QUERIES"].flatMap { Int($0) } ?? 120
        var random = SeededGenerator.sampled(1650, case: UInt64(half))
        let connection = try Connection(.file(path))
        connection.allowViews()
        let tables = try (0..<max(1, wanted / each / 2)).map { try make($0, &random, connection) }
        var count = 0
        for table in tables {
            for _ in 0..<each {
                let (words, names, sql) = query(table, &random)
                let expected = try connection.rows(of: SQLFragment(trusted: sql))
                let command: QueryCommand = try Invocation.command(["query", path] + words)
                let file = try #require(FileHandle(forWritingAtPath: try folder.write([], to: "output")))
                let database = try #require(try QueryableDatabase(path))
                try command.write(database, to: file.fileDescriptor)
                let text = String(decoding: try folder.read("output"), as: UTF8.self)
                let output = try QueryOutput(text, format: "ndjson", columns: names)
                let isSame =
                    output.rows.count == expected.count && (output.names ?? names) == names
                    && zip(output.rows, expected).allSatisfy { found, values in
                        found.count == values.count
                            && zip(found, values).allSatisfy { cell, value in
                                cell.isText(of: QueryPlainTests.value(value), QueryOracle.Column(name: ""), "ndjson")
                            }
                    }
                #expect(isSame, "seed \(random.seed): \(words)\n\(sql)\n\(text)\n\(expected)")
                if !isSame { return }
                count += 1
            }
        }
        print("queries of plain tables compared: \(count)")
    }

    private static func value(_ value: SQLValue) -> FilterValue {
        switch value {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .double(number)
        case .text(let text): .string(text)
        case .blob(let bytes): .data(Data(bytes))
        }
    }
}
