/// What records of the source look like, learned from those that were whole.
struct RecordSamples {
    /// The first byte of records: a brace as a rule.
    private(set) var openings: Set<UInt8> = []
    /// The first keys of records that are objects, as they stand in the source.
    private(set) var firstKeys: Set<[UInt8]> = []
    /// All keys of the latest records.
    private(set) var keys: Set<[UInt8]> = []
    private static let most = 8

    var isEmpty: Bool { openings.isEmpty }

    /// Learns from a whole record.
    mutating func add(_ record: UnsafeRawBufferPointer) {
        guard let opening = record.first, openings.contains(opening) || openings.count < RecordSamples.most else {
            return
        }
        openings.insert(opening)
        guard opening == UInt8(ascii: "{") else { return }
        let found = RecordSamples.keys(of: record)
        if let first = found.first, firstKeys.count < RecordSamples.most { firstKeys.insert(first) }
        keys = keys.count > 1000 ? Set(found) : keys.union(found)
    }

    /// Whether an object with these keys could be one of the records: it shares half of its keys with them.
    func resemble(_ found: [[UInt8]]) -> Bool {
        keys.isEmpty || found.isEmpty || found.count { keys.contains($0) } * 2 >= found.count
    }

    /// The keys of an object, the outermost ones only, as far as it is whole.
    static func keys(of object: UnsafeRawBufferPointer) -> [[UInt8]] {
        var tokenizer = Tokenizer(object, isFinal: true, limits: ReadLimits())
        var keys: [[UInt8]] = []
        while keys.count < 256, let token = try? tokenizer.next() {
            if token.kind == .key, tokenizer.depth == 1 { keys.append(Array(object[token.range])) }
        }
        return keys
    }
}
