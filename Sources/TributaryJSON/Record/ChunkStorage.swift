import TributaryConcurrency
import Synchronization

/// The bytes, the tape and the positions of the records of a chunk.
///
/// `@unchecked Sendable`: after the chunk is published everything is immutable, except for the caches, which have locks
/// or are atomic; the block belongs to this object alone until it returns to the pool.
@usableFromInline final class ChunkStorage: @unchecked Sendable {
    let block: Block
    /// The memory of the block, which does not move any more.
    let arena: UnsafeMutablePointer<UInt8>
    let tape: UnsafeMutablePointer<TapeWord>
    let entries: UnsafeMutablePointer<RecordEntry>
    let entryCount: Int
    let byteCount: Int
    /// The length of the names that precede the bytes of the source.
    let prefix: Int
    /// The offset in the source of the arena's byte 0; meaningful from `prefix` on.
    let base: Int
    let source: Int
    let sourceName: String
    let shape: RecordShape
    /// The number of the record before the first one here.
    private(set) var firstNumber: Int
    /// The line of the first byte after the prefix.
    private(set) var line: Int
    /// The offset in the source at which that line begins.
    private(set) var lineStart: Int
    /// The paths to the containers of the records.
    private(set) var contexts: [[PathStep]]
    /// Samples of the records before this chunk.
    private(set) var samples: RecordSamples
    /// What to add to the indexes of records in an array at a depth.
    private var shift = (depth: -1, index: 0)
    private let pool: BlockPool

    /// The line feeds of the chunk, counted when a line number is requested for the first time.
    private let lineIndex = Guarded<[(feeds: Int, last: Int)]>([])
    private static let granule = 4096

    /// The word of the object that was searched last, in the high half, and the word after the member found there.
    ///
    /// Members are mostly read in their order, so the next search starts after the latest member.
    let latestMember = Atomic<UInt64>(.max)
    /// The same of the object that was searched before that one: mostly the one around it.
    let earlierMember = Atomic<UInt64>(.max)

    /// Where records were read first, by their indexes; set before other threads have the chunk.
    var origins: [Int: RecordOrigin] = [:]

    let hasFailures = Atomic<Bool>(false)
    let failures = Guarded<[Int: JSONError]>([:])

    init(
        block: Block, entryCount: Int, byteCount: Int, prefix: Int, base: Int, source: Int, sourceName: String,
        shape: RecordShape, firstNumber: Int, line: Int, lineStart: Int, contexts: [[PathStep]], samples: RecordSamples,
        pool: BlockPool
    ) {
        self.block = block
        arena = block.bytes
        tape = block.tape
        entries = block.entries
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
        self.samples = samples
        self.pool = pool
    }

    deinit { pool.give(block) }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: arena, count: byteCount) }

    /// Counts from `place` on, which was not known while the chunk was parsed; before other threads have the chunk.
    func move(to place: FeedPlace, in division: Division) {
        firstNumber += place.record
        if line == 1 { lineStart = place.lineStart }
        line += place.line - 1
        samples = place.samples
        guard division.depth > 0, !division.holdsMembers else { return }
        shift = (division.depth - 1, place.index)
        for index in contexts.indices { division.move(&contexts[index], to: place) }
    }

    @inline(__always)
    func word(_ index: Int) -> TapeWord { tape[index] }

    @inline(__always)
    func entry(_ index: Int) -> RecordEntry { entries[index] }

    @inline(__always)
    func text(_ word: TapeWord) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: arena + word.offset, count: word.length)
    }

    /// The bytes in the arena of the value at `word` of a record; empty if the word is negative.
    func rawRange(_ record: Int, _ word: Int) -> Range<Int> {
        let entry = entry(record)
        guard word >= 0 else { return Int(entry.raw)..<Int(entry.raw) }
        let token = tape[word]
        switch token.kind {
        case .object where word == Int(entry.tape), .array where word == Int(entry.tape):
            // The root of a keyed record begins with words that have no bytes of their own.
            return Int(entry.raw)..<Int(entry.raw + entry.rawLength)
        case .object, .array: return token.offset..<tape[word + token.length - 1].offset
        case .text, .escapedText, .key, .escapedKey: return token.offset - 1..<token.offset + token.length + 1
        default: return token.offset..<token.offset + token.length
        }
    }

    func position(_ offset: Int) -> SourcePosition {
        let granule = ChunkStorage.granule
        let lines = lineIndex.withLock { index in
            if index.isEmpty { index = makeLineIndex() }
            return index
        }
        let block = max(0, offset - prefix) / granule
        let start = min(prefix + block * granule, offset)
        let slice = UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
        let feeds = lines[block].feeds + LineFeeds.count(in: slice)
        let last = slice.lastIndex(of: UInt8(ascii: "\n")).map { start + $0 } ?? lines[block].last
        let column = last >= 0 ? offset - last : base + offset - lineStart + 1
        return SourcePosition(file: sourceName, byte: base + offset, line: line + feeds, column: column)
    }

    /// For each granule the number of line feeds before it, and the offset of the last one or -1.
    private func makeLineIndex() -> [(feeds: Int, last: Int)] {
        stride(from: prefix, to: byteCount, by: ChunkStorage.granule).reduce(into: [(0, -1)]) { index, start in
            let slice = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + ChunkStorage.granule, byteCount)])
            let feeds = LineFeeds.count(in: slice)
            let last = feeds > 0 ? slice.lastIndex(of: UInt8(ascii: "\n")).map { start + $0 } : nil
            let before = index[index.count - 1]
            index.append((before.0 + feeds, last ?? before.1))
        }
    }

    func path(to entry: RecordEntry) -> [PathStep] {
        var steps = contexts[Int(entry.context)]
        if entry.flags.contains(.hasIndex) {
            steps.append(.index(entry.index + (steps.count == shift.depth ? shift.index : 0)))
        }
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
