extension ByteSource {
    /// The name of the first member, if the text begins with an object; nil if it begins otherwise or has no member.
    ///
    /// At most the first 64 KiB of the decoded text are read.
    package func firstMemberName(_ options: ReadOptions) throws -> String? {
        let text = try beginning(options, upTo: 64 << 10) { Tokenizer.firstKey(of: $0) != nil }
        return Tokenizer.firstKey(of: text)
    }

    /// The first bytes of the decoded text: at most about `limit`, and no more once `isEnough` is true.
    func beginning(
        _ options: ReadOptions, upTo limit: Int, until isEnough: ([UInt8]) -> Bool = { _ in false }
    ) throws -> [UInt8] {
        let stream = try DecodedStream(open(), limits: options.limits, options.conversion).stream
        defer { stream.cancel() }
        var bytes: [UInt8] = []
        try withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            while bytes.count < limit, !isEnough(bytes) {
                let count = try stream.read(into: buffer)
                if count == 0 { break }
                bytes += buffer[..<count]
            }
        }
        return bytes
    }
}

extension Tokenizer {
    fileprivate static func firstKey(of text: [UInt8]) -> String? {
        text.withUnsafeBytes { bytes in
            var tokenizer = Tokenizer(bytes, isFinal: false, limits: ReadLimits().asWideAsPossible)
            guard (try? tokenizer.next())?.kind == .startObject, let key = try? tokenizer.next(), key.kind == .key
            else { return nil }
            return tokenizer.text(of: key)
        }
    }
}
