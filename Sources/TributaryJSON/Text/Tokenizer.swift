/// A strict JSON tokenizer over bytes in memory.
///
/// yajl parses the stream. The tokenizer finds the exact invalid byte, and the token expected there, after yajl has
/// rejected the text; it helps to find the end of a damaged record; and it examines the first bytes of a source for
/// its shape. It follows RFC 8259 strictly and without recursion.
struct Tokenizer {
    /// The length of the longest sequence that is valid or invalid as a whole: an escaped surrogate pair.
    static let longestSequence = 12

    /// The tokens that the grammar allows next.
    enum Expectation: UInt8, Sendable {
        case value, elementOrEnd, keyOrEnd, key, colon, commaOrEnd, nothing
    }

    /// An open container.
    struct Frame: Sendable {
        let isObject: Bool
        /// The index of the latest element or member, or -1.
        var index = -1
        /// The bytes of the latest key, without its quotes.
        var key: Range<Int>?
    }

    struct Token {
        enum Kind { case startObject, endObject, startArray, endArray, key, string, number, literal }
        let kind: Kind
        /// The bytes of the token, including quotes.
        let range: Range<Int>
    }

    /// The reason why the text is not JSON, and its offset.
    struct Fault: Error {
        var offset: Int
        let code: JSONError.Code
        let reason: String

        init(_ code: JSONError.Code, at offset: Int, _ reason: String) {
            (self.code, self.offset, self.reason) = (code, offset, reason)
        }

        /// A placeholder in `reason` for the character at `offset`, which may not be complete yet.
        static let found = "\u{0}"

        /// The fault with the placeholder replaced by the character.
        func describingFound(in bytes: UnsafeRawBufferPointer) -> Fault {
            guard offset < bytes.count else { return self }
            let character = Tokenizer.describe(bytes, at: offset)
            return Fault(code, at: offset, reason.replacing(Fault.found, with: character))
        }
    }

    let bytes: UnsafeRawBufferPointer
    let limits: ReadLimits
    /// Whether no more bytes will follow `bytes`.
    let isFinal: Bool
    private(set) var position: Int
    private(set) var expectation: Expectation
    private(set) var frames: [Frame]
    /// The number of open containers around `frames`, which count for the depth limit.
    private let outerDepth: Int

    /// Starts at `position` inside the containers `frames`, outermost first.
    init(
        _ bytes: UnsafeRawBufferPointer, at position: Int = 0, expecting expectation: Expectation = .value,
        inside frames: [Frame] = [], outerDepth: Int = 0, isFinal: Bool, limits: ReadLimits
    ) {
        self.bytes = bytes
        self.position = position
        self.expectation = expectation
        self.frames = frames
        self.outerDepth = outerDepth
        self.isFinal = isFinal
        self.limits = limits
    }

    /// The number of open containers, without `outerDepth`.
    var depth: Int { frames.count }

    func text(of token: Token) -> String { text(in: token.range.lowerBound + 1..<token.range.upperBound - 1) }

    /// The decoded text of a string or a key whose bytes between the quotes are at `content`.
    func text(in content: Range<Int>) -> String {
        let raw = UnsafeBufferPointer(rebasing: bytes.bindMemory(to: UInt8.self)[content])
        return String(decoding: JSONText.decode(raw), as: UTF8.self)
    }

    /// The next token, or nil at the end of the bytes: the text has ended, or more bytes are needed.
    mutating func next() throws(Fault) -> Token? {
        while true {
            skipBlanks()
            guard position < bytes.count else {
                guard isFinal, expectation != .nothing else { return nil }
                throw truncated("found the end of the text, expected \(expected)")
            }
            let byte = bytes[position]
            switch expectation {
            case .nothing: throw unexpected(expected, code: .syntaxTrailing)
            case .colon:
                guard byte == UInt8(ascii: ":") else { throw unexpected(expected) }
                position += 1
                expectation = .value
            case .commaOrEnd:
                guard byte == UInt8(ascii: ",") else { return try close(byte) }
                position += 1
                expectation = frames[frames.count - 1].isObject ? .key : .value
            case .value, .elementOrEnd:
                if expectation == .elementOrEnd, byte == UInt8(ascii: "]") { return try close(byte) }
                return try value(byte)
            case .key, .keyOrEnd:
                if byte == UInt8(ascii: "\"") { return try key() }
                guard expectation == .keyOrEnd else { throw unexpected(expected) }
                return try close(byte)
            }
        }
    }

