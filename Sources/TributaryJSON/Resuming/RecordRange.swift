/// A part of a file that a reader can parse on its own, from one record border to another.
///
/// The records of all ranges of a file are those of one reader of the whole file, if each of the readers reaches the end
/// of its range without an error. The first range begins where the whole reading begins, so its records are right. A
/// reader that reaches the end of its range proves the start of the next one: both are the same checkpoint.
package struct RecordRange: Sendable, Hashable, Codable {
    /// The number of the range in its plan, from 0.
    package let number: Int
    /// Where reading begins: after the last record of the range before it.
    package var start: Checkpoint
    /// Where reading must end, which is the start of the next range; nil for the last one, which ends with the file.
    package var stop: Checkpoint?
    /// The hash of the bytes between, as 16 hexadecimal digits.
    package let hash: String

    /// Checks that the file still has the bytes for which the range was planned.
    package func verify(in source: FileSource, bufferBytes: Int = 256 << 10) throws {
        let file = try RangeFile(source)
        var digest = ByteDigest()
        let end = try file.hash(start.byte, stop?.byte, into: &digest, bufferBytes: bufferBytes)
        guard digest.text == hash, stop.map({ $0.byte == end }) ?? true else {
            throw JSONError(
                .sourceChanged,
                "\(Excerpt.escape(source.name)): the bytes from \(start.byte) to \(end) differ from those of the planned file",
                hint: "use the file that was planned, or plan again")
        }
    }
}
