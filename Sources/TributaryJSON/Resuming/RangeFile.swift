/// A file that is read at any offset, by one thread.
struct RangeFile {
    private let stream: any ByteStream
    private let name: String

    init(_ source: FileSource) throws {
        stream = try source.open()
        name = source.name
    }

    /// Fills `buffer` with the bytes at `offset`; returns a smaller number only at the end of the file.
    func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
        guard try stream.seek(to: offset) else { throw hasChanged(offset) }
        var count = 0
        while count < buffer.count {
            let more = try stream.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
            if more == 0 { break }
            count += more
        }
        return count
    }

    /// Calls `body` with consecutive parts of the bytes from `start` to `end`, or to the end of the file; returns the end
    /// of the last part.
    ///
    /// `body` takes a part and its offset, and returns whether to continue. It may overwrite the 64 bytes after a part. All
    /// parts but the last have a length that is a multiple of 64.
    @discardableResult
    func read(
        from start: Int, to end: Int?, bufferBytes: Int, _ body: (UnsafeMutableRawBufferPointer, Int) throws -> Bool
    ) throws -> Int {
        let capacity = max(64, bufferBytes & ~63)
        return try withUnsafeTemporaryAllocation(byteCount: capacity + 64, alignment: 64) { buffer in
            var offset = start
            while offset < end ?? .max {
                let wanted = min(capacity, (end ?? .max) - offset)
                let count = try read(UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: offset)
                guard count == wanted || end == nil else { throw hasChanged(offset + count) }
                guard count > 0 else { break }
                offset += count
                let shouldContinue = try body(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), offset - count)
                if !shouldContinue { break }
            }
            return offset
        }
    }

    /// Adds the bytes from `start` to `end`, or to the end of the file, to a hash; returns the end.
    @discardableResult
    func hash(_ start: Int, _ end: Int?, into digest: inout ByteDigest, bufferBytes: Int) throws -> Int {
        try read(from: start, to: end, bufferBytes: bufferBytes) { part, _ in
            digest.update(UnsafeRawBufferPointer(part))
            return true
        }
    }

    /// The offset of the last byte before `end` for which `predicate` is true; nil if there is none from `start` on.
    func last(before end: Int, from start: Int, where predicate: (UInt8) -> Bool) throws -> Int? {
        var end = end
        var size = 64
        while end > start {
            let begin = max(start, end - size)
            let found = try withUnsafeTemporaryAllocation(byteCount: end - begin, alignment: 8) { buffer in
                guard try read(buffer, at: begin) == buffer.count else { throw hasChanged(begin) }
                return buffer.lastIndex(where: predicate)
            }
            if let found { return begin + found }
            end = begin
            size = min(size * 4, 64 << 10)
        }
        return nil
    }

    private func hasChanged(_ byte: Int) -> JSONError {
        JSONError(
            .sourceChanged, "\(Excerpt.escape(name)): it became shorter than \(byte) bytes while it was read",
            hint: "use a file that no program writes")
    }
}
