/// A value as it is written in the source, for code that reads millions of values without conversion.
///
/// It points into the chunk of the record, and is valid as long as the chunk is retained.
package enum RawValue {
    /// A missing member.
    case missing
    /// `null`
    case null
    /// `true` or `false`
    case boolean(Bool)
    /// The text of a number.
    case number(UnsafeBufferPointer<UInt8>)
    /// Text without escape sequences.
    case text(UnsafeBufferPointer<UInt8>)
    /// Text with escape sequences, not decoded.
    case escapedText(UnsafeBufferPointer<UInt8>)
    /// An array or an object.
    case container
    /// A value on the path is not an object.
    case obstacle

    /// The value of a plain run of digits, the usual form of an integer; else nil.
    @inline(__always)
    package static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int64? { NumberText(text).plainInt64() }

    /// The nearest double; nil if the number is too large or too small.
    package static func double(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        NumberText(text).double().flatMap { $0.isFinite ? $0 : nil }
    }

    /// The seconds since 1970 of a date as ISO 8601; nil for other text.
    package static func date(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        var date = ISO8601(text, secondsFromGMT: 0)
        return date.parse()
    }

    /// Decodes escaped text into memory with room for `text.count` bytes; returns the number of bytes written.
    package static func decode(_ text: UnsafeBufferPointer<UInt8>, into memory: UnsafeMutableRawPointer) -> Int {
        JSONText.decode(
            text, into: UnsafeMutableBufferPointer(start: memory.assumingMemoryBound(to: UInt8.self), count: text.count)
        )
    }
}

extension JSON {
    /// The value as it is written in the source.
    package var raw: RawValue { word < 0 ? .missing : storage.raw(word) }
}

extension ProjectedValues {
    /// The value of the projection's path at `index`.
    package func raw(_ index: Int) -> RawValue {
        guard let storage else { preconditionFailure("no record has been projected into these values") }
        let place = Int(words[index])
        guard place >= 0 else { return place == -1 ? .missing : .obstacle }
        return storage.raw(place)
    }

    /// Calls `body` with the bytes of a container without blanks between its tokens.
    package func withCompactBytes(
        _ index: Int, _ scratch: inout [UInt8], _ body: (UnsafeRawBufferPointer) -> Void
    ) { self[index].withCompactBytes(&scratch, body) }
}

extension ChunkStorage {
    /// The value at `place` as it is written in the source.
    @inline(__always)
    func raw(_ place: Int) -> RawValue {
        let word = word(place)
        switch word.kind {
        case .null: return .null
        case .yes: return .boolean(true)
        case .no: return .boolean(false)
        case .number: return .number(text(word))
        case .text, .key: return .text(text(word))
        case .escapedText, .escapedKey: return .escapedText(text(word))
        case .array, .object: return .container
        case .end: return .missing
        }
    }
}
