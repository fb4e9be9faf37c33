import Testing
import TributarySQLite

@Suite struct FragmentTests {
    @Test("An interpolated value is bound, and an interpolated name is quoted")
    func valuesAreBoundAndNamesQuoted() {
        let name = "x\"; DROP TABLE t"
        let query: SQLFragment =
            "SELECT \(identifier: name) FROM t WHERE a = \(7) AND b IN (\([1, 2].map { SQLFragment($0) }))"
        #expect(query.text == "SELECT \"x\"\"; DROP TABLE t\" FROM t WHERE a = ? AND b IN (?, ?)")
        #expect(query.bindings == [7, 1, 2])
    }
}
