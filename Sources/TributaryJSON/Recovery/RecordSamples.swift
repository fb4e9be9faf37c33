/// Samples of valid records, to recognize the next records of the source after damage.
struct RecordSamples: Hashable {
    private struct Sample: Hashable {
        let opening: UInt8
        let length: Int
        /// The outermost keys of an object, as they are written in the source.
        let keys: [[UInt8]]
        /// Whether `keys` is complete.
        var isWhole = true
        let gap: Gap
    }

    /// The blanks before a record.
    struct Gap: Hashable {
        let blanks: [UInt8]
        let isBetween: Bool
    }

    private var samples: [Sample] = []
    static let most = 8
    private static let longestRead = 16 << 10

    var isEmpty: Bool { samples.isEmpty }

    /// Whether one of the samples is informative: a whole record, or a good part of one.
    var hasWhole: Bool { samples.contains { $0.isWhole || $0.keys.count >= 3 } }

    var firstKeys: Set<[UInt8]> { Set(samples.compactMap(\.keys.first)) }

    var longest: Int { samples.map(\.length).max() ?? 0 }

    /// Adds the valid record at `range` of `bytes`, in place of the oldest sample.
    mutating func add(_ range: Range<Int>, of bytes: UnsafeRawBufferPointer) {
        guard !range.isEmpty else { return }
        let isObject = bytes[range.lowerBound] == UInt8(ascii: "{")
        let record = UnsafeRawBufferPointer(rebasing: bytes[range])
        let gap = RecordSamples.gap(before: range.lowerBound, in: bytes)
        // Only the head of a large record is examined.
        let isLarge = record.count > RecordSamples.longestRead
        let head = UnsafeRawBufferPointer(rebasing: record.prefix(RecordSamples.longestRead))
        let keys = isObject ? RecordSamples.keys(of: head, isFinal: !isLarge) : []
        // An empty object is not informative, like the head of an object.
        samples.append(
            Sample(
                opening: record[0], length: range.count, keys: keys, isWhole: !isObject || !keys.isEmpty && !isLarge,
                gap: gap))
        if samples.count > RecordSamples.most { samples.removeFirst() }
    }

    /// Adds the last records of `entries` in `range` that begin before `end`.
    mutating func add(
        _ entries: UnsafeMutablePointer<RecordEntry>, _ range: PartialRangeUpTo<Int>,
        of bytes: UnsafeRawBufferPointer, before end: Int = .max
    ) {
        for index in max(0, range.upperBound - RecordSamples.most)..<range.upperBound {
            let entry = entries[index]
            guard Int(entry.raw) < end else { continue }
            add(Int(entry.raw)..<Int(entry.raw + entry.rawLength), of: bytes)
        }
    }

    /// Adds the head of a damaged record, if there is no sample yet.
    mutating func addHead(at offset: Int, of bytes: UnsafeRawBufferPointer) {
        // Any other first byte may be damaged itself.
        guard isEmpty, offset < bytes.count, "{[\"".utf8.contains(bytes[offset]) else { return }
        let keys = RecordSamples.keys(of: UnsafeRawBufferPointer(rebasing: bytes[offset...]), isFinal: true)
        let gap = RecordSamples.gap(before: offset, in: bytes)
        samples.append(Sample(opening: bytes[offset], length: 0, keys: keys, isWhole: false, gap: gap))
    }

    func canOpen(_ byte: UInt8) -> Bool {
        samples.contains { RecordSamples.kind($0.opening) == RecordSamples.kind(byte) }
    }

    func canFollow(_ gap: [UInt8]) -> Bool {
        isEmpty
            || samples.contains { sample in
                // The blanks after the opening bracket may differ from the blanks after a comma, but hardly in lines.
                sample.gap.blanks == gap
                    || !sample.gap.isBetween && !sample.gap.blanks.contains(0x0A) && !gap.contains(0x0A)
            }
    }

    /// Whether an object with these keys might be a record, although it has few keys in common with the samples.
    ///
    /// It needs the first key of a sample, and either the samples differ from one another or its position is trusted.
    func mayInclude(_ keys: [[UInt8]], where isTrusted: Bool) -> Bool {
        guard let first = keys.first, firstKeys.contains(first) else { return false }
        if isTrusted { return true }
        let whole = samples.indices.filter { samples[$0].isWhole }
        guard whole.count > 1 else { return whole.isEmpty }
        return whole.contains { index in
            var others = self
            others.samples = whole.filter { $0 != index }.map { samples[$0] }
            return !others.resemble(samples[index].keys)
        }
    }

    /// Whether an object with these keys resembles a sample: each has half of its keys in common with the other.
    func resemble(_ keys: [[UInt8]]) -> Bool {
        isEmpty
            || samples.contains { sample in
                let known = Set(sample.keys)
                let common = keys.count { known.contains($0) }
                return common * 2 >= (sample.isWhole ? max(keys.count, known.count) : known.count)
            }
    }

    /// The first byte that stands for all values of the same kind: one for numbers, one for the three literals.
    private static func kind(_ opening: UInt8) -> UInt8 {
        switch opening {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""): opening
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): UInt8(ascii: "0")
        default: UInt8(ascii: "n")
        }
    }

    static func gap(before offset: Int, in bytes: UnsafeRawBufferPointer) -> Gap {
        var start = offset
        while start > 0, offset - start < 256, bytes[start - 1].isJSONBlank { start -= 1 }
        return Gap(
            blanks: Array(bytes[start..<offset]), isBetween: start > 0 && bytes[start - 1] == UInt8(ascii: ","))
    }

    /// The outermost keys, up to the first damage, if a value is an object.
    private static func keys(of object: UnsafeRawBufferPointer, isFinal: Bool) -> [[UInt8]] {
        var tokenizer = Tokenizer(object, isFinal: isFinal, limits: ReadLimits())
        var keys: [[UInt8]] = []
        while keys.count < 256, let token = try? tokenizer.next(), tokenizer.depth > 0 {
            if token.kind == .key, tokenizer.depth == 1 { keys.append(Array(object[token.range])) }
        }
        return keys
    }
}

extension RecordSamples: Codable {
    /// The encoded form of a sample, without the keys if they equal the keys of the sample before it.
    private struct EncodedSample: Codable {
        var opening: UInt8
        var length: Int
        var keys: [String]?
        var isWhole: Bool?
        var blanks: String?
        var isFirst: Bool?
    }

    init(from decoder: any Decoder) throws {
        var last: [[UInt8]] = []
        samples = try [EncodedSample](from: decoder).suffix(RecordSamples.most).map { written in
            last = written.keys?.map { Array($0.utf8) } ?? last
            return Sample(
                opening: written.opening, length: written.length, keys: last, isWhole: written.isWhole ?? true,
                gap: Gap(blanks: Array((written.blanks ?? "").utf8), isBetween: !(written.isFirst ?? false)))
        }
    }

    /// Encodes the samples; keys are valid UTF-8, because their records were valid.
    func encode(to encoder: any Encoder) throws {
        var last: [[UInt8]] = []
        try samples.map { sample in
            defer { last = sample.keys }
            return EncodedSample(
                opening: sample.opening, length: sample.length,
                keys: sample.keys == last ? nil : sample.keys.map { String(decoding: $0, as: UTF8.self) },
                isWhole: sample.isWhole ? nil : false,
                blanks: sample.gap.blanks.isEmpty ? nil : String(decoding: sample.gap.blanks, as: UTF8.self),
                isFirst: sample.gap.isBetween ? nil : true)
        }
        .encode(to: encoder)
    }
}
