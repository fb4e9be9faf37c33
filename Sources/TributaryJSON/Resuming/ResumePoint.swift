/// A position from which a later reader can resume: everything before it is finished, nothing after it is.
struct ResumePoint: Sendable {
    var offset: Int
    /// The path from the top of the text to the last record, or to the container of a rejected part.
    var steps: [PathStep] = []
    /// Whether the only value of a text has been read.
    var isBehindText = false
    /// The bytes read to verify borders after damage.
    var verifiedBytes = 0
}
