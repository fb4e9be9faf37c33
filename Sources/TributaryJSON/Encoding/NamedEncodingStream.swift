import TributaryPlatform

/// Converts another encoding to UTF-8 while it is read, by `iconv`.
///
/// `@unchecked Sendable`: only the reading thread calls the methods, except for `cancel`, which only forwards.
final class NamedEncodingStream: StreamStage, @unchecked Sendable {
    let upstream: any ByteStream
    private let name: String
    private let converter: iconv_t
    private let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: NamedEncodingStream.size)
    private var kept = 0
    private var consumed: Int
    private var isAtEnd = false
    /// Whether the buffer has characters for which there was no room.
    private var isFull = false
    /// Converted bytes for targets that are smaller than one character.
    private var converted: ArraySlice<UInt8> = []
    private var failure: JSONError?

    private static let size = 64 << 10

    /// Reads from `upstream`, whose byte order mark of `mark` bytes has been read.
    init(_ upstream: any ByteStream, named name: String, after mark: Int = 0) throws {
        consumed = mark
        self.upstream = upstream
        self.name = name
        // Options of iconv, as in latin1//IGNORE, would leave characters out.
        let converter: iconv_t? = name.contains("/") ? nil : iconv_open("UTF-8", name)
        guard let converter, Int(bitPattern: converter) != -1 else {
            buffer.deallocate()
            throw JSONError(
                .encodingInvalid, "the encoding \(Excerpt.escape(name)) is not known",
                hint: "'iconv --list' prints the names of those that are")
        }
        self.converter = converter
    }

    deinit {
        iconv_close(converter)
        buffer.deallocate()
    }

    func read(into target: UnsafeMutableRawBufferPointer) throws -> Int {
        // A character can become several.
        if target.count < 64 || !converted.isEmpty { return try readSmall(into: target) }
        if let failure { throw failure }
        guard let start = target.baseAddress?.assumingMemoryBound(to: CChar.self) else { return 0 }
        while true {
            if !isAtEnd, !isFull {
                let room = UnsafeMutableRawBufferPointer(
                    start: buffer + kept, count: NamedEncodingStream.size - kept)
                let count = try upstream.read(into: room)
                if count == 0 { isAtEnd = true }
                kept += count
            }
            var (input, left): (UnsafeMutablePointer<CChar>?, Int) = (buffer, kept)
            var (output, room): (UnsafeMutablePointer<CChar>?, Int) = (start, target.count)
            let result = iconv(converter, &input, &left, &output, &room)
            let error = Int(result) == -1 ? errno : 0
            let taken = kept - left
            consumed += taken
            buffer.update(from: buffer + taken, count: left)
            kept = left
            let written = target.count - room
            isFull = error == E2BIG
            if error == EILSEQ || error == EINVAL && isAtEnd {
                let what = error == EILSEQ ? "is not valid" : "ends in the middle of a character of"
                failure = JSONError(
                    .encodingInvalid, "the text \(what) \(Excerpt.escape(name)) at byte \(consumed)",
                    hint: "name the encoding that it has")
            }
            // The characters before the error are returned first.
            if written > 0 { return written }
            if let failure { throw failure }
            if isAtEnd { return 0 }
        }
    }

    private func readSmall(into target: UnsafeMutableRawBufferPointer) throws -> Int {
        if converted.isEmpty {
            converted = try [UInt8](unsafeUninitializedCapacity: 64) { bytes, count in
                count = try read(into: UnsafeMutableRawBufferPointer(bytes))
            }[...]
        }
        let count = min(target.count, converted.count)
        target.copyBytes(from: converted.prefix(count))
        converted.removeFirst(count)
        return count
    }
}
