import Foundation
import Testing
import TributaryBrowse
import TributarySQLite
import TributaryTestSupport

/// What pages show, and where their links lead.
struct PagesTests {
    private static let shop: [SQLFragment] = [
        "CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT)",
        "CREATE TABLE album (id INTEGER PRIMARY KEY, title TEXT, artist INTEGER REFERENCES artist, cover BLOB)",
        "CREATE INDEX byTitle ON album (title)",
        "CREATE TABLE code (word TEXT PRIMARY KEY, first INT, second INT, UNIQUE (first, second)) WITHOUT ROWID",
        "CREATE TABLE use (word TEXT REFERENCES code (word), a INT, b INT, FOREIGN KEY (a, b) REFERENCES code (first, second))",
        "CREATE VIEW titles AS SELECT title, name FROM album JOIN artist ON artist.id = album.artist",
        "CREATE TABLE pair (a INT, b INT, PRIMARY KEY (a, b)) WITHOUT ROWID",
        "INSERT INTO artist VALUES (1, 'Nina'), (2, 'Miles')",
    ]

    private static func shopSite() throws -> BrowsedSite {
        var statements = shop
        for number in 1...70 {
            statements.append(
                "INSERT INTO album VALUES (\(number), \("Album \(number)"), \(1 + number % 2), \([0, 255] as [UInt8]))")
        }
        for word in ["one", "two/three", "'quoted' \"text\"", "..", "profile"] {
            statements.append("INSERT INTO code VALUES (\(word), \(word.utf8.count), 2)")
            statements.append("INSERT INTO use VALUES (\(word), \(word.utf8.count), 2)")
            statements.append("INSERT INTO pair VALUES (\(word.utf8.count), 1)")
        }
        return try .foreign(statements)
    }

    @Test("Every link on the pages of a library, of another program's database and of an empty one has a page")
    func links() throws {
        let library = try BrowsedSite.library()
        #expect(try library.crawl(most: 400).count == 400)
        let shop = try Self.shopSite()
        #expect(try shop.crawl(most: 250).count == 250)
        let empty = try BrowsedSite.foreign(["CREATE TABLE t (a)", "DROP TABLE t"])
        #expect(try empty.crawl(most: 10) == ["/"])
        #expect(try empty.page("/").text(ofClass: "none")?.contains("no tables") == true)
    }

    @Test("The overview has entities below their parents, counts and relations")
    func overview() throws {
        let page = try BrowsedSite.library().page("/")
        let rows = page.rows.map { $0.map { $0.split(separator: " ").joined(separator: " ") } }
        #expect(rows.contains(["Person abstract", "4", "friends ⇉ Person"]))
        #expect(rows.contains(["Author", "3", "books ⇉ Book edits → Series"]))
        #expect(rows.contains(["Book", "130", "author → Author series → Series"]))
        #expect(page.elements.contains { $0.attributes["class"] == "depth1" && $0.text.contains("Reader") })
        let foreign = try Self.shopSite().page("/")
        #expect(foreign.rows.contains { $0[0].hasPrefix("titles view") })
        #expect(foreign.rows.contains { $0[0] == "album" && $0[1] == "70" && $0[2].contains("artist") })
    }

    @Test("A list has values as 'tributary query' prints them, links to objects and a sentence")
    func list() throws {
        let site = try BrowsedSite.library()
        let page = try site.page(
            "/e/Book?where=price%20%3E%2031&sort=-price&columns=published,author,author.name,price")
        #expect(page.rows[0] == ["isbn", "published", "author", "author.name", "price ↓"])
        #expect(page.rows[1] == ["b1129", "1970-05-10T00:00:00Z", "<b>Stanisław</b>", "<b>Stanisław</b>", "32.25"])
        #expect(page.text(ofClass: "sentence") == "4 rows where price > 31, sorted by price from the greatest.")
        #expect(page.elements.contains { $0.attributes["aria-sort"] == "descending" })
        let related = try site.page("/e/Book?of=Author&key=1&through=books")
        #expect(related.text(ofClass: "sentence")?.hasPrefix("86 rows books of Ursula") == true)
        #expect(try site.page("/e/Author?columns=books").rows.map { $0[1] }.prefix(3) == ["books", "86", "26"])
    }

