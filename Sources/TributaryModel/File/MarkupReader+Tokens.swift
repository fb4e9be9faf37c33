extension MarkupReader {
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    private static func endsName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, 0x21, 0x22, 0x26, 0x27, 0x2F, 0x3B...0x3F: true  // ! " & ' / ; < = > ?
        default: false
        }
    }

    func fail(_ message: String) -> MarkupError { MarkupError(message: message, offset: index) }

    /// Skips `token` and returns true, if it comes next.
    mutating func skip(_ token: StaticString) -> Bool {
        token.withUTF8Buffer { expected in
            guard bytes.count - index >= expected.count, bytes[index..<index + expected.count].elementsEqual(expected)
            else { return false }
            index += expected.count
            return true
        }
    }

    /// Skips white space; returns whether there was any.
    mutating func skipSpace() -> Bool {
        let start = index
        while index < bytes.count, Self.isSpace(bytes[index]) { index += 1 }
        return index > start
    }

    mutating func name(_ what: String) throws -> String {
        let start = index
        while index < bytes.count, !Self.endsName(bytes[index]) { index += 1 }
        guard index > start, !(0x30...0x39).contains(bytes[start]), bytes[start] != UInt8(ascii: "-") else {
            throw MarkupError(message: "expected the name of \(what)", offset: start)
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    mutating func skip(through end: StaticString, _ what: String) throws {
        let start = index
        while index < bytes.count {
            if skip(end) { return }
            index += 1
        }
        throw MarkupError(message: "\(what) has no end", offset: start)
    }

    /// The text before `end` or the end of the file, with a space for each line end, and resolved references.
    mutating func text(until end: UInt8) throws -> String {
        var found: [UInt8] = []
        while index < bytes.count, bytes[index] != end {
            switch bytes[index] {
            case UInt8(ascii: "&"):
                found += try reference()
                continue
            case UInt8(ascii: "<"): throw fail("\"<\" must be written as \"&lt;\" here")
            case 0x0D:
                if index + 1 < bytes.count, bytes[index + 1] == 0x0A { index += 1 }
                found.append(0x20)
            case 0x0A, 0x09: found.append(0x20)
            case 0x00..<0x20: throw fail("the text contains a control character")
            default: found.append(bytes[index])
            }
            index += 1
        }
        return String(decoding: found, as: UTF8.self)
    }

    private static let predefined = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]

    /// The bytes of a predefined XML entity or of a character reference.
    private mutating func reference() throws -> [UInt8] {
        let start = index
        let longest = min(bytes.count, start + 12)
        guard let stop = bytes[start..<longest].firstIndex(of: UInt8(ascii: ";")) else {
            throw fail("\"&\" must be written as \"&amp;\" here")
        }
        let body = String(decoding: bytes[(start + 1)..<stop], as: UTF8.self)
        index = stop + 1
        if let text = MarkupReader.predefined[body] { return Array(text.utf8) }
        let digits = body.hasPrefix("#x") ? body.dropFirst(2) : body.dropFirst()
        guard body.hasPrefix("#"), digits.first?.isHexDigit == true,
            let number = UInt32(digits, radix: body.hasPrefix("#x") ? 16 : 10), let scalar = Unicode.Scalar(number)
        else { throw MarkupError(message: "\"&\(body);\" is not a character", offset: start) }
        return Array(String(Character(scalar)).utf8)
    }

    /// Skips a DOCTYPE that refers to an external definition, whose name has no bracket; throws for internal declarations.
    mutating func skipDocumentType() throws {
        guard let end = bytes[index...].firstIndex(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: ">") }) else {
            throw fail("a DOCTYPE has no end")
        }
        guard bytes[end] == UInt8(ascii: ">") else {
            throw MarkupError(message: "a DOCTYPE with declarations is refused; remove it", offset: end)
        }
        index = end + 1
    }
}
