package import TributarySQLite

/// The marks of feeds, each with its runs.
///
/// What a feed has brought is marked by its runs. Marks that a run has replaced may be kept under another name, for an undo.
extension MarkTable {
    /// A block of the keys of an entity.
    struct FeedBlock {
        /// The keys that earlier runs of the feed have brought.
        let imported: [UInt8]
        /// Those of them that the latest run has neither seen nor referred to, and that no other feed holds.
        var missing: [UInt8]
        /// Those of them that the latest run has not seen, but has referred to.
        var referred: [UInt8]
        /// Those of them that the latest run has neither seen nor referred to, and that another feed holds.
        var shared: [UInt8]
    }

    /// The name under which the rows are marked that records of a feed only refer to.
    package static func references(of feed: String) -> String { "\u{1}\(feed)" }

    /// The name under which the marks are kept that a run has replaced.
    private static func replaced(by run: Int, of feed: String) -> String { references(of: "\u{1}\(run)\u{1}\(feed)") }

    /// The later name of a feed: one without a name of its own has that of its entity, and the place of its records.
    package static func renamed(_ feed: String, _ names: [String: String]) -> String {
        let start = feed.lastIndex(of: "\u{1}").map(feed.index(after:)) ?? feed.startIndex
        let own = feed[start...]
        let entities = names.keys.filter { own == $0 || own.hasPrefix($0 + " at ") }
        guard let entity = entities.max(by: { $0.count < $1.count }), let name = names[entity] else { return feed }
        return feed[..<start] + name + own.dropFirst(entity.count)
    }

    /// Calls `body` with each block of an entity that earlier runs of a feed have brought, in ascending order.
    static func forEachBlock(
        of entity: String, feed: String, run: Int, on connection: Connection,
        _ body: (Int64, FeedBlock) throws -> Void
    ) throws {
        let none = [UInt8](repeating: 0, count: KeyBitmap.bytesInBlock)
        // The keys of earlier runs, of the latest run, of its references, and of other feeds.
        var marks = [none, none, none, none]
        var current: Int64?
        func pass() throws {
            guard let current, marks[0] != none else { return }
            var block = FeedBlock(imported: marks[0], missing: marks[0], referred: none, shared: none)
            for (index, imported) in marks[0].enumerated() {
                let (seen, referred, others) = (marks[1][index], marks[2][index], marks[3][index])
                let left = imported & ~seen & ~referred
                block.missing[index] = left & ~others
                block.referred[index] = imported & ~seen & referred
                block.shared[index] = left & others
            }
            try body(current, block)
        }
        let references = references(of: feed)
        try connection.forEachRow(
            of: """
                SELECT "block", CASE "feed" WHEN \(feed) THEN "run" = \(run) WHEN \(references) THEN 2 ELSE 3 END, "bits"
                FROM \(identifier: name) WHERE "entity" = \(entity) AND ("feed" = \(references) AND "run" = \(run)
                OR "feed" <> \(contextFeed) AND "feed" NOT GLOB \(self.references(of: "*"))) ORDER BY 1
                """
        ) { row in
            if row.integer(at: 0) != current {
                try pass()
                (current, marks) = (row.integer(at: 0), [none, none, none, none])
            }
            let (kind, bytes) = (Int(row.integer(at: 1)), try bits(of: row, at: 2, connection))
            for index in bytes.indices { marks[kind][index] |= bytes[index] }
        }
        try pass()
    }

    /// Removes the marks of all runs of a feed but one, or if `keepsEarlier`, keeps them for an undo of that run.
    static func keepMarks(
        ofRun run: Int, feed: String, keepsEarlier: Bool, on connection: Connection
    ) throws {
        guard keepsEarlier else { return try remove(feed: feed, besides: run, on: connection) }
        guard try connection.hasTable(name) else { return }
        try connection.execute(
            """
            UPDATE \(identifier: name) SET "feed" = \(replaced(by: run, of: feed))
            WHERE "feed" = \(feed) AND "run" <> \(run)
            """)
    }

    /// Takes the marks of a run from a feed, and gives those back that the run has replaced.
    ///
    /// Marks of later runs stay.
    package static func undo(feed: String, run: Int, on connection: Connection) throws {
        guard try connection.hasTable(name) else { return }
        try remove(feed: feed, run: run, on: connection)
        try connection.execute(
            "UPDATE \(identifier: name) SET \"feed\" = \(feed) WHERE \"feed\" = \(replaced(by: run, of: feed))")
    }

    /// Forgets the marks that a run has replaced, so that it can no longer be undone.
    package static func forgetReplaced(by run: Int, on connection: Connection) throws {
        guard try connection.hasTable(name) else { return }
        try connection.execute(
            "DELETE FROM \(identifier: name) WHERE \"feed\" GLOB \(replaced(by: run, of: "*"))")
    }
}

extension KeyBitmap {
    /// The keys of one block.
    init(block number: Int64, _ bytes: [UInt8]) {
        self.init()
        formUnion(block: number, bytes)
    }
}

extension [UInt8] {
    /// The number of bits that are set.
    var bitCount: Int { reduce(0) { $0 + $1.nonzeroBitCount } }
}
