import Testing
import TributaryJSON

/// The records of `text`, which must have no errors.
func records(_ text: String, _ path: RecordPath = .elements) throws -> RecordChunk {
    var options = ReadOptions()
    options.paths = [path]
    let reader = RecordReader(from: [MemorySource(text.utf8)], options: options)
    return try #require(try reader.next())
}

/// The only record of `text`.
func record(_ text: String) throws -> Record {
    try #require(try records("[" + text + "]").first)
}
