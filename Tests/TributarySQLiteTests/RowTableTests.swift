import Testing
import TributarySQLite

/// Rows that a single statement inserts one by one.
@Suite struct RowTableTests {
    private struct Broken: Error {}

    /// Inserts a row for each of `numbers` with `sql`; returns the numbers of the refused rows.
    private func insert(
        _ numbers: [Int64], width: Int = 2, _ connection: Connection, _ sql: String, failingAt bad: Int64 = -1
    ) throws -> [Int64] {
        let cells = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: width)
        defer { cells.deallocate() }
        var rest = numbers.makeIterator()
        var refused: [Int64] = []
        func next() throws -> Bool {
            guard let number = rest.next() else { return false }
            if number == bad { throw Broken() }
            cells.update(repeating: SQLCell(number * 10))
            cells[0] = SQLCell(number)
            return true
        }
        try connection.withUnboundStatement(sql) { statement in
            try connection.rows.insert(through: copy statement, UnsafeBufferPointer(cells), generatedBy: next) { _ in
                refused.append(cells[0].integer)
            }
        }
        return refused
    }

    private static let sql = "INSERT OR FAIL INTO t (a, b) SELECT c0, c1 FROM _rows"

    @Test("An insertion continues after a row that violates a unique constraint")
    func itGoesOnBehindWhatIsRefused() throws {
        let connection = try Connection(.memory)
        try connection.execute("CREATE TABLE t (a INTEGER UNIQUE, b INTEGER)")
        #expect(try insert([1, 2, 3], connection, Self.sql) == [])
        #expect(try insert([3, 4, 2, 1, 5, 5], connection, Self.sql) == [3, 2, 1, 5])
        let rows = try connection.rows(of: "SELECT a, b FROM t ORDER BY a")
        #expect(rows == (1...5).map { [.integer($0), .integer($0 * 10)] })
        #expect(try insert([], connection, Self.sql) == [])
    }

    @Test("The error of a row generator ends the insertion and is thrown")
    func whatCannotBeMadeIsThrown() throws {
        let connection = try Connection(.memory)
        try connection.execute("CREATE TABLE t (a INTEGER UNIQUE, b INTEGER)")
        #expect(throws: Broken.self) {
            try connection.transaction { _ = try insert([1, 2, 3], connection, Self.sql, failingAt: 3) }
        }
        #expect(try connection.rows(of: "SELECT a FROM t") == [])
        #expect(try insert([1, 2, 3], connection, Self.sql) == [])
        #expect(try connection.rows(of: "SELECT a FROM t").count == 3)
    }

    @Test("Rows of up to 2,000 columns can be inserted", arguments: [1, 63, 64, 65, 2000])
    func tablesMayBeWide(_ width: Int) throws {
        let connection = try Connection(.memory)
        let table = SQLFragment(trusted: (0..<width).map { "a\($0)" }.joined(separator: ", "))
        try connection.execute("CREATE TABLE t (\(table))")
        let columns = (0..<width).map { "c\($0)" }.joined(separator: ", ")
        let sql = "INSERT OR FAIL INTO t SELECT \(columns) FROM \(RowTable.name(width: width))"
        #expect(try insert([7, 8], width: width, connection, sql) == [])
        let last = SQLFragment(trusted: "a\(width - 1)")
        #expect(
            try connection.rows(of: "SELECT \(last) FROM t")
                == [7, 8].map { [.integer(width == 1 ? $0 : $0 * 10)] })
    }
}
