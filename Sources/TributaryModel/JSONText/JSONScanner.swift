/// Finds the ends of the values in a JSON text, strictly by RFC 8259.
///
/// It does not own the bytes, which are valid for as long as it is used.
struct JSONScanner {
    /// The deepest nesting of arrays and objects.
    static let depthLimit = 512

    let bytes: UnsafeRawBufferPointer
    private(set) var offset = 0
    /// The white space between the tokens so far.
    private(set) var blanks = RangeSet<Int>()
    /// What was found so far.
    private(set) var extent = JSONExtent()

    var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private func failure(_ expected: String, found: String? = nil) -> JSONTextError {
        JSONTextError(Array(bytes), at: offset, found: found, expected: expected)
    }

    /// Skips a byte and returns true, if it comes next.
    private mutating func accept(_ wanted: Unicode.Scalar) -> Bool {
        guard byte == UInt8(ascii: wanted) else { return false }
        offset += 1
        return true
    }

    private mutating func skipBlanks() {
        if let next = byte, next > 0x20 { return }
        let start = offset
        while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
        if offset > start { blanks.insert(contentsOf: start..<offset) }
    }

    mutating func skipDocument() throws(JSONTextError) {
        try skipValue()
        skipBlanks()
        if offset < bytes.count { throw failure("the end") }
    }

    /// Skips a value and the white space before it.
    private mutating func skipValue(depth: Int = 1) throws(JSONTextError) {
        skipBlanks()
        switch byte {
        case UInt8(ascii: "\""):
            let start = offset
            try skipString()
            extent.string = max(extent.string, offset - start - 2)
        case UInt8(ascii: "{"): try skipElements(until: "}", depth: depth)
        case UInt8(ascii: "["): try skipElements(until: "]", depth: depth)
        case UInt8(ascii: "t"): try skip("true")
        case UInt8(ascii: "f"): try skip("false")
        case UInt8(ascii: "n"): try skip("null")
        default: try skipNumber()
        }
    }

    private mutating func skip(_ word: StaticString) throws(JSONTextError) {
        let start = offset
        for index in 0..<word.utf8CodeUnitCount {
            guard byte == word.utf8Start[index] else {
                offset = start
                throw failure("a value")
            }
            offset += 1
        }
    }

    /// Skips an array or an object; `visit` is called with the bytes of the key and the value of each part.
    mutating func skipElements(
        until end: Unicode.Scalar, depth: Int = 1, _ visit: (Range<Int>?, Range<Int>) -> Void = { _, _ in }
    ) throws(JSONTextError) {
        guard depth <= Self.depthLimit else {
            throw failure("no more than \(Self.depthLimit) levels", found: "another level")
        }
        extent.depth = max(extent.depth, depth)
        offset += 1
        skipBlanks()
        if accept(end) { return }
        repeat {
            let key = end == "}" ? try skipKey() : nil
            skipBlanks()
            let start = offset
            try skipValue(depth: depth + 1)
            visit(key, start..<offset)
            skipBlanks()
        } while accept(",")
        guard accept(end) else { throw failure(", or \(end)") }
    }

    /// Skips a key and the colon, with the white space around them; returns the bytes of the key.
    private mutating func skipKey() throws(JSONTextError) -> Range<Int> {
        skipBlanks()
        guard byte == UInt8(ascii: "\"") else { throw failure("a key") }
        let start = offset
        try skipString()
        let key = start..<offset
        extent.key = max(extent.key, key.count - 2)
        extent.members += 1
        skipBlanks()
        guard accept(":") else { throw failure(":") }
        return key
    }

    /// Skips a string, from its opening to its closing quote.
    private mutating func skipString() throws(JSONTextError) {
        offset += 1
        while let byte {
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                return
            case UInt8(ascii: "\\"): try skipEscape()
            case 0..<0x20: throw failure("an escape instead of a control character")
            default: offset += 1
            }
        }
        throw failure("a quote")
    }

    private mutating func skipEscape() throws(JSONTextError) {
        offset += 1
        guard let letter = byte, "\"\\/bfnrtu".utf8.contains(letter) else { throw failure("an escape") }
        offset += 1
        if letter == UInt8(ascii: "/") { extent.hasOptionalEscapes = true }
        guard letter == UInt8(ascii: "u") else { return }
        let start = offset
        for _ in 0..<4 {
            guard let digit = byte, Character(Unicode.Scalar(digit)).isHexDigit else {
                throw failure("four hex digits")
            }
            offset += 1
        }
        if !JSONExtent.areRequired(bytes[start..<offset]) { extent.hasOptionalEscapes = true }
    }

    private mutating func skipNumber() throws(JSONTextError) {
        let start = offset
        let isNegative = accept("-")
        guard let first = byte, 48...57 ~= first else { throw failure(isNegative ? "a digit" : "a value") }
        if first == 48 { offset += 1 } else { try skipDigits() }
        if accept(".") { try skipDigits() }
        if accept("e") || accept("E") {
            if !accept("+") { _ = accept("-") }
            try skipDigits()
        }
        extent.number = max(extent.number, offset - start)
    }

    private mutating func skipDigits() throws(JSONTextError) {
        let start = offset
        while let byte, 48...57 ~= byte { offset += 1 }
        if offset == start { throw failure("a digit") }
    }
}