    mutating func firstFault() -> Fault? {
        do {
            while try next() != nil {}
            return nil
        } catch {
            return error
        }
    }

    private mutating func skipBlanks() {
        while position < bytes.count, bytes[position].isJSONBlank { position += 1 }
    }

    private mutating func key() throws(Fault) -> Token? {
        guard let end = try string(limit: limits.key, code: .limitKey, what: "key") else { return nil }
        let innermost = frames.count - 1
        frames[innermost].index += 1
        guard frames[innermost].index < limits.keys else {
            throw Fault(.limitKeys, at: position, "found an object with more than \(limits.keys) keys")
        }
        frames[innermost].key = position + 1..<end - 1
        expectation = .colon
        return advance(.key, to: end)
    }

    private mutating func value(_ byte: UInt8) throws(Fault) -> Token? {
        let kind: Token.Kind
        let end: Int?
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard outerDepth + frames.count < limits.depth else {
                throw Fault(.limitDepth, at: position, "found arrays and objects more than \(limits.depth) deep")
            }
            beginValue()
            let isObject = byte == UInt8(ascii: "{")
            frames.append(Frame(isObject: isObject))
            expectation = isObject ? .keyOrEnd : .elementOrEnd
            return advance(isObject ? .startObject : .startArray, to: position + 1)
        case UInt8(ascii: "\""):
            kind = .string
            end = try string(limit: limits.string, code: .limitString, what: "string")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            kind = .number
            end = try number()
        case UInt8(ascii: "t"): (kind, end) = (.literal, try literal("true"))
        case UInt8(ascii: "f"): (kind, end) = (.literal, try literal("false"))
        case UInt8(ascii: "n"): (kind, end) = (.literal, try literal("null"))
        default: throw unexpected(expected)
        }
        guard let end else { return nil }
        beginValue()
        expectation = frames.isEmpty ? .nothing : .commaOrEnd
        return advance(kind, to: end)
    }

    private mutating func beginValue() {
        if let last = frames.last, !last.isObject { frames[frames.count - 1].index += 1 }
    }

    private mutating func close(_ byte: UInt8) throws(Fault) -> Token {
        let isObject = frames[frames.count - 1].isObject
        guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { throw unexpected(expected) }
        frames.removeLast()
        expectation = frames.isEmpty ? .nothing : .commaOrEnd
        return advance(isObject ? .endObject : .endArray, to: position + 1)
    }

    private mutating func advance(_ kind: Token.Kind, to end: Int) -> Token {
        defer { position = end }
        return Token(kind: kind, range: position..<end)
    }
}

extension Tokenizer {
    /// What the grammar allows next, for messages.
    private var expected: String {
        switch expectation {
        case .nothing: "nothing after the value"
        case .colon: "a colon"
        case .commaOrEnd: frames.last?.isObject == true ? "a comma or }" : "a comma or ]"
        case .elementOrEnd: "a value or ]"
        case .key: "a key in quotes"
        case .keyOrEnd: "a key in quotes or }"
        case .value: "a value"
        }
    }

    func truncated(_ reason: String) -> Fault { Fault(.syntaxTruncated, at: bytes.count, reason) }

    func unexpected(_ expected: String, at offset: Int? = nil, code: JSONError.Code = .syntaxUnexpected) -> Fault {
        Fault(code, at: offset ?? position, "found \(Fault.found), expected \(expected)")
    }

    /// The number of bytes of the UTF-8 character that begins with `byte`.
    static func width(of byte: UInt8) -> Int { byte.sequenceBounds?.width ?? 1 }

    /// The character at `offset`, or its first byte if it is not valid UTF-8.
    static func describe(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> String {
        let end = min(bytes.count, offset + width(of: bytes[offset]))
        let character = UnsafeRawBufferPointer(rebasing: bytes[offset..<end])
        let text = Excerpt.escape(character)
        return text.hasPrefix("\\x") ? String(text.prefix(4)) : text
    }
}

extension UInt8 {
    /// Space, tab, line feed, carriage return.
    @inline(__always)
    var isJSONBlank: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

    @inline(__always)
    var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    @inline(__always)
    var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }
}
