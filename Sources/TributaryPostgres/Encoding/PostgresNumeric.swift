/// A decimal number as PostgreSQL's `numeric` has it: digits of base 10,000.
struct PostgresNumeric {
    /// The digits before the point, without leading zeros.
    private let whole: ArraySlice<UInt8>
    /// The digits after the point, without trailing zeros.
    private let fraction: ArraySlice<UInt8>
    private let isNegative: Bool

    /// The number that a text has, as in `-12.50` or `1e-7`; nil if it is none, or has more than 1,000 digits.
    init?(_ text: some Sequence<UInt8>) {
        var digits: [UInt8] = []
        var (exponent, point, isNegative) = (0, nil as Int?, false)
        var rest = Array(text)[...]
        if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") {
            isNegative = rest.removeFirst() == UInt8(ascii: "-")
        }
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(byte - UInt8(ascii: "0"))
            case UInt8(ascii: ".") where point == nil: point = digits.count
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                guard let value = Int(String(decoding: rest, as: UTF8.self)), abs(value) <= 1000 else { return nil }
                (exponent, rest) = (value, [])
            default: return nil
            }
        }
        guard !digits.isEmpty else { return nil }
        var place = (point ?? digits.count) + exponent
        if place < 0 {
            digits.insert(contentsOf: repeatElement(0, count: -place), at: 0)
            place = 0
        }
        if place > digits.count { digits += repeatElement(0, count: place - digits.count) }
        guard digits.count <= 2000 else { return nil }
        whole = digits[..<place].drop { $0 == 0 }
        var fraction = digits[place...]
        while fraction.last == 0 { fraction.removeLast() }
        self.fraction = fraction
        self.isNegative = isNegative && !(whole.isEmpty && fraction.isEmpty)
    }

    /// The number of digits before the point.
    var wholeDigits: Int { whole.count }
    /// The number of digits after the point.
    var fractionDigits: Int { fraction.count }

    /// The value in the binary format.
    var words: [Int16] {
        var groups: [Int16] = []
        var digits = Array(repeating: 0 as UInt8, count: (4 - whole.count % 4) % 4) + whole
        var weight = digits.count / 4 - 1
        digits += fraction
        digits += Array(repeating: 0, count: (4 - digits.count % 4) % 4)
        for start in stride(from: 0, to: digits.count, by: 4) {
            groups.append(digits[start..<start + 4].reduce(0) { $0 * 10 + Int16($1) })
        }
        while groups.first == 0 {
            groups.removeFirst()
            weight -= 1
        }
        while groups.last == 0 { groups.removeLast() }
        if groups.isEmpty { weight = 0 }
        return [Int16(groups.count), Int16(weight), isNegative ? 0x4000 : 0, Int16(fraction.count)] + groups
    }

    /// The digits of a value in the binary format.
    static func text(of bytes: UnsafeRawBufferPointer) -> String {
        let words = stride(from: 0, to: bytes.count - 1, by: 2).map {
            Int16(bigEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int16.self))
        }
        guard words.count >= 4 else { return "" }
        let (weight, groups) = (Int(words[1]), words.dropFirst(4))
        func digits(_ place: Int) -> String {
            let group =
                groups.indices.contains(groups.startIndex + weight - place) && weight - place >= 0
                ? groups[groups.startIndex + weight - place] : 0
            let text = String(group)
            return String(repeating: "0", count: 4 - text.count) + text
        }
        var whole = weight >= 0 ? (0...weight).reversed().map(digits).joined() : "0"
        whole = String(whole.drop { $0 == "0" })
        var fraction = ""
        var place = -1
        while weight - place < groups.count {
            fraction += digits(place)
            place -= 1
        }
        while fraction.last == "0" { fraction.removeLast() }
        let sign = words[2] == 0x4000 ? "-" : ""
        return sign + (whole.isEmpty ? "0" : whole) + (fraction.isEmpty ? "" : "." + fraction)
    }
}
