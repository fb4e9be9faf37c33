/// Converts the text of a valid JSON number.
struct NumberText {
    let bytes: UnsafeBufferPointer<UInt8>

    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The number as sign, digits without leading and trailing zeros, and a power of ten; zero has no digits.
    struct Parts {
        var isNegative = false
        var digits: [UInt8] = []
        var exponent = 0
    }

    var parts: Parts {
        var parts = Parts()
        var index = 0
        if bytes[0] == UInt8(ascii: "-") {
            parts.isNegative = true
            index = 1
        }
        var isFraction = false
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: ".") {
                isFraction = true
            } else if byte.isDigit {
                if byte != UInt8(ascii: "0") || !parts.digits.isEmpty { parts.digits.append(byte - UInt8(ascii: "0")) }
                if isFraction { parts.exponent -= 1 }
            } else {
                break
            }
            index += 1
        }
        if index < bytes.count { parts.exponent += exponent(from: index + 1) }
        while parts.digits.last == 0 {
            parts.digits.removeLast()
            parts.exponent += 1
        }
        if parts.digits.isEmpty { parts.exponent = 0 }
        return parts
    }

    private func exponent(from start: Int) -> Int {
        var index = start
        let isNegative = bytes[index] == UInt8(ascii: "-")
        if isNegative || bytes[index] == UInt8(ascii: "+") { index += 1 }
        var value = 0
        while index < bytes.count {
            // A larger exponent fits no type; the bound also prevents an overflow.
            if value < 1_000_000_000_000 { value = value * 10 + Int(bytes[index] - UInt8(ascii: "0")) }
            index += 1
        }
        return isNegative ? -value : value
    }

    var isInteger: Bool { parts.exponent >= 0 }

    /// The exact value, if it is an integer of at most 38 digits.
    func integer() -> Int128? {
        let parts = parts
        guard parts.exponent >= 0, parts.digits.count + parts.exponent <= 38 else { return nil }
        var value: Int128 = 0
        for digit in parts.digits { value = value * 10 + Int128(digit) }
        for _ in 0..<parts.exponent { value *= 10 }
        return parts.isNegative ? -value : value
    }

    /// The value of a plain run of digits, the usual form of an integer; nil for anything else.
    @inline(__always)
    func plainInt64() -> Int64? {
        let isNegative = bytes[0] == UInt8(ascii: "-")
        var index = isNegative ? 1 : 0
        guard bytes.count - index <= 18 else { return nil }
        var value: Int64 = 0
        while index < bytes.count {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value &* 10 &+ Int64(digit)
            index += 1
        }
        return isNegative ? -value : value
    }

    /// The nearest double; infinite if the number is too large, nil if it is not zero and too small.
    func double() -> Double? {
        if let value = plainDouble() { return value }
        guard let value = Double(String(decoding: bytes, as: UTF8.self)) else { return nil }
        return value == 0 && !parts.digits.isEmpty ? nil : value
    }

    /// The value, if one division of exact doubles yields it; else nil.
    private func plainDouble() -> Double? {
        let isNegative = bytes[0] == UInt8(ascii: "-")
        var index = isNegative ? 1 : 0
        guard bytes.count - index <= 16 else { return nil }
        var mantissa: UInt64 = 0
        var scale = 0
        var isFraction = false
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: ".") {
                isFraction = true
            } else {
                guard byte.isDigit else { return nil }
                mantissa = mantissa &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
                if isFraction { scale += 1 }
            }
            index += 1
        }
        guard mantissa < 1 << 53 else { return nil }
        let value = Double(mantissa) / NumberText.powers[scale]
        return isNegative ? -value : value
    }

    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    ]
}
