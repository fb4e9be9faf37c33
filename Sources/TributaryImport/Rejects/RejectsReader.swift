package import TributaryStore
package import TributaryJSON

/// Reads a file of rejects, line by line.
package struct RejectsReader {
    /// The content of a line.
    package enum Entry: Sendable {
        case reject(RejectedRecord)
        /// The first bytes of a line that is not JSON, such as after a faulty edit.
        case unreadable([UInt8])
    }

    private let reader: RecordReader
    /// Entries that were read but not returned yet, the next one last.
    private var waiting: [(entry: Entry, isUnedited: Bool)] = []
    /// Whether the latest line is as it was written.
    package private(set) var isUnedited = false

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
    ///
    /// - Throws: `JSONError` if the file cannot be read.
    package mutating func next() throws -> Entry? {
        while waiting.isEmpty {
            guard let chunk = try nextChunk() else { return nil }
            let rejects = chunk.map { line in
                let reject = RejectedRecord(line)
                let check = try? (line["check"] as JSON).require(String.self)
                return (offset: line.offset, line: (entry: Entry.reject(reject), isUnedited: check == reject.check))
            }
            let rest = chunk.rejects.map {
                (offset: $0.offset, line: (entry: Entry.unreadable($0.raw), isUnedited: false))
            }
            waiting = (rejects + rest).sorted { $0.offset > $1.offset }.map(\.line)
        }
        guard let next = waiting.popLast() else { return nil }
        isUnedited = next.isUnedited
        return next.entry
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
