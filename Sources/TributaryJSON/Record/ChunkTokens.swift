/// The tokens of the records of a chunk, for code that reads every value of millions of records.
///
/// The pointers are valid as long as the chunk is retained. The arena has 16 bytes more than the chunk, so that words of
/// eight bytes may be loaded at the end of a text.
package struct ChunkTokens {
    /// The words of all records, which a `TapeToken` takes apart.
    package let tape: UnsafePointer<UInt64>
    /// The bytes to which the words point.
    package let arena: UnsafePointer<UInt8>
    private let storage: ChunkStorage
    private let first: Int

    init(_ chunk: RecordChunk) {
        storage = chunk.storage
        first = chunk.range.lowerBound
        tape = UnsafePointer(UnsafeRawPointer(storage.tape).assumingMemoryBound(to: UInt64.self))
        arena = UnsafePointer(storage.arena)
    }

    /// The word at which the record at `position` of the chunk begins.
    package func start(of position: Int) -> Int { Int(storage.entry(first + position).tape) }

    /// The number of that record in its source, from 1.
    package func number(of position: Int) -> Int {
        storage.firstNumber + Int(storage.entry(first + position).number) + 1
    }

    /// The index of the path that has matched that record.
    package func route(of position: Int) -> Int { Int(storage.entry(first + position).route) }

    /// Whether an object of that record has a key twice.
    package func hasDuplicateKeys(_ position: Int) -> Bool { storage.entry(first + position).duplicateKeys > 0 }

    /// The value at a word of the record at `position`.
    package func value(at word: Int, of position: Int) -> JSON {
        JSON(storage: storage, record: first + position, word: word)
    }

    /// The position in the source of a byte of the arena.
    package func place(of offset: Int) -> SourcePosition { storage.position(offset) }

    /// The text of a word of text or of a key, without escape sequences.
    package func decoded(_ word: Int) -> [UInt8] {
        let word = storage.word(word)
        let raw = UnsafeBufferPointer(start: arena + word.offset, count: word.length)
        return word.kind == .escapedText || word.kind == .escapedKey ? JSONText.decode(raw) : Array(raw)
    }
}

extension RecordChunk {
    /// Calls `body` with the tokens of the records.
    package func withTokens<Result>(_ body: (ChunkTokens) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(storage) { try body(ChunkTokens(self)) }
    }
}
