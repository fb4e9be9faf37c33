import Testing
import TributarySQLite

/// Aggregate functions over the rows of a group.
@Suite struct AggregateTests {
    /// Concatenates the texts of a group; an integer is an error.
    private final class Texts: SQLAggregate {
        struct NoText: Error {}
        private var texts: [String] = []
        private let end: () -> Void

        init(_ end: @escaping () -> Void) { self.end = end }
        deinit { end() }

        func add(_ arguments: SQLArguments) throws {
            guard case .text(let text) = arguments[0] else { throw NoText() }
            texts.append(text)
        }

        func result() -> SQLValue { texts.isEmpty ? .null : .text(texts.joined(separator: "+")) }
    }

    /// Counts the aggregates created and freed.
    private final class Ledger { var (created, freed) = (0, 0) }

    private func connection(_ ledger: Ledger) throws -> Connection {
        let connection = try Connection(.memory)
        try connection.defineAggregate("texts", argumentCount: 1) {
            ledger.created += 1
            return Texts { ledger.freed += 1 }
        }
        try connection.execute("CREATE TABLE t (a TEXT, b)")
        try connection.execute("INSERT INTO t VALUES ('x', 'one'), ('y', 'two'), ('x', 'three')")
        return connection
    }

    @Test("Each group of a query has its own aggregate, which is freed afterwards")
    func eachGroupHasItsOwn() throws {
        let ledger = Ledger()
        let connection = try connection(ledger)
        let rows = try connection.rows(of: "SELECT a, texts(b) FROM t GROUP BY a ORDER BY a")
        #expect(rows == [["x", "one+three"], ["y", "two"]])
        #expect(try connection.value(of: "SELECT texts(b) FROM t WHERE 0") == .null)
        #expect(ledger.created == 3 && ledger.freed == 3)
    }

    @Test("An error of an aggregate ends the statement, and all aggregates are freed")
    func whatItThrowsEndsTheStatement() throws {
        let ledger = Ledger()
        let connection = try connection(ledger)
        try connection.execute("INSERT INTO t VALUES ('y', 7), ('z', 'four')")
        let error = #expect(throws: SQLiteError.self) {
            try connection.rows(of: "SELECT a, texts(b) FROM t GROUP BY a")
        }
        #expect(error?.message == "NoText()")
        // A statement that is reset early frees its aggregates too.
        try connection.withStatement("SELECT texts(b) FROM t WHERE a = 'x' GROUP BY b") { statement in
            _ = try statement.step()
        }
        #expect(ledger.created > 0 && ledger.created == ledger.freed)
    }
}
