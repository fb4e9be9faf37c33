import TributaryGraph
import TributaryJSON

/// Records that are left to the thread that writes, as plain bytes: a record would keep its whole chunk.
struct LateRecords: Sendable {
    /// One record.
    struct Entry: Sendable {
        let hash: UInt64
        /// Its number among those of its chunk that share a table.
        let ordinal: Int
        /// Where it comes from.
        let origin: String
        /// Where its bytes lie.
        fileprivate let range: Range<Int>
    }

    private(set) var entries: [Entry] = []
    /// All of them, a line each.
    var lines: [UInt8] { bytes }
    private var bytes: [UInt8] = []
    private let keptBytes: Int

    /// None yet; of each, so many bytes are kept for a message.
    init(keepingBytes limit: Int) { keptBytes = limit }

    var isEmpty: Bool { entries.isEmpty }
    var byteCount: Int { bytes.count + entries.reduce(0) { $0 + $1.origin.utf8.count + 64 } }

    mutating func append(_ record: Record, hash: UInt64, ordinal: Int) {
        let start = bytes.count
        record.value.appendCompact(to: &bytes)
        let origin = RowOrigin(record, keepingBytes: keptBytes).text
        entries.append(Entry(hash: hash, ordinal: ordinal, origin: origin, range: start..<bytes.count))
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Lends the text of a record.
    func withBytes<Result>(_ entry: Entry, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[entry.range])) }
    }
}
