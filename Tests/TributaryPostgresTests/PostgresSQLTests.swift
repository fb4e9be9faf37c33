import Testing
import TributaryPostgres

/// The text of statements.
@Suite struct PostgresSQLTests {
    @Test("Names are quoted, and texts are inserted as they are")
    func text() {
        let condition: PostgresSQL = "\(name: "a") = $1"
        let sql: PostgresSQL = "SELECT \(names: ["x", "say \"hi\""]) FROM \(name: "T") WHERE \(condition)"
        #expect(sql.text == #"SELECT "x", "say ""hi""" FROM "T" WHERE "a" = $1"#)
        #expect(["a", "b"].map(PostgresSQL.init(name:)).joined(separator: " AND ").text == #""a" AND "b""#)
        let parts: [PostgresSQL] = ["one", "two"]
        #expect(("f(\(parts))" as PostgresSQL).text == "f(one, two)")
        #expect((("a" as PostgresSQL) + "b").text == "ab")
    }

    @Test("A quote with a combining character is doubled")
    func combiningCharacter() {
        #expect(PostgresSQL(name: "\"\u{301}; DROP").text == "\"\"\"\u{301}; DROP\"")
    }
}
