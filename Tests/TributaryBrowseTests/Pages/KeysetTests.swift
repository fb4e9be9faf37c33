import Testing
import TributaryBrowse
import TributarySQLite
import TributaryTestSupport

/// Pages of lists against one sorted query.
struct KeysetTests {
    @Test("Pages walked forwards and backwards have the rows of one sorted query", arguments: 0..<6)
    func walks(number: Int) throws {
        var random = SeededGenerator.sampled(16_016, case: UInt64(number))
        let key: SQLFragment =
            [
                "k INTEGER PRIMARY KEY", "k TEXT PRIMARY KEY", "k PRIMARY KEY", "k TEXT PRIMARY KEY COLLATE NOCASE",
            ][number % 4]
        let options: SQLFragment = number % 2 == 1 || number % 4 == 2 ? " WITHOUT ROWID" : ""
        let table: SQLFragment =
            """
            CREATE TABLE t (\(key), a, i INTEGER, r REAL, t TEXT, n NUMERIC, c TEXT COLLATE NOCASE)\(options)
            """
        var statements: [SQLFragment] = [table, "CREATE INDEX byA ON t (a)", "CREATE INDEX byC ON t (c)"]
        for row in 0..<180 {
            let key: SQLValue =
                number % 4 == 0
                ? .integer(Int64(row * 3 - 200))
                : number % 4 == 3 ? .text("k\(row)") : KeysetTests.key(row, &random, isText: number % 4 == 1)
            let values = (0..<6).map { _ in KeysetTests.value(&random) }.map { SQLFragment($0) }
            statements.append("INSERT INTO t VALUES (\(key), \(values))")
        }
        let site = try BrowsedSite.foreign(statements)
        let connection = try Connection(.file(site.path))
        for column in ["", "a", "i", "r", "t", "n", "c", "k"] {
            for isDescending in [false, true] where !(column.isEmpty && isDescending) {
                let direction: SQLFragment = isDescending ? " DESC" : " ASC"
                let name: SQLFragment = "\(identifier: column)\(direction), "
                let expected = try connection.rows(
                    of: "SELECT k FROM t ORDER BY \(column.isEmpty ? "" : name)k\(direction)"
                ) { KeysetTests.text(of: $0.value(at: 0)) }
                let start = column.isEmpty ? "/e/t" : "/e/t?sort=\(isDescending ? "-" : "")\(column)"
                let (forwards, last) = try walk(site, start, "next")
                #expect(forwards == expected, "seed \(random.seed), table \(number), \(start)")
                let (backwards, _) = try walk(site, last, "prev")
                #expect(backwards == expected, "seed \(random.seed), table \(number), back from \(last)")
                let end = start + (column.isEmpty ? "?" : "&") + "before=end"
                #expect(try walk(site, end, "prev").keys == expected, "seed \(random.seed), table \(number), \(end)")
            }
        }
    }

    @Test("Pages of an entity have the order of its keys and attributes, with a filter and without one")
    func entity() throws {
        let site = try BrowsedSite.library()
        let connection = try Connection(.file(site.path))
        for column in ["isbn", "weight", "published", "cover", "pages"] {
            for isDescending in [false, true] {
                let direction: SQLFragment = isDescending ? " DESC" : " ASC"
                let expected = try connection.rows(
                    of: """
                        SELECT _pk FROM Book WHERE isbn > 'b1010'
                        ORDER BY \(identifier: column)\(direction), _pk\(direction)
                        """
                ) { "\($0.integer(at: 0))" }
                let start = "/e/Book?where=isbn%20%3E%20%22b1010%22&sort=\(isDescending ? "-" : "")\(column)"
                let (forwards, last) = try walk(site, start, "next")
                #expect(forwards == expected, "\(start)")
                #expect(try walk(site, last, "prev").keys == expected, "\(last)")
            }
        }
        #expect(try walk(site, "/e/Book?sort=price", "next").keys.count == 130)
        #expect(try walk(site, "/e/Book?sort=author", "next").keys.count == 130)
        #expect(try walk(site, "/e/Person?sort=-name", "next").keys.count == 4)
    }

    @Test("A view and a table with a key of several columns have all rows in their pages")
    func withoutKeys() throws {
        var statements: [SQLFragment] = [
            "CREATE TABLE t (a INTEGER, b INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID",
            "CREATE VIEW v AS SELECT a, b FROM t",
        ]
        for number in 0..<120 { statements.append("INSERT INTO t VALUES (\(number % 7), \(number))") }
        let site = try BrowsedSite.foreign(statements)
        for start in ["/e/t", "/e/v", "/e/v?sort=-b"] {
            var (address, values): (String?, [String]) = (start, [])
            while let next = address {
                let page = try site.page(next)
                values += page.rows.dropFirst().map { $0[2] }
                address = page.address("next")
            }
            #expect(values.count == 120 && Set(values).count == 120, "\(start)")
        }
    }

    /// The keys on the pages from an address in the direction of a link, and the address of the last page.
    private func walk(
        _ site: BrowsedSite, _ start: String, _ direction: String
    ) throws -> (keys: [String], last: String) {
        var (keys, address): ([String], String) = ([], start)
        for _ in 0..<20 {
            let page = try site.page(address)
            let found = try page.rowAddresses.map { try #require(try BrowsedSite.request($0).path.last) }
            keys = direction == "next" ? keys + found : found + keys
            guard let next = page.address(direction) else { break }
            address = next
        }
        return (keys, address)
    }

    /// A key as an address has it.
    private static func text(of key: SQLValue) -> String {
        switch key {
        case .null: "null"
        case .integer(let number): "\(number)"
        case .real(let number): "r\(number)"
        case .text(let text): "'" + text
        case .blob(let bytes): "x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }

    private static func key(_ number: Int, _ random: inout SeededGenerator, isText: Bool) -> SQLValue {
        switch random.below(isText ? 1 : 4) {
        case 0:
            .text(
                random.pick(["a/b", "ü&=?%", "<x>", "e\u{301}", "profile", "\u{301}x", "\u{1F600}", "..", ""])
                    + "\(number)")
        case 1: .integer(Int64(number) * 7 - 500)
        case 2: .real(Double(number) * 1e300)
        default: .blob([0, 255, UInt8(number)])
        }
    }

    private static func value(_ random: inout SeededGenerator) -> SQLValue {
        switch random.below(9) {
        case 0, 1: .null
        case 2: .integer(Int64(random.below(5)))
        case 3: .integer(random.pick([.max, .min, 1 << 53 + 1, -1]))
        case 4:
            .real(random.pick([0.1, -0.0, .leastNonzeroMagnitude, .infinity, -.infinity, 2, 9_007_199_254_740_994]))
        case 5:
            .text(
                random.pick([
                    "", "a", "A", "b\u{0}c", "é", "e\u{301}", "7", "\u{301}x", " 7", "\u{1F600}", "null", "*", "end",
                ]))
        case 6: .text(String(repeating: "long ", count: 40 + random.below(3)))
        case 7: .text(random.pick(["12345678901234567890123", "0.1000", "1e400", "0x10"]))
        default: .blob(random.pick([[], [0], [255, 0], Array(repeating: 1, count: 300)]))
        }
    }
}
