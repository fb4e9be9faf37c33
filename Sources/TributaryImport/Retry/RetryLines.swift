package import TributaryJSON

/// The records of a group of rejects as NDJSON, one on each line, under the name of their source.
package struct RetryLines: ByteSource {
    /// The name of the source in messages.
    package let name: String
    let file: FileSource
    /// What deletes the file at the end.
    let files: RetryFiles

    package func open() throws -> any ByteStream { try file.open() }
}
