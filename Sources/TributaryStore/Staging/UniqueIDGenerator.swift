import TributaryConcurrency
import TributarySQLite

/// Issues whole numbers from 1 on, none of them twice, whatever is killed or rolled back.
///
///     let number = try manager.uniqueIDs.next()
///
/// Blocks of numbers are reserved in a small database beside the store, `NAME-ids`, before a number of a block is issued.
/// Several threads and processes can therefore generate numbers at the same time, also while an import writes the store;
/// the unused rest of a block is lost when a process ends. A store in memory counts until it is closed.
public final class UniqueIDGenerator: Sendable {
    /// Reserved numbers that were not issued yet.
    private struct Block {
        var next: Int64 = 1
        /// The number after the last reserved one.
        var end: Int64 = 1
        /// How many numbers are reserved next; it doubles, so that many numbers need few transactions.
        var size: Int64 = 1000
    }

    private static let largestBlock: Int64 = 1 << 16
    /// The database with the reserved numbers; nil for a store in memory.
    private let file: String?
    private let isReadOnly: Bool
    private let block = Guarded(Block())

    /// The generator of a store; symbolic links are resolved, so that all paths of a store lead to the same numbers.
    package convenience init(beside store: SQLiteStore?) {
        self.init(
            file: store?.location.resolvedPath.map { $0 + "-ids" }, isReadOnly: store?.options.isReadOnly ?? false)
    }

    /// The generator of a database of numbers.
    package init(file: String?, isReadOnly: Bool = false) { (self.file, self.isReadOnly) = (file, isReadOnly) }

    /// A number that was never issued before.
    ///
    /// - Throws: `StoreError` if the store is read-only or no number is left, `SQLiteError` if the database of numbers
    ///   cannot be written.
    public func next() throws -> Int64 { try next(after: 0) }

    /// A number that was never issued before and is greater than `least`, a number that something has already.
    package func next(after least: Int64) throws -> Int64 {
        try block.withLock { block in
            if block.next <= least { block.next = least < block.end ? least + 1 : block.end }
            if block.next == block.end { try reserve(&block, after: least) }
            defer { block.next += 1 }
            return block.next
        }
    }

    private func reserve(_ block: inout Block, after least: Int64) throws {
        guard let file else {
            // Nothing is written, so the numbers of memory are one block.
            (block.next, block.end) = (max(block.next, least + 1), .max)
            return
        }
        guard !isReadOnly else {
            throw StoreError(
                .readOnly, file, "the store was opened for reading only, so no number can be reserved",
                hint: "open it for writing")
        }
        let size = block.size
        let last = try UniqueIDGenerator.reserve(size, after: least, in: file)
        (block.next, block.end) = (last + 1, last + size + 1)
        block.size = min(size * 2, UniqueIDGenerator.largestBlock)
    }

    /// Reserves the `size` numbers after the returned one, which is at least `least`, in a transaction that survives a
    /// power failure.
    private static func reserve(_ size: Int64, after least: Int64, in file: String) throws -> Int64 {
        var options = Connection.Options()
        options.busyTimeout = 10_000
        options.cacheKiB = 64
        let connection = try Connection(.file(file), options: options)
        // FULL would not sync the folder after the journal was deleted; a power failure could bring the journal back,
        // which would undo the reservation.
        try connection.execute("PRAGMA synchronous = EXTRA")
        return try connection.transaction {
            try connection.execute(
                "CREATE TABLE IF NOT EXISTS \"_uniqueID\" (\"reserved\" INTEGER NOT NULL) STRICT")
            var last = try connection.integer(of: "SELECT MAX(\"reserved\") FROM \"_uniqueID\"") ?? 0
            if last >= 0 { last = max(last, least) }
            guard last >= 0, last < Int64.max - size else {
                throw StoreError(
                    .damaged, file, "no number is left after \(last)",
                    hint: "if the value is wrong, set \"reserved\" in its table _uniqueID to the greatest number in use"
                )
            }
            try connection.execute("DELETE FROM \"_uniqueID\"")
            try connection.execute("INSERT INTO \"_uniqueID\" (\"reserved\") VALUES (\(last + size))")
            return last
        }
    }
}
