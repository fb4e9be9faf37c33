/// The values of a record that a `Projection` has found; reuse it for each record.
public struct ProjectedValues {
    /// The word of the value of each path.
    var words: [Int32] = []
    private(set) var storage: ChunkStorage?
    private var record = 0
    /// The keys of the members that no path names; empty if these are not listed.
    var others: [Int32] = []
    var findings = Projection.Findings()
    /// The number of members without a path that are listed of one object.
    private static let otherLimit = 64

    /// No values yet.
    public init() {}

    mutating func prepare(_ storage: ChunkStorage, _ record: Int, count: Int, listsOthers: Bool) {
        if self.storage !== storage { self.storage = storage }
        self.record = record
        findings = Projection.Findings()
        if listsOthers != !others.isEmpty {
            others = listsOthers ? Array(repeating: 0, count: ProjectedValues.otherLimit) : []
        }
        if words.count != count {
            words = Array(repeating: -1, count: count)
        } else {
            for index in words.indices { words[index] = -1 }
        }
    }

    /// The value of the projection's path at `index`; missing if the record has none.
    public subscript(index: Int) -> JSON {
        guard let storage else { preconditionFailure("no record has been projected into these values") }
        let word = Int(words[index])
        let value = JSON(storage: storage, record: record, word: word)
        if word < -1 {
            let obstacle = JSON(storage: storage, record: record, word: -2 - word)
            obstacle.remember(obstacle.mismatch(expected: "an object"))
            return JSON(storage: storage, record: record, word: -1 - obstacle.word)
        }
        return value
    }

    /// The word for an unreachable value, whose path contains another value than an object at `word`.
    static func obstacle(_ word: Int) -> Int32 { Int32(truncatingIfNeeded: -2 - word) }

    /// The paths for which two members were found, its own and an alias, or two aliases.
    package var conflicts: [Int] { findings.conflicts }
    /// The number of members that no path names, also of those that `forEachOther` does not list.
    package var otherCount: Int { findings.otherCount }
    /// Whether there may be members that no path names: they are not counted where keys occur twice.
    package var mayHaveOthers: Bool { findings.otherCount > 0 || findings.hasRepeatedKeys }

    /// Calls `body` with the names of members that no path names.
    @inline(__always)
    package func forEachOther(_ body: (RawValue) -> Void) {
        guard findings.otherCount > 0, let storage else { return }
        for word in others.prefix(findings.otherCount) { body(storage.raw(Int(word))) }
    }

    /// The value as the type of the left side; nil if it is missing or null.
    public subscript<Value: JSONConvertible>(index: Int) -> Value? { (self[index] as JSON).read() }

    /// Calls `body` with the bytes of the value in the source; none if it is missing.
    public func withRawBytes<Result>(
        at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        guard let storage else { preconditionFailure("no record has been projected into these values") }
        return try body(UnsafeRawBufferPointer(rebasing: storage.bytes[storage.rawRange(record, Int(words[index]))]))
    }
}
