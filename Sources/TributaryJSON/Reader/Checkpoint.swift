/// A place in a source from which reading can go on as if it had never stopped.
///
/// It is taken from a `RecordChunk` and stands right behind that chunk's last record. Store it with what was done
/// with the chunk, and give it to a new reader of the same sources later:
///
///     let reader = RecordReader(from: sources, options: options, resumingAt: checkpoint)
public struct Checkpoint: Sendable, Hashable, Codable {
    /// Which of the sources, from 0.
    public var source: Int
    /// The offset of the next byte, after decompression and conversion.
    public var byte: Int
    /// The line of that byte, from 1, and where the line begins.
    public var line: Int
    /// The offset of the first byte of that line.
    public var lineStart: Int
    /// How many records, rejects included, lie before it in this source.
    public var record: Int
    /// The way from the top of the text to the last record.
    public var steps: [PathStep]
    /// What the source was found to be.
    public var shape: RecordShape
    /// Whether any path has been met so far.
    var hasMetPath: Bool
    /// Whether the one value of a text has been read, behind which nothing may follow.
    var isBehindText: Bool
    /// What the last records look like, so that the next one is known behind damage; lines need none.
    var samples: RecordSamples?
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

    /// Reads what `encode(to:)` has written.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let index = try? container.decode(Int.self) {
            self = .index(index)
        } else {
            self = .key(try container.decode(String.self))
        }
    }
}

extension RecordShape: Codable {
    private enum CodingKeys: String, CodingKey { case framing, paths, isDetected }

    /// Writes the shape as names and paths.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(framing.rawValue, forKey: .framing)
        try container.encode(paths.map(\.description), forKey: .paths)
        try container.encode(isDetected, forKey: .isDetected)
    }

    /// Reads what `encode(to:)` has written.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let name = try container.decode(String.self, forKey: .framing)
        guard let framing = Framing(rawValue: name) else {
            throw DecodingError.dataCorruptedError(
                forKey: .framing, in: container, debugDescription: "\(name) is no framing")
        }
        self.framing = framing
        paths = try container.decode([String].self, forKey: .paths).map { try RecordPath($0) }
        isDetected = try container.decode(Bool.self, forKey: .isDetected)
    }
}
