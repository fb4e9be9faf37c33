extension FilterLexer {
    /// Reads a text in single or double quotes.
    mutating func quoted() throws(FilterError) -> String {
        let start = offset
        let quote = scalar
        offset += 1
        var units: [UInt16] = []
        while offset < source.units.count {
            guard let scalar else {
                throw failure(.text, at: offset, expected: "text inside the quotes; interpolate values outside quotes")
            }
            offset += 1
            if scalar == quote {
                guard let text = String(validating: units, as: UTF16.self) else {
                    throw failure(.text, at: start, expected: "pairs of surrogates")
                }
                return text
            }
            if scalar == "\\" {
                try escape(into: &units)
            } else {
                units.append(contentsOf: scalar.utf16)
            }
        }
        throw FilterError(.text, found: "the end", expected: "a closing quote", position: source.position(of: start))
    }

    private mutating func escape(into units: inout [UInt16]) throws(FilterError) {
        let start = offset - 1
        guard let letter = scalar else { throw failure(.text, at: offset, expected: "a character after \\") }
        offset += 1
        switch letter {
        case "n": units.append(0x0A)
        case "r": units.append(0x0D)
        case "t": units.append(0x09)
        case "a": units.append(0x07)
        case "b": units.append(0x08)
        case "f": units.append(0x0C)
        case "v": units.append(0x0B)
        case "x": units.append(try digits(2, radix: 16, at: start))
        case "u": units.append(try digits(4, radix: 16, at: start))
        case "0"..."7":
            offset -= 1
            units.append(try digits(3, radix: 8, at: start))
        default: units.append(contentsOf: letter.utf16)
        }
    }

    /// Reads digits: exactly `count` hexadecimal digits, or at most `count` octal digits.
    private mutating func digits(_ count: Int, radix: Int, at start: Int) throws(FilterError) -> UInt16 {
        var value: UInt16 = 0
        var read = 0
        while read < count, let digit = scalar.flatMap({ Character($0).hexDigitValue }), digit < radix {
            value = value &* UInt16(radix) &+ UInt16(digit)
            read += 1
            offset += 1
        }
        guard read == count || radix == 8 else { throw failure(.text, at: start, expected: "\(count) hex digits") }
        return value
    }

    mutating func number() throws(FilterError) -> FilterValue {
        let start = offset
        let value: FilterValue?
        if scalar == "0", let radix = radix() {
            offset += 2
            value = UInt64(name(), radix: radix).flatMap { FilterNumber.literal(String($0))?.value }
        } else {
            var text = digits()
            if scalar == ".", source.scalar(at: offset + 1)?.isDecimalDigit == true {
                offset += 1
                text += "." + digits()
            }
            if let mark = scalar, mark == "e" || mark == "E" {
                offset += 1
                text += "e"
                if let sign = scalar, sign == "+" || sign == "-" {
                    offset += 1
                    text.unicodeScalars.append(sign)
                }
                text += digits()
            }
            value = FilterNumber.literal(text)?.value
        }
        let hasSuffix = scalar?.continuesName == true
        guard let value, !hasSuffix else {
            _ = name()
            throw failure(.number, at: start, expected: "a valid number")
        }
        return value
    }

    private func radix() -> Int? {
        switch source.scalar(at: offset + 1) {
        case "x", "X": 16
        case "b", "B": 2
        case "o", "O": 8
        default: nil
        }
    }

    private mutating func digits() -> String { run(of: \.isDecimalDigit) }
}
