package import TributaryStore
package import TributaryJSON

/// Reads a file of rejects, line by line.
package struct RejectsReader {
    /// The content of a line.
    package enum Entry: Sendable {
        /// A reject; whether its line is as it was written.
        case reject(RejectedRecord, isUnedited: Bool)
        /// The line is not JSON, such as after a faulty edit.
        case unreadable
    }

    private let reader: RecordReader
    /// Entries that were read but not returned yet, the next one last.
    private var waiting: [Entry] = []

    /// Prepares to read lines from a source.
    package init(_ source: some ByteSource) {
        var options = ReadOptions()
        options.format = .ndjson
        options.paths = [.root]
        options.onError = .quarantine
        // A line holds its record as an escaped string: up to six bytes for each byte.
        options.limits.record = ReadLimits.largestRecord
        options.limits.string = ReadLimits.largestRecord
        options.limits.rejectedBytes = 4096
        options.chunkRecords = 1000
        reader = RecordReader(from: [source], options: options)
    }

    /// The next line; nil at the end.
    package mutating func next() throws -> Entry? {
        while waiting.isEmpty {
            guard let chunk = try nextChunk() else { return nil }
            let rejects = chunk.map { line in
                let reject = RejectedRecord(line)
                let check = try? (line["check"] as JSON).require(String.self)
                return (line.offset, Entry.reject(reject, isUnedited: check == reject.check))
            }
            let rest = chunk.rejects.map { ($0.offset, Entry.unreadable) }
            waiting = (rejects + rest).sorted { $0.0 > $1.0 }.map(\.1)
        }
        return waiting.popLast()
    }

    /// The next lines; a file without lines is not an error here.
    private func nextChunk() throws -> RecordChunk? {
        do {
            return try reader.next()
        } catch let error as JSONError where error.code == .shapeMissing {
            return nil
        }
    }
}
