/// A place behind which everything is still to be read.
struct SettledPlace: Sendable {
    /// Its offset in the source.
    var offset: Int
    /// The way from the top of the text to the last record, or to the container in which a damaged part was left.
    var steps: [PathStep]
    /// Whether the one value of a text has been read.
    var isBehindText: Bool
}
