import Testing
import TributaryTestSupport

import Tributary

/// The SQL that an import executes: one lookup for many keys, or none.
@Suite struct ImportSQLTests {
    /// The statements on items, counted by their purpose.
    private struct Work: Equatable {
        var lookups = 0
        var reads = 0
        var others: [String] = []
        /// Statements that insert many rows each.
        var inserts = 0
        var updates = 0
        /// Statements that move the rows of a load.
        var moves = 0

        init(_ statements: [String]) {
            for sql in statements where sql.contains("\"FeedItem\"") {
                if sql.hasPrefix("INSERT OR FAIL INTO \"FeedItem\"") {
                    inserts += 1
                } else if sql.hasPrefix("INSERT INTO main.\"FeedItem\" SELECT * FROM") {
                    moves += 1
                } else if sql.hasPrefix("UPDATE \"FeedItem\"") {
                    updates += 1
                } else if sql.hasPrefix("SELECT k.\"rowid\", t.\"_pk\" ") {
                    lookups += 1
                } else if sql.hasPrefix("SELECT k.\"rowid\", t.") {
                    reads += 1
                } else if sql.hasPrefix("SELECT") {
                    others.append(sql)
                }
            }
        }
    }

    /// The query whether the table has any row.
    private static let isEmpty = "SELECT 1 FROM \"FeedItem\" LIMIT 1"

    private static let isEmptyHere = "SELECT 1 FROM main.\"FeedItem\" LIMIT 1"

    @Test("A load into an empty table looks up no keys, and moves all rows in one statement")
    func anEmptyTableIsNotAsked() throws {
        let items = try ItemStore()
        var books = ImportSummary()
        let work = Work(
            try items.recorded {
                books = try items.take(ItemStore.text(0..<500)) {
                    $0.batchSize = 10
                    $0.firstLoad = .direct
                }
            })
        #expect(work.lookups == 0 && work.reads == 0 && Set(work.others) == [Self.isEmpty, Self.isEmptyHere])
        #expect(work.inserts == 0 && work.updates == 0 && work.moves == 1 && books.inserted == 500)
        #expect(try items.rows().count == 500)
    }

    @Test("Repeated keys of a load are looked up with one query")
    func repeatsOfALoadAreLookedUpTogether() throws {
        let items = try ItemStore()
        let text = ItemStore.text((0..<500).map { $0 % 400 }) { "\($0)" }
        var books = ImportSummary()
        let work = Work(
            try items.recorded {
                books = try items.take(text) {
                    $0.batchSize = 10
                    $0.firstLoad = .direct
                }
            })
        #expect(work.lookups == 1 && work.reads == 1 && Set(work.others) == [Self.isEmpty, Self.isEmptyHere])
        #expect(work.inserts == 0 && work.updates == 0 && work.moves == 1 && books.inserted == 400)
        #expect(try items.rows().count == 400)
    }

    @Test("An import looks up all keys of a chunk with one query", arguments: [1, 10, 1000])
    func aChunkIsLookedUpOnce(_ batchSize: Int) throws {
        let items = try ItemStore()
        try items.take(ItemStore.text(0..<300))
        let chunks = (500 + batchSize - 1) / batchSize
        var books = ImportSummary()
        let work = Work(
            try items.recorded {
                books = try items.take(ItemStore.text(100..<600) { $0 % 2 == 0 ? "new \($0)" : "name \($0)" }) {
                    $0.batchSize = batchSize
                }
            })
        #expect((1...chunks).contains(work.lookups) && (1...chunks).contains(work.reads), "\(work)")
        #expect(work.others == [])
        // The new rows of a chunk share one statement; each changed row has one of its own.
        #expect((1...chunks).contains(work.inserts) && books.inserted == 300)
        #expect(work.updates == 100 && books.updated == 100)
        #expect(try items.rows().count == 600)
    }

    @Test("Importing unchanged records again writes no row", arguments: ImportMode.allCases)
    func nothingNewWritesNothing(_ mode: ImportMode) throws {
        let items = try ItemStore()
        try items.take(ItemStore.text(0..<300))
        var books = ImportSummary()
        let work = Work(
            try items.recorded {
                books = try items.take(ItemStore.text(0..<300).replacing(",\n", with: " ,")) { $0.mode = mode }
            })
        #expect(work.inserts == 0 && work.updates == 0 && work.lookups == 1, "\(books)")
        #expect(books.isBalanced && books.read == 300)
        // Modes that change no row do not read it.
        #expect(work.reads == (mode == .insert || mode == .ignore ? 0 : 1))
    }
}