    @Test("A filter with an error has its reason and its place below the field")
    func filterErrors() throws {
        let site = try BrowsedSite.library()
        let page = try site.page("/e/Book?where=price%20%3E%20%3Cscript%3E", 400)
        let problem = try #require(page.text(ofClass: "problem"))
        #expect(problem.contains("(character 9)") && problem.contains("price > <script>\n        ▲"), "\(problem)")
        #expect(page.all("input").contains { $0.attributes["value"] == "price > <script>" })
        for query in [
            "where=colour%20%3D%3D%201", "sort=colour", "sort=books", "columns=colour", "columns=max(price)",
            "columns=((",
            "after=zz", "sort=price&after=3", "of=Author&key=x", "of=Book&key=1&through=nothing", "where=1%20%3D%3D",
        ] {
            let page = try site.page("/e/Book?\(query)", 400)
            #expect(page.text(ofClass: "problem")?.isEmpty == false, "\(query)")
        }
        for address in [
            "/nothing", "/e", "/e/Nothing", "/e/Book/999", "/e/Book/x", "/e/Book/'a", "/e/Book/1/value/nothing",
            "/e/Book/1/value", "/e/Bo%00ok", "/e/Book/null", "/e/Author/4",
        ] {
            #expect(try site.page(address, 404).all("h1").count == 1, "\(address)")
        }
    }

