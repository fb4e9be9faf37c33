import TributaryJSON

/// A number of a dump, read in one loop over its digits.
package struct NumberScan {
    /// The nearest double; infinite beyond its range.
    package let double: Double
    /// The number, if it is whole and has 64 bits.
    package let integer: Int64?
    /// A hash that equal numbers share, however they are written.
    package let hash: UInt64
    let form: NumberForms
    /// Whether it is written without a point and an exponent.
    let isWhole: Bool

    /// Reads the text of a valid number.
    @inline(__always)
    package init(_ bytes: UnsafeBufferPointer<UInt8>) {
        let isNegative = bytes[0] == UInt8(ascii: "-")
        var index = isNegative ? 1 : 0
        var digits: UInt64 = 0
        var scale = -1
        // More digits than these, or an exponent, need more care.
        var isPlain = bytes.count - index <= 18
        while isPlain, index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: ".") {
                scale = 0
            } else {
                let digit = byte &- UInt8(ascii: "0")
                isPlain = digit < 10
                digits = digits &* 10 &+ UInt64(digit)
                if scale >= 0 { scale += 1 }
            }
            index += 1
        }
        isPlain =
            isPlain && (digits != 0 || !isNegative) && (scale < 0 || digits < 1_000_000_000_000_000 && scale <= 16)
        guard isPlain else {
            self.init(slowly: bytes)
            return
        }
        guard scale > 0 else {
            let value = isNegative ? -Int64(digits) : Int64(digits)
            self.init(
                double: Double(value), integer: value, hash: ValueHash.integer(value),
                form: scale == 0 ? .real : digits <= 1 << 53 ? .integer : .largeInteger, isWhole: scale < 0)
            return
        }
        let value = Double(digits) / NumberScan.powers[scale]
        while scale > 0, digits % 10 == 0 { (digits, scale) = (digits / 10, scale - 1) }
        let whole = scale == 0 ? (isNegative ? -Int64(digits) : Int64(digits)) : nil
        let hash =
            whole.map { ValueHash.integer($0) } ?? ValueHash.decimal(digits, exponent: -scale, isNegative: isNegative)
        self.init(
            double: isNegative ? -value : value, integer: whole, hash: hash, form: .real, isWhole: false)
    }

    @inline(__always)
    private init(double: Double, integer: Int64?, hash: UInt64, form: NumberForms, isWhole: Bool) {
        (self.double, self.integer, self.hash, self.form, self.isWhole) = (double, integer, hash, form, isWhole)
    }

    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    ]

    /// Reads a number with an exponent or with many digits.
    @inline(never)
    private init(slowly bytes: UnsafeBufferPointer<UInt8>) {
        let text = String(decoding: bytes, as: UTF8.self)
        let isWhole = !bytes.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
        let literal = NumberLiteral(text)
        let parts = literal?.parts ?? (isNegative: false, digits: [], exponent: 0)
        // A number that is too small for a double is not 0 all the same.
        let nearest = Double(text) ?? 0
        let least = parts.isNegative ? -Double.leastNonzeroMagnitude : .leastNonzeroMagnitude
        let double = nearest == 0 && !parts.digits.isEmpty ? least : nearest
        let integer = NumberScan.whole(parts)
        guard !parts.digits.isEmpty else {
            self.init(
                double: double, integer: 0, hash: ValueHash.integer(0),
                form: bytes[0] == UInt8(ascii: "-") ? .negativeZero : isWhole ? .integer : .real, isWhole: isWhole)
            return
        }
        let hash =
            if let integer {
                ValueHash.integer(integer)
            } else if let digits = NumberScan.digits(parts.digits) {
                ValueHash.decimal(digits, exponent: parts.exponent, isNegative: parts.isNegative)
            } else {
                ValueHash.decimal(parts.digits, exponent: parts.exponent, isNegative: parts.isNegative)
            }
        self.init(
            double: double, integer: integer, hash: hash,
            form: NumberScan.form(of: text, literal, integer, double, isWhole: isWhole), isWhole: isWhole)
    }

    private static func form(
        of text: String, _ literal: NumberLiteral?, _ integer: Int64?, _ double: Double, isWhole: Bool
    ) -> NumberForms {
        let isDecimal = literal?.decimal != nil
        if isWhole {
            if let integer { return integer.magnitude <= 1 << 53 ? .integer : .largeInteger }
            return isDecimal ? .hugeInteger : .endlessInteger
        }
        guard double.isFinite, double.magnitude > .leastNonzeroMagnitude else { return .unbounded }
        if let shortest = NumberLiteral("\(double)")?.parts, let parts = literal?.parts, shortest == parts {
            return isDecimal ? .real : .wideReal
        }
        if integer != nil { return .wholeDecimal }
        return isDecimal ? .decimal : .wideDecimal
    }

    /// The number of 64 bits with these digits; nil if there is none.
    private static func whole(_ parts: (isNegative: Bool, digits: [UInt8], exponent: Int)) -> Int64? {
        guard parts.exponent >= 0, parts.digits.count + parts.exponent <= 19, let digits = digits(parts.digits)
        else { return parts.digits.isEmpty ? 0 : nil }
        var (value, overflow) = (digits, false)
        for _ in 0..<parts.exponent where !overflow { (value, overflow) = value.multipliedReportingOverflow(by: 10) }
        guard !overflow else { return nil }
        return parts.isNegative
            ? (value <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- value) : nil) : Int64(exactly: value)
    }

    /// At most 19 digits as a number.
    private static func digits(_ digits: [UInt8]) -> UInt64? {
        digits.count <= 19 ? digits.reduce(0) { $0 * 10 + UInt64($1) } : nil
    }
}

extension NumberScan {
    /// Whether a number has so many digits that it cannot be a key.
    static func isNoKey(_ text: String) -> Bool {
        // Eight bytes after the end may be loaded.
        (Array(text.utf8) + [0, 0, 0, 0, 0, 0, 0, 0]).withUnsafeBufferPointer { bytes in
            !NumberScan(UnsafeBufferPointer(rebasing: bytes.dropLast(8))).form.isDisjoint(with: .noKeys)
        }
    }
}
