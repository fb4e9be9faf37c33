import Foundation
import Testing
import TributaryImport
import TributarySQLite
import TributaryStore
import TributaryTestSupport

/// The bars of a profile, and the filters to which they lead.
struct ProfileBarsTests {
    private let world: BrowseWorld

    init() throws { world = try BrowseWorld() }

    /// Names that need quotes in SQL or in filters, or are words of one of them.
    private static let names = [
        "plain", "sp ace", "q\"uote", "apo'strophe", "SELF", "and", "naïve", "#\"x\"", "a.b", "_pk", "select",
        "line\nend",
        "back\\slash", "日本", "0", "TRUE",
    ]

    private static let texts = [
        "", " ", "a", "A", "ä", "it's", "\"quoted\"", "back\\slash", "<b>", "%", "_", "null", "true", "1", "é",
        "e\u{301}",
        "line\nend", "tab\t", "😀", "$x", "{1}", "%@", "2001-05-01", String(repeating: "long ", count: 40),
    ]

    /// A value of SQL as text of a statement.
    private static func value(_ random: inout SeededGenerator, _ kind: Int) -> String {
        if random.once(in: 6) { return "NULL" }
        func text(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }
        switch kind {
        case 0: return "\(random.below(5) - 2)"
        case 1: return "\(Int64(truncatingIfNeeded: random.next()))"
        case 2: return "\(Double(random.below(2000) - 1000) / 8)"
        case 3: return ["1e300", "-1e300", "0.1", "-0.0", "0", "9007199254740993", "9e999", "3"][random.below(8)]
        case 4: return text(random.pick(texts))
        case 5:
            let day = random.below(28) + 1
            return text("\(1990 + random.below(40))-\(10 + random.below(3))-\(day < 10 ? "0" : "")\(day)")
        case 6: return "x'\(random.below(256))00'".replacing("x'", with: "x'0").prefix(6) + "'"
        case 7: return "\(1_000_000 + random.below(100_000))"
        default: return value(&random, random.below(8))
        }
    }

