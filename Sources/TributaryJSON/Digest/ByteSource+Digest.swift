extension ByteSource {
    /// Hashes its text, after decompression and conversion.
    ///
    /// - Parameters:
    ///   - limit: The number of bytes to hash; nil for all.
    ///   - limits: The limits of reading.
    ///   - conversion: How its bytes become JSON.
    /// - Returns: The hash as text, and the offset of the byte after the last one.
    /// - Throws: `JSONError` if the source cannot be read.
    package func digest(upTo limit: Int?, _ limits: ReadLimits, _ conversion: TextConversion) throws -> (
        hash: String, byte: Int
    ) {
        let decoded = try DecodedStream(try open(), limits: limits, conversion)
        var digest = ByteDigest()
        let end = limit.map { $0 - decoded.begin } ?? .max
        try withUnsafeTemporaryAllocation(byteCount: 256 << 10, alignment: 8) { buffer in
            while digest.count < end {
                let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, end - digest.count)])
                let count = try decoded.stream.read(into: room)
                if count == 0 { break }
                digest.update(UnsafeRawBufferPointer(rebasing: room[..<count]))
            }
        }
        return (digest.text, decoded.begin + digest.count)
    }
}
