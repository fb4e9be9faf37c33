import Testing
import TributaryJSON

/// The records of `text`, which must have no errors.
func records(_ text: String, _ path: RecordPath = .elements) throws -> RecordChunk {
    let reader = RecordReader(from: [MemorySource(text.utf8)], options: ReadOptions { $0.paths = [path] })
    return try #require(try reader.next())
}

/// The only record of `text`.
func record(_ text: String) throws -> Record {
    try #require(try records("[" + text + "]").first)
}

extension Reject {
    /// The line of JSON that a file of rejects has of it.
    var jsonLine: String {
        var line: [UInt8] = []
        appendJSONLine(to: &line)
        return String(decoding: line, as: UTF8.self)
    }
}

extension ReadOptions {
    /// The default options with a change.
    init(_ change: (inout ReadOptions) throws -> Void) rethrows {
        self.init()
        try change(&self)
    }
}
