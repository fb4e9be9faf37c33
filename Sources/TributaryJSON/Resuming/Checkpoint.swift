/// A position in a source from which reading can resume as if it had never stopped.
///
/// A `RecordChunk` provides it, for the position right after the chunk's last record. Store it together with the
/// results of the chunk, and pass it to a new reader of the same sources later:
///
///     let reader = RecordReader(from: sources, options: options, resumingAt: checkpoint)
public struct Checkpoint: Sendable, Hashable, Codable {
    /// Which of the sources, from 0.
    public var source: Int
    /// The offset of the next byte, after decompression and conversion.
    public var byte: Int
    /// The line of that byte, from 1.
    public var line: Int
    /// The offset of the first byte of that line.
    public var lineStart: Int
    /// How many records, rejects included, precede it in this source.
    public var record: Int
    /// The path from the top of the text to the last record.
    public var steps: [PathStep]
    /// The layout of the source, as it was inferred or given.
    public var shape: RecordShape
    /// Whether any of the paths has matched so far.
    var hasMetPath: Bool
    /// Whether the only value of a text has been read, so that nothing may follow.
    var isBehindText: Bool
    /// Samples of the last records, to recognize the next record after damage; nil for NDJSON, which needs none.
    var samples: RecordSamples?
    /// The bytes read to verify borders after damage; nil if there are none.
    var verifiedBytes: Int?
    /// The values outside of the records so far, in all sources; nil if there are none.
    package var outside: OutsideReport?
}

extension PathStep {
    /// Writes a key as a string and an index as a number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .key(let key): try container.encode(key)
        case .index(let index): try container.encode(index)
        }
    }

    /// Decodes the output of `encode(to:)`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let index = try? container.decode(Int.self) {
            self = .index(index)
        } else {
            self = .key(try container.decode(String.self))
        }
    }
}

extension RecordPath: Codable {
    /// Writes the path as text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Decodes the output of `encode(to:)`.
    public init(from decoder: any Decoder) throws {
        try self.init(try decoder.singleValueContainer().decode(String.self))
    }
}
