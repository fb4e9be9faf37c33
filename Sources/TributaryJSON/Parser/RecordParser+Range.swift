/// Reads a range of a source, which ends with a record.
extension RecordParser {
    /// Checks that a range ends where the next one begins, after the same number of records and lines.
    ///
    /// All records have been published, so the latest chunk ends with the last one.
    func checkEnd(_ stop: Checkpoint) throws {
        let end = position(count)
        guard base + count == stop.byte, resumePoint.offset == stop.byte, resumePoint.steps == stop.steps,
            firstNumber == stop.record, end.line == stop.line, end.byte - end.column + 1 == stop.lineStart
        else {
            let record = firstNumber == stop.record ? "a record" : "record \(stop.record), but read \(firstNumber)"
            throw JSONError(
                .rangeBorder, "expected a part of the file to end here with \(record)",
                hint: "the file is damaged; read it as a whole to learn where", position: end)
        }
    }
}
