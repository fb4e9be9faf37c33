import TributaryJSON

/// A word of the tape of a record.
///
/// It is a `TapeWord` once more, since the compiler makes calls of the accessors of another module, of which a profile
/// would need several for each value.
struct TapeToken {
    /// As in `TapeWord.Kind`.
    enum Kind: UInt8 {
        case null, no, yes, number, text, escapedText, key, escapedKey, object, array, end
    }

    private let bits: UInt64

    @inline(__always)
    init(_ bits: UInt64) { self.bits = bits }

    @inline(__always)
    var kind: Kind { unsafeBitCast(UInt8(truncatingIfNeeded: bits >> 60), to: Kind.self) }
    @inline(__always)
    var length: Int { Int(truncatingIfNeeded: (bits >> 32) & 0xFFF_FFFF) }
    @inline(__always)
    var offset: Int { Int(truncatingIfNeeded: bits & 0xFFFF_FFFF) }
    @inline(__always)
    var isContainer: Bool {
        bits >> 60 == UInt64(Kind.object.rawValue) || bits >> 60 == UInt64(Kind.array.rawValue)
    }
    @inline(__always)
    var isEnd: Bool { bits >> 60 == UInt64(Kind.end.rawValue) }
    @inline(__always)
    var isObject: Bool { bits >> 60 == UInt64(Kind.object.rawValue) }
    /// Whether it is a key without escape sequences.
    @inline(__always)
    var isPlainKey: Bool { bits >> 60 == UInt64(Kind.key.rawValue) }
    /// The number of words of the value.
    @inline(__always)
    var span: Int { isContainer ? length : 1 }
}

extension ChunkTokens {
    /// The token at a word.
    @inline(__always)
    func token(_ word: Int) -> TapeToken { TapeToken(tape[word]) }
}
