import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// `tributary query DB ENTITY`.
@Suite struct QueryTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    private static let model = """
        <?xml version="1.0" encoding="UTF-8"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Author">
                <attribute name="id" attributeType="Integer 64"/>
                <attribute name="name" optional="YES" attributeType="String"/>
                <relationship name="books" optional="YES" toMany="YES" deletionRule="Nullify"
                    destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
                <uniquenessConstraints>
                    <uniquenessConstraint><constraint value="id"/></uniquenessConstraint>
                </uniquenessConstraints>
            </entity>
            <entity name="Book">
                <attribute name="isbn" attributeType="String"/>
                <attribute name="price" optional="YES" attributeType="Decimal"/>
                <attribute name="sold" optional="YES" attributeType="Boolean"/>
                <attribute name="published" optional="YES" attributeType="Date"/>
                <attribute name="cover" optional="YES" attributeType="Binary"/>
                <relationship name="author" optional="YES" maxCount="1" deletionRule="Nullify"
                    destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
                <uniquenessConstraints>
                    <uniquenessConstraint><constraint value="isbn"/></uniquenessConstraint>
                </uniquenessConstraints>
            </entity>
        </model>
        """

    /// Imports four books of two authors.
    private func makeShop() throws {
        let dump = try world.write(
            #"""
            [{"isbn":"a","price":10.1,"sold":true,"published":"2001-05-01T00:00:00Z","cover":"AP8=",
              "author":{"id":1,"name":"Ursula, \"K\""}},
             {"isbn":"b","price":0.1,"sold":false,"published":"1999-12-31T23:59:59.5Z","author":{"id":2,"name":"Zoë"}},
             {"isbn":"c","price":12345678901234567.89,"author":{"id":1,"name":"Ursula, \"K\""}},
             {"isbn":"d"}]
            """#)
        try world.load(dump, "--model", try world.write(Self.model, "Shop.xml"), "--entity", "Book").expect(0)
    }

    private func make(_ statements: String...) throws {
        let connection = try Connection(.file(world.database))
        for statement in statements { try connection.execute(SQLFragment(trusted: statement)) }
    }

    private func run(_ words: String...) throws -> Tool.Outcome {
        try Tool("/usr/bin/env").run(
            ["COLUMNS=100", "LC_ALL=C.UTF-8", Tool.tributary.path, "query", world.database] + words)
    }

    // MARK: Values

    @Test("A pipe gets all rows as NDJSON: exact numbers, words, ISO dates, Base64, and the keys of related objects")
    func values() throws {
        try makeShop()
        let before = try world.folder.read("app.sqlite")
        let all = #"""
            {"isbn":"a","price":10.1,"sold":true,"published":"2001-05-01T00:00:00Z","cover":"AP8=","author":1}
            {"isbn":"b","price":0.1,"sold":false,"published":"1999-12-31T23:59:59.5Z","cover":null,"author":2}
            {"isbn":"c","price":12345678901234567.89,"sold":null,"published":null,"cover":null,"author":1}
            {"isbn":"d","price":null,"sold":null,"published":null,"cover":null,"author":null}

            """#
        try run("Book").expect(0, output: all)
        try run("book", "--format", "ndjson").expect(0, output: all)
        let json = try run("Book", "--format", "json").expect(0)
        let objects = try JSONSerialization.jsonObject(with: json.output) as? [[String: Any]]
        #expect(objects?.count == 4 && objects?[1]["author"] as? Int == 2)
        try run("Book", "--format", "json", "--where", "FALSEPREDICATE").expect(0, output: "[\n]\n")
        #expect(try world.folder.read("app.sqlite") == before)
    }

    @Test("Filters, orders, paths, functions, windows and counts are those of programs")
    func requests() throws {
        try makeShop()
        try run("Book", "--where", "author.name BEGINSWITH[c] 'URS' AND price < 11", "--fields", "isbn, author.name")
            .expect(0, output: "{\"isbn\":\"a\",\"author.name\":\"Ursula, \\\"K\\\"\"}\n")
        try run("Book", "--fields", "isbn", "--sort=-price", "--limit", "2").expect(
            0, output: "{\"isbn\":\"c\"}\n{\"isbn\":\"a\"}\n")
        try run("Book", "--fields", "isbn", "--sort", "author,-isbn", "--offset", "1", "--stop-after", "2").expect(
            0, output: "{\"isbn\":\"c\"}\n{\"isbn\":\"a\"}\n")
        try run("Author", "--fields", "name,books=count(books)", "--format", "csv").expect(
            0, output: "name,books\n\"Ursula, \"\"K\"\"\",2\nZoë,1\n")
        try run("Book", "--count").expect(0, output: "4\n")
        try run("Book", "--count", "--where", "sold == TRUE OR price == NULL", "--skip", "1").expect(0, output: "1\n")
        try run("Book", "--where", "isbn == 'a'", "--explain").expect(
            0, text: "SELECT \"_o\".\"isbn\"", "SEARCH _o USING")
    }

    @Test("Groups have their keys and a count, or the fields that are named")
    func groups() throws {
        try makeShop()
        try run("Book", "--group-by", "author").expect(
            0,
            output: """
                {"author":null,"count":1}
                {"author":1,"count":2}
                {"author":2,"count":1}

                """)
        try run("Book", "--group-by", "author", "--fields", "author,total=sum(price)", "--having", "total > 1")
            .expect(0, output: "{\"author\":1,\"total\":12345678901234577.99}\n")
        try run("Book", "--fields", "first=min(published),n=count(SELF)").expect(
            0, output: "{\"first\":\"1999-12-31T23:59:59.5Z\",\"n\":4}\n")
        try run("Book", "--group-by", "author", "--sort=-count", "--limit", "1", "--format", "tsv").expect(
            0, output: "author\tcount\n1\t2\n")
    }

    @Test("A computed NaN is the word that a stored one is")
    func notNumbers() throws {
        try makeShop()
        try run("Book", "--fields", "n=sqrt(0 - 4),m=sqrt(price - 11)", "--limit", "1", "--format", "csv").expect(
            0, output: "n,m\nNaN,NaN\n")
        try run("Book", "--fields", "n=sqrt(price - 11)", "--limit", "1").expect(0, output: "{\"n\":\"NaN\"}\n")
    }

    // MARK: Forms

    @Test("CSV, TSV, Markdown, lists and tables alter no value but by their escapes")
    func forms() throws {
        try make("CREATE TABLE t (a TEXT, b INTEGER)")
        let connection = try Connection(.file(world.database))
        for (text, number) in [("x,\"y\"\r\n", 7), ("tab\t|\\", -12), ("", 1), (nil, 2)] as [(String?, Int64)] {
            let value = text.map(SQLValue.text) ?? .null
            try connection.execute("INSERT INTO t VALUES (\(value), \(number))")
        }
        try run("t", "--format", "csv").expect(0, output: "a,b\n\"x,\"\"y\"\"\r\n\",7\ntab\t|\\,-12\n\"\",1\n,2\n")
        try run("t", "--format", "tsv").expect(
            0, output: "a\tb\nx,\"y\"\\r\\n\t7\ntab\\t|\\\\\t-12\n\t1\n\t2\n")
        try run("t", "--format", "markdown").expect(
            0,
            output: """
                | a | b |
                | --- | --- |
                | x,"y"\\r\\n | 7 |
                | tab\\t\\|\\ | -12 |
                |  | 1 |
                |  | 2 |

                """)
        try run("t", "--format", "list", "--limit", "2").expect(
            0, output: "a  x,\"y\"\\r\\n\nb  7\n\na  tab\\t|\\\nb  -12\n")
        try run("t", "--format", "table", "--limit", "2").expect(
            0, output: "a            b\nx,\"y\"\\r\\n    7\ntab\\t|\\    -12\n")
    }

    @Test("A terminal shows 40 rows that fit it, and says what it leaves out; --limit shows more")
    func terminal() throws {
        try make(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, note TEXT)",
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50) "
                + "INSERT INTO t SELECT i, printf('%.*c', 100, 'x') FROM n")
        func show(_ options: String) throws -> [Substring] {
            let line = "stty cols 60; '\(Tool.tributary.path)' query '\(world.database)' t \(options)"
            return try Tool("/usr/bin/env").run([
                "NO_COLOR=1", "TERM=xterm", "LC_ALL=C.UTF-8", "/usr/bin/script", "-qec", line, "/dev/null",
            ]).expect(0).text.split(whereSeparator: \.isNewline)
        }
        let lines = try show("")
        #expect(lines.count == 43 && lines[0] == "id  note", "\(lines)")
        #expect(lines.dropFirst().first == " 1  \(String(repeating: "x", count: 55))…", "\(lines)")
        #expect(lines[41] == "… 10 more (--limit, or a pipe, shows them)", "\(lines)")
        #expect(lines[42].hasPrefix("long text is cut (--format list"), "\(lines)")
        #expect(try show("--limit 50 --fields id").count == 51)
        #expect(try show("--format ndjson").count == 50)
    }

    @Test("A signal ends endless output after a whole line")
    func signals() throws {
        try make(
            "CREATE VIEW endless AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n")
        let out = world.folder.path("out")
        let outcome = try Tool.shell(
            """
            touch '\(out)'
            tributary query '\(world.database)' endless > '\(out)' &
            until [ $(stat -c %s '\(out)') -gt 1000000 ]; do :; done
            kill -TERM $!
            wait $!
            """)
        #expect(outcome.code == 143)
        let text = String(decoding: try world.folder.read("out"), as: UTF8.self)
        let count = text.split(separator: "\n").count
        #expect(text.hasPrefix("{\"i\":1}\n") && text.hasSuffix("\n{\"i\":\(count)}\n"))
    }

    // MARK: Refusals

    @Test("Unknown names are told with the nearest one, and filters with the place of their error")
    func refusals() throws {
        try makeShop()
        try run("Bok").expect(1, error: "there is no entity or table 'Bok'. Did you mean 'Book'?")
        try run("Book", "--where", "prise > 1").expect(1, error: "Book has no 'prise'. Did you mean 'price'?")
        try run("Book", "--fields", "author.nam").expect(1, error: "Author has no 'nam'. Did you mean 'name'?")
        try run("Book", "--sort", "isb").expect(1, error: "Book has no 'isb'. Did you mean 'isbn'?")
        try run("Book", "--where", "price > AND").expect(
            64, error: "'--where': filter:1:9: found AND, expected a value")
        try run("Book", "--where", "price IS NULL").expect(64, error: "found IS, expected an operator (write x == nil")
        try run("Book", "--fields", "avg(price)").expect(1, error: "of the filter language (write average(x))")
        try run("Book", "--having", "count >").expect(64, error: "'--having': filter:1:8: found the end")
        try run("Book", "--fields", "isbn,count(").expect(1, error: "field 'count(': filter:1:7: found the end")
        try run("Author", "--fields", "books").expect(1, error: "Author.books is to-many", "count it")
        try run("Book", "--fields", "isbn,").expect(64, error: "'--fields' takes fields separated by commas")
        try run("Book", "--count", "--sort", "isbn").expect(64, error: "'--count' and '--sort' cannot be used together")
        try run("Book", "--format", "xml").expect(64, error: "'--format' takes table, json, ndjson")
        try run().expect(64, error: "'tributary tables DB' lists them")
        try Tool.tributary.run(["query", world.folder.path("no.sqlite"), "Book"]).expect(
            1, error: "the database does not exist")
        try Tool.tributary.run(["query", "postgres://a@b/c", "Book"]).expect(64, error: "use psql")
    }
}