    @Test("A filter of a bar matches as many rows as the bar counts, in a table of another program", arguments: 0..<12)
    func plainTable(_ number: UInt64) throws {
        var random = SeededGenerator.sampled(20_261_129, case: number)
        let table = random.pick(["t", "odd \"table\"", "select"])
        func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }
        let names = Self.names.shuffled(using: &random).prefix(6)
        let types = names.map { _ in random.pick(["INTEGER", "REAL", "TEXT", "NUMERIC", "", "BLOB", "DATE", "BOOLEAN"])
        }
        let kinds = names.map { _ in random.below(9) }
        let columns = zip(names, types).map { "\(quoted($0)) \($1)" }.joined(separator: ", ")
        var statements = ["CREATE TABLE \(quoted(table)) (\(columns))"]
        for _ in 0..<random.below(300) {
            let values = kinds.map { Self.value(&random, $0) }.joined(separator: ", ")
            statements.append("INSERT INTO \(quoted(table)) VALUES (\(values))")
        }
        let connection = try Connection(.file(world.database))
        try connection.transaction {
            for statement in statements { try connection.execute(SQLFragment(trusted: statement)) }
        }
        try expectBars(table, filters: ["TRUEPREDICATE", "NOT FALSEPREDICATE AND 1 < 2"], "case \(number)")
    }

    private static let model = """
        <?xml version="1.0" encoding="UTF-8"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Author">
                <attribute name="id" attributeType="Integer 64"/>
                <relationship name="books" optional="YES" toMany="YES" deletionRule="Nullify"
                    destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
                <uniquenessConstraints>
                    <uniquenessConstraint><constraint value="id"/></uniquenessConstraint>
                </uniquenessConstraints>
            </entity>
            <entity name="Book">
                <attribute name="isbn" attributeType="String"/>
                <attribute name="price" optional="YES" attributeType="Decimal"/>
                <attribute name="weight" optional="YES" attributeType="Double"/>
                <attribute name="thickness" optional="YES" attributeType="Float"/>
                <attribute name="pages" optional="YES" attributeType="Integer 32"/>
                <attribute name="sold" optional="YES" attributeType="Boolean"/>
                <attribute name="published" optional="YES" attributeType="Date"/>
                <attribute name="cover" optional="YES" attributeType="Binary"/>
                <attribute name="mark" optional="YES" attributeType="UUID"/>
                <attribute name="page" optional="YES" attributeType="URI"/>
                <attribute name="genre" optional="YES" attributeType="String"/>
                <relationship name="author" optional="YES" maxCount="1" deletionRule="Nullify"
                    destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
                <uniquenessConstraints>
                    <uniquenessConstraint><constraint value="isbn"/></uniquenessConstraint>
                </uniquenessConstraints>
            </entity>
        </model>
        """

    /// A record of a book, of random members.
    private static func book(_ number: Int, _ random: inout SeededGenerator) throws -> String {
        func quoted(_ text: String) -> String { String(decoding: JSONLineWriter.quoted(text), as: UTF8.self) }
        let ids = ["7B1E1B3C-6C0C-4E5B-9B7A-0123456789AB", "00000000-0000-0000-0000-000000000001"]
        let day = random.below(28) + 1
        let members = [
            "\"price\":\(random.pick(["0.1", "12345678901234567.89", "3", "-2.50", "0"]))",
            "\"weight\":\(Double(random.below(400)) / 4)", "\"thickness\":\(Double(random.below(40)) / 10)",
            "\"pages\":\(random.below(900))", "\"sold\":\(random.once(in: 3))",
            "\"published\":\"\(1950 + random.below(70))-0\(1 + random.below(9))-\(day < 10 ? "0" : "")\(day)T10:00:00.5Z\"",
            "\"cover\":\"AP8=\"", "\"mark\":\"\(random.pick(ids))\"",
            "\"page\":\"https://example.com/\(random.below(3))?q=a%20b\"", "\"genre\":\(quoted(random.pick(texts)))",
            "\"author\":{\"id\":\(random.below(5))}",
        ].filter { _ in !random.once(in: 4) }
        return "{\(([quoted("b\(number)").replacing("\"b", with: "\"isbn\":\"b")] + members).joined(separator: ","))}"
    }

    @Test("A filter of a bar matches as many rows as the bar counts, in an entity of a model", arguments: 0..<4)
    func entity(_ number: UInt64) throws {
        var random = SeededGenerator.sampled(20_261_130, case: number)
        let books = try (0..<random.below(400) + 2).map { try Self.book($0, &random) }.joined(separator: "\n")
        let model = try world.write(Self.model, "Shop.xml")
        let outcome = try world.run(
            "import", world.database, try world.write(books, "books.ndjson"), "--model", model, "--entity",
            "Book",
            "-q")
        #expect(outcome.code == 0, "\(outcome.error)")
        try expectBars("Book", filters: ["pages > 300", "author.id == 1 OR price == nil"], "case \(number)")
        try expectBars("Author", filters: ["id > 1"], "case \(number)")
    }

    @Test("A filter of a bar matches as many rows as the bar counts, in inferred columns", arguments: 0..<4)
    func inferred(_ number: UInt64) throws {
        var random = SeededGenerator.sampled(20_261_131, case: number)
        let names = Self.names.filter { $0 != "_pk" }.shuffled(using: &random).prefix(6)
        func quoted(_ text: String) -> String { String(decoding: JSONLineWriter.quoted(text), as: UTF8.self) }
        let rows = (0..<random.below(300) + 1).map { row in
            let members = names.filter { _ in !random.once(in: 5) }.map { name in
                let value = random.pick([
                    quoted(random.pick(Self.texts)), "\(random.below(10))", "1.5", "true", "null", "[1,2]", "{\"a\":1}",
                    "9007199254740993",
                ])
                return "\(quoted(name)):\(name.utf8.count % 2 == 0 ? value : "\(random.below(50))")"
            }
            return "{\((["\"id\":\(row)"] + members).joined(separator: ","))}"
        }
        let dump = try world.write(rows.joined(separator: "\n"), "t.ndjson")
        let outcome = try world.run("import", world.database, dump, "--key", "id", "--table", "t", "-q")
        #expect(outcome.code == 0, "\(outcome.error)")
        try expectBars("t", filters: ["id > 20"], "case \(number)")
    }

    /// Expects that each part of a profile has as many rows as its filter matches, among all and among those of filters.
    private func expectBars(_ table: String, filters: [String], _ place: String) throws {
        let database = try #require(try QueryableDatabase(world.database))
        let source = try database.source(table)
        var checked = 0
        for filter in [nil] + filters.map(Optional.some) {
            let base = try filter.map { try Filter(format: $0) }
            let profile = try RowProfile(
                of: source, where: base, in: database, limit: .max, within: .seconds(60))
            #expect(profile.isWhole, "\(place)")
            #expect(
                try database.count(ValueRequest(entity: table, where: base), in: source) == profile.rowCount, "\(place)"
            )
            for column in profile.columns {
                #expect(column.empty.count + column.filled.count == profile.rowCount, "\(place) \(column.name)")
                for part in [column.empty, column.filled] + column.ranges + column.values {
                    let text = try #require(part.filter).description
                    let both = Filter.and([base, try Filter(format: text)].compactMap(\.self))
                    let found = try database.count(
                        ValueRequest(entity: table, where: try Filter(format: both.description)), in: source)
                    #expect(found == part.count, "\(place) \(column.name) \(part.label): \(text)")
                    checked += 1
                }
            }
        }
        print("ProfileBarsTests \(place) \(table): \(checked) bars")
    }
}
