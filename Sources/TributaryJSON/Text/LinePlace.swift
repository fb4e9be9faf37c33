/// A byte of the source with its line.
struct LinePlace {
    /// The offset of the byte in the source.
    var offset: Int
    /// The line, from 1.
    var line: Int
    /// The offset of the first byte of that line.
    var lineStart: Int
}
