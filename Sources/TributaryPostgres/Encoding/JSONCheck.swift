import Foundation

/// Finds what is valid JSON, but no value of `jsonb`.
enum JSONCheck {
    /// The digits, or the exponent, of the largest number.
    private static let mostDigits = 16_000

    /// What PostgreSQL cannot hold in a text of JSON; nil if it can hold all of it.
    static func problem(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard mayHaveProblem(bytes) else { return nil }
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                if let problem = string(bytes, &index) { return problem }
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if let problem = number(bytes, &index) { return problem }
            default: index += 1
            }
        }
        return nil
    }

    /// Whether a text has an escape, an exponent, or room for a very long number.
    private static func mayHaveProblem(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress, bytes.count < mostDigits else { return true }
        if memchr(base, Int32(UInt8(ascii: "\\")), bytes.count) != nil { return true }
        for letter in [UInt8(ascii: "e"), UInt8(ascii: "E")] {
            var start = 1
            while start < bytes.count, let found = memchr(base + start, Int32(letter), bytes.count - start) {
                let place = UnsafeRawPointer(found) - base
                if UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[place - 1] { return true }
                start = place + 1
            }
        }
        return false
    }

    private static func string(_ bytes: UnsafeRawBufferPointer, _ index: inout Int) -> String? {
        index += 1
        var isAfterHighSurrogate = false
        while index < bytes.count {
            let byte = bytes[index]
            var unit: UInt16?
            if byte == UInt8(ascii: "\\"), index + 5 < bytes.count, bytes[index + 1] == UInt8(ascii: "u") {
                unit = UInt16(String(decoding: bytes[(index + 2)..<(index + 6)], as: UTF8.self), radix: 16) ?? 1
            }
            if unit == 0 { return "the character U+0000" }
            let isLow = unit.map { 0xDC00...0xDFFF ~= $0 } ?? false
            if isLow != isAfterHighSurrogate { return "half of a surrogate pair" }
            isAfterHighSurrogate = unit.map { 0xD800...0xDBFF ~= $0 } ?? false
            index += unit != nil ? 6 : byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == UInt8(ascii: "\"") { return nil }
        }
        return nil
    }

    private static func number(_ bytes: UnsafeRawBufferPointer, _ index: inout Int) -> String? {
        let start = index
        var exponent: Int?
        while index < bytes.count {
            let byte = bytes[index]
            if byte | 0x20 == UInt8(ascii: "e") {
                exponent = 0
            } else if UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte {
                if let known = exponent { exponent = min(known * 10 + Int(byte - 48), mostDigits + 1) }
            } else if byte != UInt8(ascii: ".") && byte != UInt8(ascii: "-") && byte != UInt8(ascii: "+") {
                break
            }
            index += 1
        }
        return index - start + (exponent ?? 0) > mostDigits
            ? "a number of more than \(mostDigits) digits" : nil
    }
}
