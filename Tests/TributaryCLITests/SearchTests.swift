import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// `tributary import --search` and `tributary query --match`.
@Suite struct SearchTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    private static let sessions = ProcessInfo.processInfo.environment["TRIBUTARY_SEARCHES"].flatMap { Int($0) } ?? 3

    private func make(_ statements: String...) throws {
        let connection = try Connection(.file(world.database))
        connection.setUsesSchemaCode(true)
        for statement in statements { try connection.execute(SQLFragment(trusted: statement)) }
    }

    private func find(_ words: String...) throws -> Tool.Outcome {
        try Tool.tributary.run(["query", world.database] + words)
    }

    private func books() throws -> String {
        try world.write(
            """
            {"id":1,"title":"The Old Man and the Sea","note":"a fish"}
            {"id":2,"title":"Sea, sea, old sea","note":null}
            {"id":3,"title":"Moby Dick","note":"the whale of the sea"}
            """, "books.ndjson")
    }

    @Test("A search finds what a plain evaluation finds, whatever commands have changed", arguments: 0..<sessions)
    func staysInStep(_ number: Int) throws {
        for (place, kind) in SearchWorld.Kind.allCases.enumerated() {
            let seed = SeededGenerator.sampled(5_700, case: UInt64(number * 10 + place))
            let world = try SearchWorld(kind, seed)
            for _ in 0..<14 {
                do {
                    try world.step()
                    try world.check()
                } catch {
                    throw SearchWorld.Failure("\(error)", world)
                }
            }
        }
    }

    @Test("Words, phrases and beginnings of words are found, the best match first, with all other options")
    func queries() throws {
        try world.load(books(), "--key", "id", "--search", "title,note").expect(
            0, error: "made the full-text index books_fts of title, note; to use it: tributary query ")
        func check(_ match: String, _ words: String..., output: String) throws {
            let words = ["query", world.database, "books", "--match", match, "--format", "csv"] + words
            try Tool.tributary.run(words).expect(0, output: output)
        }
        try check("sea", "--fields", "id", output: "id\n2\n3\n1\n")
        try check("old sea", "--fields", "id", output: "id\n2\n1\n")
        try check("\"old man\"", "--fields", "id", output: "id\n1\n")
        try check("wha*", "--fields", "id", output: "id\n3\n")
        try check("sea", "--fields", "id", "--sort", "id", output: "id\n1\n2\n3\n")
        try check("sea", "--fields", "id", "--limit", "1", "--offset", "1", output: "id\n3\n")
        try check("sea", "--fields", "id", "--where", "note != nil", output: "id\n3\n1\n")
        try check("sea", "--group-by", "note", "--having", "note == nil", output: "note,count\n,1\n")
        try check("sea", "--fields", "id", "--having", "id < 3", output: "id\n2\n1\n")
        try check("sea", "--fields", "total=sum(id)", output: "total\n6\n")
        try find("books", "--match", "old sea", "--count").expect(0, output: "2\n")
        try find("books", "--match", "sea", "--explain").expect(0, text: "MATCH ?", "VIRTUAL TABLE INDEX")
        try find("books", "--match", " ").expect(64, error: "Option '--match' takes words")
    }

    @Test("Whatever is typed is no expression of FTS5")
    func typedText() throws {
        try world.load(books(), "--key", "id", "--search", "title").expect(0)
        var generator = SeededGenerator.fresh()
        let pieces = [
            "\"", "*", "(", ")", "^", "-", ":", "+", "AND", "OR", "NEAR", "title", " ", "sea", "'", "{", "\\", ",",
        ]
        for _ in 0..<40 {
            let text = "sea" + (0..<generator.below(9)).map { _ in generator.pick(pieces) }.joined()
            try find("books", "--match", text).expect(0)
        }
        try find("books", "--match", String(repeating: "sea ", count: 3000), "--count").expect(0, output: "2\n")
        try find("books", "--match", "old\nsea\t", "--count").expect(0, output: "2\n")
    }

    @Test("An index is made when it is missing or has other columns, and left alone otherwise")
    func repeatedImports() throws {
        let feed = try books()
        try world.load(feed, "--key", "id").expect(0)
        try find("books", "--match", "sea").expect(1, error: "books has no full-text index; an import with --search")
        try world.load(feed, "--key", "id", "--search", "title").expect(
            0, error: "made the full-text index books_fts of")
        let before = try world.query("PRAGMA schema_version")
        try world.load(feed, "--key", "id", "--search", "Title").expect(0, without: "index")
        #expect(try world.query("PRAGMA schema_version") == before)
        try world.load(feed, "--key", "id", "--search", "note").expect(
            0, error: "made the full-text index books_fts again, of note instead of title")
        try make("DROP TRIGGER books_au", "UPDATE books SET note = 'changed' WHERE id = 1")
        try world.load(feed, "--key", "id", "--search", "note").expect(0, error: "because its triggers were missing")
        try find("books", "--match", "changed", "--count").expect(0, output: "1\n")
        try world.load(feed, "--key", "id", "--again", "--dry-run", "--search", "title").expect(2, without: "made the")
        #expect(try world.query("SELECT name FROM pragma_table_info('books_fts')") == [[.text("note")]])
    }

    @Test("A staged import publishes an index, also without another change")
    func staged() throws {
        let feed = try books()
        try world.load(feed, "--key", "id", "--staged").expect(0)
        try world.load(feed, "--key", "id", "--staged", "--search", "title").expect(
            0, error: "made the full-text index")
        try find("books", "--match", "moby", "--count").expect(0, output: "1\n")
    }

    @Test("Several tables: the table of the records, or the one that is named")
    func otherTables() throws {
        let shop = try world.write(
            #"{"books":[{"id":1,"title":"Sea","author":{"id":7,"name":"Ann"}}],"tags":[{"id":1,"word":"sea"}]}"#)
        try world.load(shop, "--all", "--search", "title").expect(1, error: "name the table of 'title' too")
        try world.load(shop, "--all", "--search", "books.title,tags.word").expect(
            0, error: "made the full-text index books_fts of title", "made the full-text index tags_fts of word")
        try find("tags", "--match", "sea", "--count").expect(0, output: "1\n")
        let related = world.folder.path("related.sqlite")
        try Tool.tributary.run([
            "import", related, shop, "--at", ".books[]", "--table", "books", "--relations", "--search",
            "title,author.name",
        ]).expect(0, error: "author_fts of name", "books_fts of title")
    }

    @Test("A column that is not there is refused with the nearest name, before anything is written if it is known")
    func unknownColumns() throws {
        let feed = try books()
        try world.load(feed, "--key", "id", "--search", "titel").expect(
            1, error: "there is no column 'titel' for a full-text index. Did you mean 'title'?",
            "everything read is committed, and the same command with other names in --search makes the full-text index")
        #expect(try world.rows("books").count == 3)
        let users = try world.write(#"[{"id":1,"name":"Ann"}]"#)
        let typed = world.folder.path("typed.sqlite")
        try Tool.tributary.run(["import", typed, users, "--model", world.model(), "--search", "nam"]).expect(
            1, error: "Did you mean 'name'?")
        #expect(!FileManager.default.fileExists(atPath: typed))
        try make("CREATE TABLE notes (id INTEGER PRIMARY KEY, \"a \"\"b\" TEXT)")
        let notes = try world.write(#"[{"id":1,"a \"b":"sea"}]"#, "notes.json")
        try world.load(notes, "--search", "b").expect(1, error: "there is no column 'b' for a full-text index")
        #expect(try world.query("SELECT * FROM notes").isEmpty)
        try world.load(notes, "--search", "a \"b").expect(0)
        try find("notes", "--match", "sea", "--count").expect(0, output: "1\n")
    }

    @Test("Names that FTS5 or something else has, and tables without row IDs, are refused")
    func refusedNames() throws {
        let feed = try world.write(#"[{"id":1,"rank":"sea","users_fts":"x"}]"#)
        try world.load(feed, "--key", "id", "--search", "Rank").expect(1, error: "FTS5 has a column 'Rank' of its own")
        try world.load(feed, "--key", "id", "--search", "users_fts").expect(1, error: "it has the name of the index")
        #expect(!FileManager.default.fileExists(atPath: world.database))
        try make("CREATE TABLE users_fts_data (x)", "CREATE TABLE codes (id TEXT PRIMARY KEY) WITHOUT ROWID")
        try world.load(feed, "--key", "id", "--search", "id").expect(
            1, error: "the full-text index of users needs the name of the table users_fts_data")
        let codes = try world.write(#"[{"id":"a"}]"#, "codes.json")
        try world.load(codes, "--search", "id").expect(1, error: "codes has no row IDs")
        try make(
            "CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, note TEXT)",
            "CREATE VIRTUAL TABLE books_fts USING fts5(title, tokenize = 'porter', content='books')")
        try world.load(books(), "--search", "note").expect(
            1, error: "another program has made the full-text index books_fts of other columns")
    }

    @Test("An index of another program is used, and no index is listed as a table")
    func otherPrograms() throws {
        try make(
            "CREATE TABLE pages (id INTEGER PRIMARY KEY, body TEXT)",
            "INSERT INTO pages VALUES (7, 'old sea'), (8, 'new sea')",
            "CREATE VIRTUAL TABLE [find pages] USING FTS5(body, tokenize=\"porter unicode61\", content=[pages])",
            "INSERT INTO \"find pages\"(\"find pages\") VALUES ('rebuild')",
            "CREATE VIRTUAL TABLE own_values USING fts5(text)")
        try find("pages", "--match", "new", "--format", "csv").expect(0, output: "id,body\n8,new sea\n")
        try Tool.tributary.run(["tables", world.database, "--json"]).expect(
            0, text: "\"pages\"", "\"own_values\""
        ).expect(0, without: "find pages")
        #expect(try !Tool.tributary.run(["tables", world.database]).text.contains("find"))
        try find("find pages").expect(1, error: "there is no entity or table 'find pages'")
    }

    @Test("An index of this library is used with its triggers alone, and is made again with them")
    func withoutTriggers() throws {
        try world.load(books(), "--key", "id", "--search", "title").expect(0)
        try make("DROP TRIGGER books_ai", "INSERT INTO books (_pk, id, title) VALUES (77, 77, 'whale')")
        try find("books", "--match", "sea").expect(1, error: "books has no full-text index")
        try world.load(books(), "--key", "id", "--search", "title").expect(0, error: "its triggers were missing")
        try find("books", "--match", "whale", "--count").expect(0, output: "1\n")
    }

    @Test("An index of another program is checked once the columns are known")
    func knownColumns() throws {
        let feed = try books()
        try world.load(feed, "--key", "id").expect(0)
        try make(
            "CREATE VIRTUAL TABLE books_fts USING fts5(title, content='books', content_rowid='_pk', tokenize='porter')")
        try world.load(feed, "--key", "id", "--search", "note").expect(1, error: "another program has made")
        try world.load(feed, "--key", "id", "--search", "title").expect(0)
    }

    @Test("A migration keeps an index in step with renamed columns and tables, and says what it loses")
    func migrated() throws {
        let users = try world.write(#"[{"id":1,"name":"Ann","address":{"city":"Graz"}}]"#)
        let model = try world.model()
        try world.load(users, "--model", model, "--search", "name,city").expect(0)
        let text = try String(contentsOfFile: model, encoding: .utf8)
        let next = text.replacing("name=\"User\"", with: "name=\"Person\" elementID=\"User\"")
            .replacing("name=\"name\"", with: "name=\"title\" elementID=\"name\"")
            .replacing("name=\"city\"", with: "name=\"town\"")
        let words = ["migrate", world.database, "--drop-values", "--model", try world.write(next, "Next.xml")]
        try Tool.tributary.run(words).expect(0, text: "removes city from the full-text index of User")
        try find("Person", "--match", "ann", "--count").expect(0, output: "1\n")
        #expect(
            try world.query("SELECT name FROM sqlite_master WHERE name LIKE 'User%' OR name LIKE '%\\_a_' ESCAPE '\\'")
                == [[.text("Person_ai")], [.text("Person_ad")], [.text("Person_au")]])
        let last = next.replacing("name=\"title\" elementID=\"name\"", with: "name=\"other\"")
        try Tool.tributary.run(words.dropLast() + [world.write(last, "Last.xml")]).expect(
            0, text: "drops the full-text index of Person")
        try find("Person", "--match", "ann").expect(1, error: "Person has no full-text index")
    }
}
