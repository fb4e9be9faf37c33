/// A slow and simple implementation of RFC 8259, written independently of the library, to compare the library with.
///
/// It finds the offset at which a text is no longer a prefix of a JSON text: nil if the text is valid, the length of
/// the text if it is truncated, else the offset of the first invalid byte. For half of a surrogate pair this is its
/// backslash, for invalid UTF-8 the first byte of the sequence.
public struct ReferenceTokenizer {
    private let bytes: [UInt8]
    private var index = 0

    private struct Stop: Error { let offset: Int }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The offset of the first invalid byte, if there is one.
    public static func firstFault(in bytes: [UInt8]) -> Int? {
        var tokenizer = ReferenceTokenizer(bytes)
        do {
            tokenizer.blanks()
            try tokenizer.value()
            tokenizer.blanks()
            return tokenizer.index < bytes.count ? tokenizer.index : nil
        } catch let stop as Stop {
            return stop.offset
        } catch {
            return 0
        }
    }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func stop(_ offset: Int? = nil) -> Stop { Stop(offset: offset ?? index) }

    private mutating func blanks() {
        while let byte = current, [9, 10, 13, 32].contains(byte) { index += 1 }
    }

    private mutating func expect(_ text: String) throws {
        for byte in text.utf8 {
            guard current == byte else { throw stop() }
            index += 1
        }
    }

    private mutating func value() throws {
        switch current.map({ Character(Unicode.Scalar($0)) }) {
        case "{": try container("}", isObject: true)
        case "[": try container("]", isObject: false)
        case "\"": try string()
        case "t": try expect("true")
        case "f": try expect("false")
        case "n": try expect("null")
        case "-", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9": try number()
        default: throw stop()
        }
    }

    private mutating func container(_ end: String, isObject: Bool) throws {
        index += 1
        blanks()
        if current == end.utf8.first {
            index += 1
            return
        }
        while true {
            blanks()
            if isObject {
                guard current == UInt8(ascii: "\"") else { throw stop() }
                try string()
                blanks()
                try expect(":")
                blanks()
            }
            try value()
            blanks()
            if current == end.utf8.first {
                index += 1
                return
            }
            try expect(",")
        }
    }

    private mutating func digits() throws {
        guard let byte = current, (48...57).contains(byte) else { throw stop() }
        while let byte = current, (48...57).contains(byte) { index += 1 }
    }

    private mutating func number() throws {
        if current == UInt8(ascii: "-") { index += 1 }
        if current == UInt8(ascii: "0") {
            index += 1
            if let byte = current, (48...57).contains(byte) { throw stop() }
        } else {
            try digits()
        }
        if current == UInt8(ascii: ".") {
            index += 1
            try digits()
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            index += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { index += 1 }
            try digits()
        }
    }

    private mutating func string() throws {
        index += 1
        while let byte = current {
            if byte == UInt8(ascii: "\"") {
                index += 1
                return
            }
            if byte == UInt8(ascii: "\\") {
                try escape()
            } else if byte < 0x20 {
                throw stop()
            } else {
                try character()
            }
        }
        throw stop()
    }

    private mutating func hexadecimal() throws -> Int {
        var value = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw stop()
            }
            value = value * 16 + digit
            index += 1
        }
        return value
    }

    private mutating func escape() throws {
        let start = index
        index += 1
        guard let byte = current else { throw stop() }
        guard byte == UInt8(ascii: "u") else {
            guard "\"\\/bfnrt".utf8.contains(byte) else { throw stop() }
            index += 1
            return
        }
        index += 1
        let first = try hexadecimal()
        if (0xDC00...0xDFFF).contains(first) { throw stop(start) }
        guard (0xD800...0xDBFF).contains(first) else { return }
        // The other half must follow, unless the text is truncated before it.
        for expected in "\\u".utf8 {
            guard let byte = current else { throw stop() }
            guard byte == expected else { throw stop(start) }
            index += 1
        }
        guard let second = try? hexadecimal() else { throw index < bytes.count ? stop(start) : stop() }
        guard (0xDC00...0xDFFF).contains(second) else { throw stop(start) }
    }

    private mutating func character() throws {
        let start = index
        let width = bytes[index] < 0x80 ? 1 : bytes[index] < 0xE0 ? 2 : bytes[index] < 0xF0 ? 3 : 4
        for count in stride(from: min(width, bytes.count - index), through: 1, by: -1) {
            let slice = bytes[index..<index + count]
            if let text = String(validating: slice, as: UTF8.self), text.unicodeScalars.count == 1 {
                index += count
                return
            }
        }
        throw stop(start)
    }
}
