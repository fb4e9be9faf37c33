import CTributaryTwins
import Foundation
import TributaryGraph
import TributarySQLite

/// `scripts/benchmark migrate`: migrates a store of a million rows, beside the same SQL in C.
struct MigrationBenchmark {
    private let options: BenchmarkOptions
    private let folder: URL

    init(_ words: [String]) throws {
        let usage = "usage: scripts/benchmark migrate [--rounds N] [--count N]"
        options = try BenchmarkOptions(words, usage: usage)
        guard options.names.isEmpty else { throw Problem(usage) }
        folder = FileManager.default.temporaryDirectory.appending(path: "tributary-migrate-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Measures, and prints.
    func run() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let template = folder.appending(path: "template.sqlite").path
        try fill(template)
        for work in Self.works {
            let model = try Self.model(work.change)
            var (own, twin) = ([Double](), [Double]())
            for _ in 0..<options.rounds {
                own.append(
                    try measure(template) { path in try SQLiteStore(model, at: .sqlite(path)).close() })
                twin.append(
                    try measure(template) { path in
                        guard twin_execute(path, work.sql) == 0 else {
                            throw Problem("the twin of \(work.name) failed")
                        }
                    })
            }
            print(
                String(
                    format: "%@, %d rows: %.3f s, C %.3f s (ratio %.2f, target 2)", work.name, options.count,
                    own.median,
                    twin.median, own.median / twin.median))
        }
    }

    /// The time of `body` on a copy of the template.
    private func measure(_ template: String, _ body: (String) throws -> Void) throws -> Double {
        let path = folder.appending(path: "copy.sqlite").path
        for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) }
        try FileManager.default.copyItem(atPath: template, toPath: path)
        return try Duration.measure { try body(path) }.seconds
    }

    private func fill(_ path: String) throws {
        let store = try SQLiteStore(Self.model { _ in }, at: .sqlite(path))
        defer { store.close() }
        try store.write { connection in
            try connection.transaction {
                try connection.execute(
                    """
                    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
                    INSERT INTO "Author" ("_pk", "name") SELECT i, 'author ' || i FROM n
                    """)
                try connection.execute(
                    """
                    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(options.count))
                    INSERT INTO "Book" ("_pk", "isbn", "title", "pages", "author")
                    SELECT i, i, 'the title of book ' || i, i % 900, 1 + i * 7919 % 10000 FROM n
                    """)
            }
        }
    }

    private static func model(_ change: (inout [EntityDescription]) -> Void) throws -> Model {
        var (book, author) = (EntityDescription("Book"), EntityDescription("Author"))
        book.attributes = [
            AttributeDescription("isbn", .integer64), AttributeDescription("title", .string),
            AttributeDescription("pages", .integer32),
        ]
        book.uniquenessConstraints = [["isbn"]]
        author.attributes = [AttributeDescription("name", .string)]
        var one = RelationshipDescription("author", to: "Author")
        one.inverse = "books"
        var many = RelationshipDescription("books", to: "Book")
        (many.inverse, many.isToMany) = ("author", true)
        (book.relationships, author.relationships) = ([one], [many])
        var entities = [book, author]
        change(&entities)
        return try Model(ModelDescription(entities))
    }

    /// Changes of the model, with the same ones as a C program would make them.
    private static var works: [(name: String, change: (inout [EntityDescription]) -> Void, sql: String)] {
        [
            (
                "adding an attribute",
                { entities in
                    var year = AttributeDescription("year", .integer16)
                    year.defaultValue = .integer(1999)
                    entities[0].attributes.append(year)
                },
                "ALTER TABLE Book ADD COLUMN year INTEGER; UPDATE Book SET year = 1999;"
            ),
            (
                "renaming an entity",
                { entities in
                    (entities[0].name, entities[0].renamingIdentifier) = ("Work", "Book")
                    entities[1].relationships[0].destination = "Work"
                },
                """
                ALTER TABLE Book RENAME TO Work; DROP INDEX "_unique.Book.isbn"; DROP INDEX "_index.Book.author";
                CREATE UNIQUE INDEX "_unique.Work.isbn" ON Work (isbn); CREATE INDEX "_index.Work.author" ON Work (author);
                """
            ),
            (
                "making a relationship to-many", { $0[0].relationships[0].isToMany = true },
                """
                CREATE TABLE "_Author.books" (_source INTEGER NOT NULL REFERENCES Author (_pk),
                    _target INTEGER NOT NULL REFERENCES Book (_pk), PRIMARY KEY (_source, _target)) WITHOUT ROWID;
                INSERT INTO "_Author.books" SELECT author, _pk FROM Book WHERE author IS NOT NULL ORDER BY 1, 2;
                DROP INDEX "_index.Book.author"; ALTER TABLE Book DROP COLUMN author;
                CREATE INDEX "_index._Author.books" ON "_Author.books" (_target);
                """
            ),
        ]
    }
}
