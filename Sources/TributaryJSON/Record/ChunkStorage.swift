import Synchronization

/// The bytes, the tape and the surroundings of the records of a chunk.
///
/// `@unchecked Sendable`: everything but the two caches, which have locks, is immutable from `init` on; the block
/// belongs to this object alone until it goes back to the pool.
final class ChunkStorage: @unchecked Sendable {
    let block: Block
    let entryCount: Int
    let byteCount: Int
    /// The length of the names in front of the bytes of the source.
    let prefix: Int
    /// The offset in the source of the arena's byte 0; meaningful from `prefix` on.
    let base: Int
    let source: Int
    let sourceName: String
    let shape: RecordShape
    /// The number of the record before the first one here.
    let firstNumber: Int
    /// The line of the first byte behind the prefix, and the offset in the source where that line begins.
    let line: Int
    let lineStart: Int
    /// The ways to the containers of the records.
    let contexts: [[PathStep]]
    private let pool: BlockPool

    /// Line feeds before each granule of the arena, counted when somebody asks for a line.
    private let lineIndex = Mutex<[Int]>([])
    private static let granule = 4096

    let hasFailures = Atomic<Bool>(false)
    let failures = Mutex<[Int: JSONError]>([:])

    init(
        block: Block, entryCount: Int, byteCount: Int, prefix: Int, base: Int, source: Int, sourceName: String,
        shape: RecordShape, firstNumber: Int, line: Int, lineStart: Int, contexts: [[PathStep]], pool: BlockPool
    ) {
        self.block = block
        self.entryCount = entryCount
        self.byteCount = byteCount
        self.prefix = prefix
        self.base = base
        self.source = source
        self.sourceName = sourceName
        self.shape = shape
        self.firstNumber = firstNumber
        self.line = line
        self.lineStart = lineStart
        self.contexts = contexts
        self.pool = pool
    }

    deinit { pool.give(block) }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: block.bytes, count: byteCount) }

    @inline(__always)
    func word(_ index: Int) -> TapeWord { block.tape[index] }

    @inline(__always)
    func entry(_ index: Int) -> RecordEntry { block.entries[index] }

    @inline(__always)
    func text(_ word: TapeWord) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: block.bytes + word.offset, count: word.length)
    }

    /// The place of the arena's byte `offset` in the source.
    func position(_ offset: Int) -> SourcePosition {
        let granule = ChunkStorage.granule
        let counts = lineIndex.withLock { index in
            if index.isEmpty {
                index = stride(from: prefix, to: byteCount, by: granule).reduce(into: [0]) { counts, start in
                    let slice = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + granule, byteCount)])
                    counts.append(counts[counts.count - 1] + LineFeeds.count(in: slice))
                }
            }
            return index
        }
        let block = max(0, offset - prefix) / granule
        let start = prefix + block * granule
        let slice = UnsafeRawBufferPointer(rebasing: bytes[min(start, offset)..<offset])
        let feeds = counts[block] + LineFeeds.count(in: slice)
        var column = base + offset - lineStart + 1
        if feeds > 0, let last = bytes[prefix..<offset].lastIndex(of: UInt8(ascii: "\n")) { column = offset - last }
        return SourcePosition(file: sourceName, byte: base + offset, line: line + feeds, column: column)
    }

    /// The way from the top of the text to a record.
    func path(to entry: RecordEntry) -> [PathStep] {
        var steps = contexts[Int(entry.context)]
        if entry.flags.contains(.hasIndex) { steps.append(.index(Int(entry.index))) }
        if entry.flags.contains(.isKeyed) { steps.append(.key(string(word(Int(entry.tape) + 2)))) }
        return steps
    }

    /// The text of a word of text or of a key.
    func string(_ word: TapeWord) -> String {
        let raw = text(word)
        guard word.kind == .escapedText || word.kind == .escapedKey else { return String(decoding: raw, as: UTF8.self) }
        return String(unsafeUninitializedCapacity: raw.count) { JSONText.decode(raw, into: $0) }
    }
}
