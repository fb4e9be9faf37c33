import TributaryJSON

/// The beginning of a value as it is shown: text without its quotes, or a number as it is written.
public struct ValueText: Sendable, Hashable, Codable {
    /// The most bytes that are kept.
    static let limit = 80

    /// What is kept of the value.
    public let text: String
    /// Whether it is longer.
    public let isCut: Bool
    /// Whether it is text, and not a number.
    public let isText: Bool

    /// A value of these bytes.
    init(_ bytes: UnsafeBufferPointer<UInt8>, isText: Bool) {
        let count = ValueText.kept(bytes)
        text = String(decoding: bytes[..<count], as: UTF8.self)
        isCut = count < bytes.count
        self.isText = isText
    }

    /// A number, which has the same text however it is written.
    init(number bytes: UnsafeBufferPointer<UInt8>) {
        let written = String(decoding: bytes, as: UTF8.self)
        let text = ValueText.text(of: written)
        self = Array(text.utf8).withUnsafeBufferPointer { ValueText($0, isText: false) }
    }

    private static func text(of number: String) -> String {
        guard let canonical = NumberLiteral(number)?.canonical else { return number }
        // -0 is another number than 0 for a double.
        if canonical == "0" { return number.hasPrefix("-") ? "-0" : "0" }
        guard canonical.utf8.count > 40 else { return canonical }
        guard canonical.contains(".") else {
            let digits = canonical.reversed().drop { $0 == "0" }.reversed()
            return String(digits) + "e\(canonical.count - digits.count)"
        }
        let places = canonical.split(separator: ".")[1].count
        let digits = canonical.drop { "-0.".contains($0) }.filter { $0 != "." }
        return (canonical.hasPrefix("-") ? "-" : "") + digits + "e-\(places)"
    }

    /// The number of bytes that are kept: no character is cut in two.
    private static func kept(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var count = min(bytes.count, limit)
        while count < bytes.count, count > 0, bytes[count] & 0xC0 == 0x80 { count -= 1 }
        return count
    }

    /// Whether what is kept of text comes after that of another one.
    func comes(after bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes[..<ValueText.kept(bytes)].lexicographicallyPrecedes(text.utf8)
    }

    /// Whether what is kept of text comes before that of another one.
    func comes(before bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        text.utf8.lexicographicallyPrecedes(bytes[..<ValueText.kept(bytes)])
    }
}

extension ValueText: Comparable {
    /// Whether one comes before the other in the order of bytes.
    public static func < (one: ValueText, other: ValueText) -> Bool {
        if one.text != other.text { return one.text.utf8.lexicographicallyPrecedes(other.text.utf8) }
        return !one.isCut && other.isCut
    }
}