    @Test("An object has its values, its relations in both directions and its neighbours")
    func object() throws {
        let site = try BrowsedSite.library()
        let author = try site.page("/e/Person/1")
        #expect(author.all("h1")[0].text == "Ursula")
        #expect(author.text(ofClass: "more") == "all 86")
        #expect(author.all("section").contains { $0.text.contains("friends") && $0.text.contains("<b>Stanisław</b>") })
        let book = try site.page("/e/Book/5")
        #expect(book.text(ofClass: "hex")?.count == 129)
        #expect(book.address("next") == "/e/Book/6" && book.address("prev") == "/e/Book/4")
        #expect(
            try site.answer("/e/Book/5/value/cover").body
                == Array(Data((0..<100).map { UInt8($0 ^ 4) }).base64EncodedString().utf8))
        let shop = try Self.shopSite()
        let artist = try shop.page("/e/artist/1")
        #expect(artist.text(ofClass: "more") == "all 35")
        #expect(try shop.page("/e/album/7").all("li").contains { $0.text == "Miles" })
        #expect(try shop.page("/e/code/'two%2Fthree").all("section").count { $0.text.contains("use 2") } == 2)
    }

    @Test("A search finds keys, the beginning of indexed text, and text in all rows")
    func search() throws {
        let site = try Self.shopSite()
        #expect(try site.page("/e/album/search?q=7").rows.map(\.first).contains("7"))
        let page = try site.page("/e/album/search?q=Album%206")
        #expect(page.all("h2").map(\.text).contains("Rows whose title begins so"))
        #expect(try site.page("/e/artist/search?q=NIN").all("h2").map(\.text).contains("Rows with this text"))
        #expect(try site.page("/e/artist/search?q=zzz").text(ofClass: "none") == "Nothing was found.")
        #expect(try site.page("/e/pair/search?q=1", 404).all("h1").count == 1)
        #expect(try site.page("/e/artist/search").all("h1").count == 1)
    }

    @Test("A search of rows continues after the last one that it read")
    func searchContinues() throws {
        var statements: [SQLFragment] = ["CREATE TABLE t (id INTEGER PRIMARY KEY, word TEXT)"]
        for number in 0..<130 { statements.append("INSERT INTO t VALUES (\(number * 2), 'the Same')") }
        let site = try BrowsedSite.foreign(statements)
        var (address, keys): (String?, [String]) = ("/e/t/search?q=same", [])
        while let next = address {
            let page = try site.page(next)
            keys += page.rowAddresses
            address = page.address("next")
        }
        #expect(keys == (0..<130).map { "/e/t/\($0 * 2)" })
    }

    @Test("Names and values that are markup, control characters or very long are shown as text")
    func hostile() throws {
        var statements: [SQLFragment] = []
        let names = [
            "<script>alert(1)</script>", "a\"b' onload=x", "{{title}}", "..", "a/b?c=d&e#f%41", "\u{202E}emoji 👩‍👩‍👧 é",
            "-x", "a,b",
            "select", "javascript:alert(1)", " ", "SELF", "@timestamp", "@count", "\u{301}",
        ]
        for (number, name) in names.enumerated() {
            let other = names[(number + 1) % names.count]
            statements.append(
                "CREATE TABLE \(identifier: name) (\(identifier: name) TEXT, \(identifier: other + "2") REFERENCES \(identifier: other), id INTEGER PRIMARY KEY)"
            )
        }
        for (number, name) in names.enumerated() {
            for value in names + ["\u{0}\u{1}\u{7F}", "</td></table>", String(repeating: "<", count: 100_000)] {
                statements.append(
                    "INSERT INTO \(identifier: name) VALUES (\(value), \(number % 3 == 0 ? SQLValue.integer(1) : .null), NULL)"
                )
            }
        }
        let site = try BrowsedSite.foreign(statements)
        #expect(try site.crawl(most: 400).count > 200)
        for name in names {
            let path = PagesTests.escaped(name)
            let page = try site.page("/e/\(path)?sort=\(path)")
            #expect(page.all("h1")[0].text.unicodeScalars.count == name.unicodeScalars.count, "\(name)")
            for word in ["<i>", "\" x=\"", "{{name}}", "%00"] {
                for query in ["where", "sort", "columns", "after", "match", "of", "q"] {
                    let answer = try site.answer("/e/\(path)?\(query)=\(PagesTests.escaped(word))")
                    _ = try ScannedPage(String(decoding: answer.body, as: UTF8.self))
                }
            }
        }
    }

    @Test("A table whose name the store needs has no page, and the overview and its neighbours have theirs")
    func reservedName() throws {
        let site = try BrowsedSite.foreign([
            "CREATE TABLE _pk (id INTEGER PRIMARY KEY)", "INSERT INTO _pk VALUES (7)",
            "CREATE TABLE t (_pk INTEGER REFERENCES _pk (id), rowid, oid, _rowid_)",
            "INSERT INTO t VALUES (7, 1, 2, 3)",
        ])
        #expect(try site.page("/").rows.count == 3)
        #expect(try site.page("/e/_pk", 404).all("h1")[0].text == "This table cannot be shown")
        #expect(try site.page("/e/t").rows[1] == ["", "7", "1", "2", "3"])
    }

    @Test("A column whose name begins with @ is shown, sorted, filtered and searched; text in brackets stays as it is")
    func marks() throws {
        let site = try BrowsedSite.foreign([
            "CREATE TABLE t (id INTEGER PRIMARY KEY, \"@id\" TEXT, note TEXT)",
            "INSERT INTO t VALUES (1, 'b', '[deleted] by user'), (2, 'a', NULL)",
        ])
        #expect(try site.page("/e/t?sort=%40id").rows.dropFirst().map { $0[1] } == ["a", "b"])
        #expect(try site.page("/e/t?where=%40id%20%3D%3D%20%22b%22").rows.dropFirst().map { $0[0] } == ["1"])
        #expect(try site.page("/e/t/search?q=b").rows.count == 2)
        #expect(try site.page("/e/t/profile").all("h2").map(\.text).contains("@id"))
        #expect(String(decoding: try site.answer("/e/t/1").body, as: UTF8.self).contains("[deleted] by user"))
    }

    private static func escaped(_ text: String) -> String {
        text == ".." ? "%2E%2E" : text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    @Test("A text of 10 MB is shown in part and as a whole by its link")
    func longText() throws {
        let text = String(repeating: "0123456789 <&é", count: 700_000)
        let site = try BrowsedSite.foreign([
            "CREATE TABLE t (id INTEGER PRIMARY KEY, word TEXT)", "INSERT INTO t VALUES (1, \(text))",
        ])
        #expect(try site.answer("/e/t").body.count < 20_000)
        let page = try site.page("/e/t/1")
        #expect(page.elements.contains { $0.name == "pre" && $0.text.count > 10_000 && $0.text.count < 30_000 })
        let address = try #require(page.addresses.first { $0.contains("/value/") })
        #expect(try site.answer(address).body == Array(text.utf8))
    }

    @Test("A page that takes too long says so and what to do, and shows no rows")
    func timeLimit() throws {
        var statements: [SQLFragment] = ["CREATE TABLE t (a INTEGER, b TEXT)", "CREATE INDEX byA ON t (a)"]
        statements.append(
            """
            INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 400000)
            SELECT i, hex(i * 7919 % 400000) FROM n
            """)
        let site = try BrowsedSite.foreign(statements, limit: .milliseconds(40))
        let page = try site.page("/e/t?sort=b", 503)
        #expect(page.all("h1")[0].text == "This takes too long" && page.all("table").isEmpty)
    }

    @Test("The style and the script are answered, and a missing database is a page")
    func files() throws {
        let site = try BrowsedSite.library()
        #expect(try site.answer("/style.css").kind == .css)
        #expect(try site.answer("/script.js").kind == .script)
        try FileManager.default.removeItem(atPath: site.path)
        #expect(try site.page("/", 500).all("h1").count == 1)
    }
}
