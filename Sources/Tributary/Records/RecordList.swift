public import TributaryJSON

/// The records of JSON in memory.
///
///     let records = try RecordList(json: #"[{"id": 1}, {"id": 2}]"#)
///     try context.insertOrUpdate(records, into: Author.self, key: \.id) { … }
public struct RecordList: Sendable {
    private var chunks: [RecordChunk] = []
    /// The index of the first record of each chunk.
    private var starts: [Int] = []
    private var total = 0
    /// The rejected parts, if `options.onError` tolerates them.
    public private(set) var rejects: [Reject] = []

    /// The records in a text, at a path or in the detected layout.
    ///
    /// - Throws: `JSONError` if the text cannot be read.
    public init(json text: String, at path: RecordPath? = nil, options: ReadOptions = ReadOptions()) throws {
        try self.init(json: text.utf8, at: path, options: options)
    }

    /// The records in bytes, such as those of a `Data`, at a path or in the detected layout.
    ///
    /// - Throws: `JSONError` if the bytes cannot be read.
    public init(
        json bytes: some Sequence<UInt8>, at path: RecordPath? = nil, options: ReadOptions = ReadOptions()
    ) throws {
        let reader = RecordReader(from: MemorySource(bytes), at: path, options: options)
        while let chunk = try reader.next() {
            rejects += chunk.rejects
            guard !chunk.isEmpty else { continue }
            chunks.append(chunk)
            starts.append(total)
            total += chunk.count
        }
    }
}

extension RecordList: RandomAccessCollection {
    /// The position of the first record, 0.
    public var startIndex: Int { 0 }
    /// The number of records.
    public var endIndex: Int { total }

    /// The record at `position`, from 0.
    public subscript(position: Int) -> Record {
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= position { low = middle } else { high = middle }
        }
        return chunks[low][position - starts[low]]
    }
}
