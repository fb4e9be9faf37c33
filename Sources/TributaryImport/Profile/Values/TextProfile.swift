import TributaryJSON

/// The texts at a path.
public struct TextProfile: Sendable, Hashable {
    /// The number of characters, by ranges; up to 127 they are exact.
    public private(set) var lengths = Histogram(shift: Histogram.shiftOfDoubles)
    /// The fewest characters.
    public private(set) var shortest = Int.max
    /// The most characters.
    public private(set) var longest = 0
    /// The first text in the order of its bytes, and the beginning of it if it is long.
    public private(set) var first: ValueText?
    /// The last text in the order of its bytes, and the beginning of it if it is long.
    public private(set) var last: ValueText?
    private var low: UInt64 = .max
    private var high: UInt64 = 0
    private var shapeCounts = [Int](repeating: 0, count: TextShape.allCases.count)
    /// The dates and moments, in seconds since 1970, by ranges.
    public private(set) var dates = Histogram(shift: 0)

    /// How many texts look like this.
    public func count(of shape: TextShape) -> Int { shapeCounts[shape.index] }

    /// The number of texts.
    public var count: Int { shapeCounts.reduce(0, +) }

    /// Adds a text, after whose end eight bytes may be loaded.
    @inline(__always)
    mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, limit: Int) {
        var seconds: Double?
        shapeCounts[TextShape(bytes, &seconds).index] += 1
        if let seconds { dates.add(Int(seconds.rounded(.down)), limit: limit) }
        let length = TextProfile.length(bytes)
        // The length 0 has no range.
        lengths.add(Histogram.key(Double(length + 1)), limit: limit)
        if length < shortest { shortest = length }
        if length > longest { longest = length }
        let prefix = TextProfile.prefix(bytes)
        if prefix <= low { addLow(prefix, bytes) }
        if prefix >= high { addHigh(prefix, bytes) }
    }

    private mutating func addLow(_ prefix: UInt64, _ bytes: UnsafeBufferPointer<UInt8>) {
        guard prefix < low || first.map({ $0.comes(after: bytes) }) ?? true else { return }
        (low, first) = (prefix, ValueText(bytes, isText: true))
    }

    private mutating func addHigh(_ prefix: UInt64, _ bytes: UnsafeBufferPointer<UInt8>) {
        guard prefix > high || last.map({ $0.comes(before: bytes) }) ?? true else { return }
        (high, last) = (prefix, ValueText(bytes, isText: true))
    }

    /// The number of characters, which is that of bytes that begin one.
    @inline(__always)
    private static func length(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard let start = bytes.baseAddress else { return 0 }
        var (count, index) = (bytes.count, 0)
        let text = UnsafeRawPointer(start)
        while index + 8 <= bytes.count {
            let word = text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            if word & 0x8080_8080_8080_8080 != 0 {
                // A byte 10xxxxxx has its highest bit, and not the next one.
                count -= (word & ~(word << 1) & 0x8080_8080_8080_8080).nonzeroBitCount
            }
            index += 8
        }
        while index < bytes.count {
            if bytes[index] & 0xC0 == 0x80 { count -= 1 }
            index += 1
        }
        return count
    }

    /// The first eight bytes, in an order of numbers that is the order of texts.
    @inline(__always)
    private static func prefix(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return 0 }
        let word = UInt64(bigEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt64.self))
        return bytes.count >= 8 ? word : word & ~(~0 >> (8 * UInt64(bytes.count)))
    }

    mutating func merge(_ other: TextProfile, limit: Int) {
        lengths.merge(other.lengths, limit: limit)
        dates.merge(other.dates, limit: limit)
        (shortest, longest) = (min(shortest, other.shortest), max(longest, other.longest))
        for index in shapeCounts.indices { shapeCounts[index] += other.shapeCounts[index] }
        (low, high) = (min(low, other.low), max(high, other.high))
        first = [first, other.first].compactMap(\.self).min()
        last = [last, other.last].compactMap(\.self).max()
    }

    mutating func cut(to limit: Int) {
        lengths.cut(to: limit)
        dates.cut(to: limit)
    }

    /// No texts.
    init() {}

    /// Texts of which these figures are known.
    init(
        lengths: Histogram, dates: Histogram, bounds: (Int, Int), first: ValueText?, last: ValueText?, shapes: [Int]
    ) {
        (self.lengths, self.dates, self.first, self.last, shapeCounts) = (lengths, dates, first, last, shapes)
        (shortest, longest) = bounds
        func prefix(_ text: ValueText?) -> UInt64? {
            text.map { text in
                (Array(text.text.utf8) + [0, 0, 0, 0, 0, 0, 0, 0]).withUnsafeBufferPointer { bytes in
                    TextProfile.prefix(UnsafeBufferPointer(rebasing: bytes.dropLast(8)))
                }
            }
        }
        (low, high) = (prefix(first) ?? .max, prefix(last) ?? 0)
    }
}

extension TextShape {
    /// Its place among the counts of shapes.
    @inline(__always)
    var index: Int {
        switch self {
        case .plain: 0
        case .blank: 1
        case .integer: 2
        case .leadingZeros: 3
        case .number: 4
        case .date: 5
        case .dateTime: 6
        case .uuid: 7
        case .hexadecimal: 8
        case .url: 9
        case .email: 10
        case .ipAddress: 11
        case .boolean: 12
        }
    }
}
