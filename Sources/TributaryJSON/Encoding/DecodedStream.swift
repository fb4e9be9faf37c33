/// The text of a source: its bytes after decompression and conversion to UTF-8.
struct DecodedStream {
    let compression: Compression?
    let encoding: TextEncoding
    /// Whether bytes are changed besides that.
    let isConverted: Bool
    /// The text, from `begin` on.
    let stream: any ByteStream
    /// The offset of the first byte, after a byte order mark.
    let begin: Int

    /// Detects compression and encoding from the first bytes.
    init(_ raw: any ByteStream, limits: ReadLimits, _ conversion: TextConversion) throws {
        let inflated: any ByteStream
        (inflated, compression) = try DecodedStream.inflate(raw, limits)
        let text = PrefixedStream(inflated)
        if let outer = compression, let inner = Compression.detect(try text.peek(Compression.magicLength)) {
            throw JSONError(
                .compressionNested, "the input is compressed twice: \(inner) within \(outer)",
                hint: "unpack it once first")
        }
        isConverted = conversion.changesBytes
        let (detected, mark) = TextEncoding.detect(try text.peek(TextEncoding.detectionLength))
        // A byte order mark takes precedence over the option.
        let named = detected == .utf8 && mark == 0 ? conversion.encoding : nil
        encoding = named.map { TextEncoding(named: $0) } ?? detected
        try text.drop(mark)
        var stream: any ByteStream = text
        if encoding != .utf8 {
            stream = try NamedEncodingStream(text, named: encoding.description, after: mark)
        } else if try text.peek(1).first == TextSequenceStream.separator {
            stream = TextSequenceStream(text)
        }
        if conversion.nonFinite != .reject {
            stream = NonFiniteStream(stream, asText: conversion.nonFinite == .text)
        }
        self.stream = stream
        begin = detected == .utf8 && !isConverted ? mark : 0
    }

    /// The bytes of a source after decompression.
    static func inflate(
        _ raw: any ByteStream, _ limits: ReadLimits
    ) throws -> (any ByteStream, Compression?) {
        let sniffed = PrefixedStream(raw)
        guard let compression = Compression.detect(try sniffed.peek(Compression.magicLength)) else {
            return (sniffed, nil)
        }
        return (try InflatingStream(sniffed, compression: compression, limits: limits), compression)
    }
}
