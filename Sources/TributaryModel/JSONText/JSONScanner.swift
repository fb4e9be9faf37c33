/// Finds where the values of a JSON text end, by the letter of RFC 8259.
struct JSONScanner {
    /// The deepest nesting of arrays and objects.
    static let depthLimit = 512

    let bytes: [UInt8]
    private(set) var place: Int

    init(_ bytes: [UInt8], at place: Int = 0) {
        self.bytes = bytes
        self.place = place
    }

    var byte: UInt8? { place < bytes.count ? bytes[place] : nil }

    func failure(_ expected: String, found: String? = nil) -> JSONTextError {
        JSONTextError(bytes, at: place, found: found, expected: expected)
    }

    /// Takes a byte if it is the next one.
    mutating func take(_ wanted: Unicode.Scalar) -> Bool {
        guard byte == UInt8(ascii: wanted) else { return false }
        place += 1
        return true
    }

    mutating func skipBlanks() {
        while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { place += 1 }
    }

    /// Passes the one value that the whole text is.
    mutating func skipDocument() throws(JSONTextError) {
        try skipValue()
        skipBlanks()
        if place < bytes.count { throw failure("the end") }
    }

    /// Passes a value and the blanks before it.
    mutating func skipValue(depth: Int = 1) throws(JSONTextError) {
        skipBlanks()
        switch byte {
        case UInt8(ascii: "\""): try skipString()
        case UInt8(ascii: "{"): try skipElements(until: "}", depth)
        case UInt8(ascii: "["): try skipElements(until: "]", depth)
        case UInt8(ascii: "t"): try skip("true")
        case UInt8(ascii: "f"): try skip("false")
        case UInt8(ascii: "n"): try skip("null")
        default: try skipNumber()
        }
    }

    private mutating func skip(_ word: StaticString) throws(JSONTextError) {
        let start = place
        for index in 0..<word.utf8CodeUnitCount {
            guard byte == word.utf8Start[index] else {
                place = start
                throw failure("a value")
            }
            place += 1
        }
    }

    private mutating func skipElements(until end: Unicode.Scalar, _ depth: Int) throws(JSONTextError) {
        guard depth <= Self.depthLimit else {
            throw failure("no more than \(Self.depthLimit) levels", found: "another level")
        }
        place += 1
        skipBlanks()
        if take(end) { return }
        repeat {
            if end == "}" { try skipKey() }
            try skipValue(depth: depth + 1)
            skipBlanks()
        } while take(",")
        guard take(end) else { throw failure(", or \(end)") }
    }

    /// Passes a key, the colon, and the blanks around them.
    mutating func skipKey() throws(JSONTextError) {
        skipBlanks()
        guard byte == UInt8(ascii: "\"") else { throw failure("a key") }
        try skipString()
        skipBlanks()
        guard take(":") else { throw failure(":") }
    }

    /// Passes a string, from its first quote to its last.
    mutating func skipString() throws(JSONTextError) {
        place += 1
        while let byte {
            switch byte {
            case UInt8(ascii: "\""):
                place += 1
                return
            case UInt8(ascii: "\\"): try skipEscape()
            case 0..<0x20: throw failure("an escape in place of a control character")
            default: place += 1
            }
        }
        throw failure("a quote")
    }

    private mutating func skipEscape() throws(JSONTextError) {
        place += 1
        guard let letter = byte, "\"\\/bfnrtu".utf8.contains(letter) else { throw failure("an escape") }
        place += 1
        guard letter == UInt8(ascii: "u") else { return }
        for _ in 0..<4 {
            guard let digit = byte, Character(Unicode.Scalar(digit)).isHexDigit else {
                throw failure("four hex digits")
            }
            place += 1
        }
    }

    private mutating func skipNumber() throws(JSONTextError) {
        let isNegative = take("-")
        guard let first = byte, 48...57 ~= first else { throw failure(isNegative ? "a digit" : "a value") }
        if first == 48 { place += 1 } else { try skipDigits() }
        if take(".") { try skipDigits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try skipDigits()
        }
    }

    private mutating func skipDigits() throws(JSONTextError) {
        let start = place
        while let byte, 48...57 ~= byte { place += 1 }
        if place == start { throw failure("a digit") }
    }
}
