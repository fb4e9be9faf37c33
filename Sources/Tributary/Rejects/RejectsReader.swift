package import TributaryJSON

/// Reads a file of rejects, line by line.
///
///     for case .line(let line) in try RejectsReader(path: "bad.ndjson") where line.canBeRetried { … }
package struct RejectsReader {
    /// What stands on a line.
    package enum Entry: Sendable {
        /// A reject.
        case line(RejectedLine)
        /// Something that is no JSON, as after an edit that went wrong: the bytes and what is wrong with them.
        case unreadable([UInt8], JSONError)

        /// The bytes of the line.
        package var text: [UInt8] {
            switch self {
            case .line(let line): line.text
            case .unreadable(let bytes, _): bytes
            }
        }
    }

    private let reader: RecordReader
    /// Entries that have been read and not taken, the next one last.
    private var waiting: [Entry] = []

    /// Prepares to read the file at `path`.
    package init(path: String) { self.init(FileSource(path)) }

    /// Prepares to read lines from a source.
    package init(_ source: some ByteSource) {
        var options = ReadOptions()
        options.format = .ndjson
        options.paths = [.root]
        options.onError = .quarantine
        // A line holds a record once more, escaped: up to six bytes for each of its own.
        options.limits.record = ReadLimits.largestRecord
        options.limits.string = ReadLimits.largestRecord
        options.limits.rejectedBytes = ReadLimits.largestRecord
        options.chunkRecords = 1000
        reader = RecordReader(from: [source], options: options)
    }

    /// The next line; nil at the end.
    ///
    /// - Throws: `JSONError` if the file cannot be read.
    package mutating func next() throws -> Entry? {
        while waiting.isEmpty {
            guard let chunk = try nextChunk() else { return nil }
            let lines = chunk.map { (offset: $0.offset, entry: Entry.line(RejectedLine($0))) }
            let rest = chunk.rejects.map { (offset: $0.offset, entry: Entry.unreadable($0.raw, $0.error)) }
            waiting = (lines + rest).sorted { $0.offset > $1.offset }.map(\.entry)
        }
        return waiting.popLast()
    }

    /// A file without any line has nothing at all, which is no fault here.
    private func nextChunk() throws -> RecordChunk? {
        do {
            return try reader.next()
        } catch let error as JSONError where error.code == .shapeMissing {
            return nil
        }
    }
}
