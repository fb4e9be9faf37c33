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

    /// Decodes escaped text into memory with room for `text.count` bytes; returns the number of bytes written.
    package static func decode(_ text: UnsafeBufferPointer<UInt8>, into memory: UnsafeMutableRawPointer) -> Int {
        JSONText.decode(
            text, into: UnsafeMutableBufferPointer(start: memory.assumingMemoryBound(to: UInt8.self), count: text.count)
        )
    }
}

extension ProjectedValues {
    /// The value of the projection's path at `index`.
    package func raw(_ index: Int) -> RawValue {
        guard let storage else { preconditionFailure("no record has been projected into these values") }
        let place = Int(words[index])
        guard place >= 0 else { return place == -1 ? .missing : .obstacle }
        let word = storage.word(place)
        switch word.kind {
        case .null: return .null
        case .yes: return .boolean(true)
        case .no: return .boolean(false)
        case .number: return .number(storage.text(word))
        case .text, .key: return .text(storage.text(word))
        case .escapedText, .escapedKey: return .escapedText(storage.text(word))
        case .array, .object: return .container
        case .end: return .missing
        }
    }

    /// Appends a container without blanks between its tokens.
    package func appendCompact(_ index: Int, to output: inout [UInt8]) { self[index].appendCompact(to: &output) }
}
