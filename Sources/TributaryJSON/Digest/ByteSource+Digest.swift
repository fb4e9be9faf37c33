extension ByteSource {
    /// Hashes its text up to a number of bytes; returns the hash, and the offset of the byte after the last one.
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
