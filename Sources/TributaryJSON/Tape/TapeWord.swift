/// One token of a record in 64 bits.
///
///     63..60  kind
///     59..32  length in bytes (text, numbers) or in words (containers: including the start word and the end word)
///     31..0   offset of the token in the arena (text: after its quote; a container's end word: after its bracket)
///
/// A record is a run of words in document order. An object is its start word, then a key word before each value,
/// then an end word; an array likewise without keys. Nothing is decoded: the words point at the bytes of the source.
struct TapeWord {
    enum Kind: UInt8 {
        case null, no, yes, number
        /// Text without a backslash: its bytes are its value.
        case text
        /// Text with escape sequences, not decoded.
        case escapedText
        case key, escapedKey
        case object, array, end
    }

    var bits: UInt64

    @inline(__always)
    init(bits: UInt64) { self.bits = bits }

    @inline(__always)
    init(_ kind: Kind, offset: Int, length: Int) {
        bits =
            UInt64(kind.rawValue) << 60 | UInt64(truncatingIfNeeded: length) << 32 | UInt64(truncatingIfNeeded: offset)
    }

    @inline(__always)
    var kind: Kind { unsafeBitCast(UInt8(truncatingIfNeeded: bits >> 60), to: Kind.self) }
    @inline(__always)
    var length: Int { Int(truncatingIfNeeded: (bits >> 32) & 0xFFF_FFFF) }
    @inline(__always)
    var offset: Int { Int(truncatingIfNeeded: bits & 0xFFFF_FFFF) }

    /// The number of words of the value or key.
    @inline(__always)
    var span: Int { isContainer ? length : 1 }
    @inline(__always)
    var isContainer: Bool { bits >> 60 == UInt64(Kind.object.rawValue) || bits >> 60 == UInt64(Kind.array.rawValue) }

    /// The word for the same token after its bytes have moved down by `distance`.
    @inline(__always)
    func moved(down distance: Int) -> TapeWord { TapeWord(bits: bits &- UInt64(distance)) }
}
