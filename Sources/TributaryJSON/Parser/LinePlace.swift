/// The line of a byte of the source.
struct LinePlace {
    /// The byte, counted from the start of the source.
    var offset: Int
    /// Its line, counted from 1.
    var line: Int
    /// The first byte of that line.
    var lineStart: Int
}
