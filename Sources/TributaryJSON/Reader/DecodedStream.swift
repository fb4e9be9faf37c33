/// The text of a source: its bytes after decompression and conversion to UTF-8.
struct DecodedStream {
    /// The compression of the source, if any.
    let compression: Compression?
    /// The encoding of the characters in the source.
    let encoding: TextEncoding
    /// The text, from `begin` on.
    let stream: any ByteStream
    /// The offset of the first byte, after a byte order mark.
    let begin: Int

    /// Detects compression and encoding from the first bytes.
    ///
    /// - Throws: a `JSONError` if the source is compressed twice, or cannot be read.
    init(_ raw: any ByteStream, limits: ReadLimits) throws {
        let sniffed = PrefixedStream(raw)
        compression = Compression.detect(try sniffed.peek(Compression.magicLength))
        let inflated: any ByteStream =
            try compression.map { try InflatingStream(sniffed, compression: $0, limits: limits) } ?? sniffed
        let text = PrefixedStream(inflated)
        if let outer = compression, let inner = Compression.detect(try text.peek(Compression.magicLength)) {
            throw JSONError(
                .compressionNested, "the input is compressed twice: \(inner) within \(outer)",
                hint: "unpack it once first")
        }
        let (encoding, mark) = TextEncoding.detect(try text.peek(TextEncoding.detectionLength))
        self.encoding = encoding
        try text.drop(mark)
        stream = encoding == .utf8 ? text : TranscodingStream(text, encoding: encoding, mark: mark)
        begin = encoding == .utf8 ? mark : 0
    }
}
