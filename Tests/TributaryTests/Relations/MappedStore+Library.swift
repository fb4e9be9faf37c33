import TributaryGraph
import TributarySQLite
import TributaryTestSupport

extension MappedStore {
    /// A store of the library.
    static func library() throws -> MappedStore { try MappedStore(LibraryModel.entities) }

    /// The content by keys, whatever the primary keys are: each row with the keys of the objects that it leads to.
    func libraryContent() throws -> [String] {
        let queries = [
            "SELECT 'author', a.id, a.name, m.id FROM Author a LEFT JOIN Author m ON m._pk = a.mentor",
            """
            SELECT 'book', b.isbn, b.title, a.id, p.code, s.isbn, r.isbn FROM Book b LEFT JOIN Author a ON a._pk = b.author
            LEFT JOIN Publisher p ON p._pk = b.publisher LEFT JOIN Book s ON s._pk = b.sequel
            LEFT JOIN Book r ON r._pk = b.prequel
            """,
            "SELECT 'tag', name, color FROM Tag",
            "SELECT 'publisher', code, city FROM Publisher",
            """
            SELECT 'review', b.isbn, (SELECT COUNT(*) FROM Review o WHERE o.book = r.book
            AND o."_order.Book.reviews" < r."_order.Book.reviews"), r.stars, r.text FROM Review r JOIN Book b ON b._pk = r.book
            """,
            """
            SELECT 'tagged', b.isbn, (SELECT COUNT(*) FROM "_Book.tags" o WHERE o._source = j._source
            AND o._targetOrder < j._targetOrder), t.name
            FROM "_Book.tags" j JOIN Book b ON b._pk = j._source JOIN Tag t ON t._pk = j._target
            """,
            """
            SELECT 'similar', MIN(b.isbn, c.isbn), MAX(b.isbn, c.isbn)
            FROM "_Book.similar" j JOIN Book b ON b._pk = j._source JOIN Book c ON c._pk = j._target
            """,
        ]
        return try queries.flatMap { try rows($0).map { "[\($0.map(Self.text).joined(separator: ", "))]" }.sorted() }
    }

    /// All rows of all tables, with their primary keys; without places in lists if some records add to these.
    func libraryDump(hasPlaces: Bool) throws -> [String] {
        let tables = [
            "Author": "id, name, mentor", "Book": "isbn, title, author, publisher, sequel, prequel",
            "Tag": "name, color",
            "Publisher": "code, city", "Review": "stars, text, book, \"_order.Book.reviews\"",
        ]
        var dump = try tables.sorted { $0.key < $1.key }.flatMap { table, columns in
            try rows("SELECT _pk, \(columns) FROM \"\(table)\" ORDER BY 1").map { "\(table) \($0.map(Self.text))" }
        }
        for join in ["_Book.tags", "_Book.similar"] {
            // Places after all that an owner lists itself are told by their order: some may be left free before them.
            let places =
                "CASE WHEN \"_targetOrder\" < 1 << 32 THEN \"_targetOrder\" ELSE 'last ' || ROW_NUMBER() "
                + "OVER (PARTITION BY \"_source\", \"_targetOrder\" < 1 << 32 ORDER BY \"_targetOrder\") END"
            let order = hasPlaces && join == "_Book.tags" ? ", \(places)" : ""
            dump += try rows("SELECT \"_source\", \"_target\"\(order) FROM \"\(join)\" ORDER BY 1, 2").map {
                "\(join) \($0.map(Self.text))"
            }
        }
        if try !rows("SELECT 1 FROM sqlite_master WHERE name = '_waiting'").isEmpty {
            dump += try rows("SELECT relation, owner, key0\(hasPlaces ? ", position" : "") FROM _waiting").map {
                "\($0.map(Self.text))"
            }
            .sorted()
        }
        return dump
    }

    private static func text(_ value: SQLValue) -> String {
        switch value {
        case .null: "null"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): text
        case .blob(let bytes): "\(bytes)"
        }
    }

    /// What SQLite and the rules of the model say against the database.
    func libraryFaults() throws -> [String] {
        var faults = try rows("PRAGMA integrity_check").map { "\($0)" }.filter { !$0.contains("ok") }
        faults += try rows("PRAGMA foreign_key_check").map { "\($0)" }
        faults += try rows(
            "SELECT isbn FROM Book b WHERE sequel IS NOT NULL AND (SELECT prequel FROM Book WHERE _pk = b.sequel) IS NOT b._pk"
        )
        .map { "sequel \($0)" }
        faults += try rows(
            "SELECT isbn FROM Book b WHERE prequel IS NOT NULL AND (SELECT sequel FROM Book WHERE _pk = b.prequel) IS NOT b._pk"
        )
        .map { "prequel \($0)" }
        return faults
    }
}
