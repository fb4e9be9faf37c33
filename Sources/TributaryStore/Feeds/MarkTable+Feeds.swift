package import TributarySQLite

/// The marks of feeds, each with its runs.
///
/// What a feed has brought is marked by its runs. Marks that a run has replaced may be kept under another name, for an undo.
extension MarkTable {
    /// A block of the keys of an entity.
    package struct FeedBlock {
        /// The keys that earlier runs of the feed have brought.
        package let imported: [UInt8]
        /// Those of them that the latest run has not seen, and that no other feed holds.
        package let missing: [UInt8]
        /// Those of them that the latest run has not seen, but has referred to.
        package let referred: [UInt8]
        /// Those of them that the latest run has neither seen nor referred to, and that another feed holds.
        package let shared: [UInt8]
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

    /// The entities that a feed has brought, by name.
    ///
    /// - Throws: `SQLiteError`.
    static func entities(ofFeed feed: String, on connection: Connection) throws -> [String] {
        guard try connection.hasTable(name) else { return [] }
        var names: [String] = []
        try connection.forEachRow(
            of: """
                SELECT DISTINCT "entity" FROM \(identifier: name) WHERE "feed" = \(feed) ORDER BY "entity"
                """
        ) { names.append($0.text(at: 0)) }
        return names
    }

    /// Calls `body` with each block of an entity that earlier runs of a feed have brought, in ascending order.
    ///
    /// - Throws: `SQLiteError`, `StoreError` if a block is damaged, the error of `body`.
    static func forEachBlock(
        of entity: String, feed: String, run: Int, on connection: Connection,
        _ body: (Int64, FeedBlock) throws -> Void
    ) throws {
        var numbers: [Int64] = []
        try connection.forEachRow(
            of: """
                SELECT DISTINCT "block" FROM \(identifier: name)
                WHERE "feed" = \(feed) AND "run" <> \(run) AND "entity" = \(entity) ORDER BY "block"
                """
        ) { numbers.append($0.integer(at: 0)) }
        let feeds = try otherFeeds(besides: feed, on: connection)
        for number in numbers {
            var (imported, kept, referred) = (KeyBitmap(), KeyBitmap(), KeyBitmap())
            try connection.forEachRow(
                of: """
                    SELECT "run", "bits" FROM \(identifier: name)
                    WHERE "feed" = \(feed) AND "entity" = \(entity) AND "block" = \(number)
                    """
            ) { row in
                let bytes = try bits(of: row, at: 1, connection)
                if row.integer(at: 0) == run {
                    kept.formUnion(block: number, bytes)
                } else {
                    imported.formUnion(block: number, bytes)
                }
            }
            let seen = kept
            try connection.forEachRow(
                of: """
                    SELECT "bits" FROM \(identifier: name) WHERE "feed" = \(references(of: feed)) AND "run" = \(run)
                    AND "entity" = \(entity) AND "block" = \(number)
                    """
            ) { referred.formUnion(block: number, try bits(of: $0, at: 0, connection)) }
            kept.formUnion(referred)
            let own = kept
            for other in feeds {
                try connection.forEachRow(
                    of: """
                        SELECT "bits" FROM \(identifier: name)
                        WHERE "feed" = \(other) AND "entity" = \(entity) AND "block" = \(number)
                        """
                ) { kept.formUnion(block: number, try bits(of: $0, at: 0, connection)) }
            }
            guard let bytes = imported[block: number] else { continue }
            func left(by other: KeyBitmap) -> [UInt8] {
                other[block: number].map { zip(bytes, $0).map { $0 & ~$1 } } ?? bytes
            }
            let known = referred[block: number].map { zip(left(by: seen), $0).map { $0 & $1 } } ?? []
            let missing = left(by: kept)
            let shared = zip(left(by: own), missing).map { $0 & ~$1 }
            try body(number, FeedBlock(imported: bytes, missing: missing, referred: known, shared: shared))
        }
    }

    private static func otherFeeds(besides feed: String, on connection: Connection) throws -> [String] {
        var feeds: [String] = []
        try connection.forEachRow(
            of: """
                SELECT DISTINCT "feed" FROM \(identifier: name) WHERE "feed" <> \(feed) AND "feed" <> \(contextFeed)
                AND "feed" NOT GLOB \(references(of: "*"))
                """
        ) { feeds.append($0.text(at: 0)) }
        return feeds
    }

    /// Those of some ascending keys that a run has marked.
    ///
    /// - Throws: `SQLiteError`, `StoreError` if a block is damaged.
    static func keys(
        among keys: [Int64], feed: String, run: Int, entity: String, on connection: Connection
    ) throws -> [Int64] {
        guard try connection.hasTable(name) else { return [] }
        var found: [Int64] = []
        var (current, block) = (Int64.min, KeyBitmap())
        for key in keys {
            let number = key / Int64(KeyBitmap.keysInBlock)
            if number != current {
                (current, block) = (number, KeyBitmap())
                try connection.forEachRow(
                    of: """
                        SELECT "bits" FROM \(identifier: name) WHERE "feed" = \(feed) AND "run" = \(run)
                        AND "entity" = \(entity) AND "block" = \(number)
                        """
                ) { block.formUnion(block: number, try bits(of: $0, at: 0, connection)) }
            }
            if block.contains(key) { found.append(key) }
        }
        return found
    }

    /// Removes the marks of all runs of a feed but one, or if `keepsEarlier`, keeps them for an undo of that run.
    ///
    /// - Throws: `SQLiteError`.
    static func keepMarks(
        ofRun run: Int, feed: String, keepsEarlier: Bool, on connection: Connection
    ) throws {
        guard try connection.hasTable(name) else { return }
        let ofOthers: SQLFragment = " WHERE \"feed\" = \(feed) AND \"run\" <> \(run)"
        guard keepsEarlier else { return try connection.execute("DELETE FROM \(identifier: name)" + ofOthers) }
        try connection.execute(
            "UPDATE \(identifier: name) SET \"feed\" = \(replaced(by: run, of: feed))" + ofOthers)
    }

    /// Takes the marks of a run from a feed, and gives those back that the run has replaced.
    ///
    /// Marks of later runs stay.
    ///
    /// - Throws: `SQLiteError`.
    package static func undo(feed: String, run: Int, on connection: Connection) throws {
        guard try connection.hasTable(name) else { return }
        try remove(feed: feed, run: run, on: connection)
        try connection.execute(
            "UPDATE \(identifier: name) SET \"feed\" = \(feed) WHERE \"feed\" = \(replaced(by: run, of: feed))")
    }

    /// Forgets the marks that a run has replaced, so that it can no longer be undone.
    ///
    /// - Throws: `SQLiteError`.
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
