package import TributaryJSON

/// Sees all records of an import, and may refuse what it has loaded before anything is published.
package protocol RecordSurvey: AnyObject, Sendable {
    /// Adds the records of the next chunk, in feed order.
    func add(_ chunk: RecordChunk)
    /// Throws if the records must be imported otherwise; called once, after the last chunk.
    func end() throws
}
