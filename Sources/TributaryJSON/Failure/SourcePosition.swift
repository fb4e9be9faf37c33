/// A position in the text of a source, after decompression and conversion to UTF-8.
public struct SourcePosition: Sendable, Hashable, Codable {
    /// The name of the source, usually a path.
    public var file: String
    /// The offset in bytes, from 0.
    public var byte: Int
    /// The line, from 1; a line feed ends a line.
    public var line: Int
    /// The column in bytes, from 1.
    public var column: Int

    /// Makes a position.
    public init(file: String, byte: Int, line: Int, column: Int) {
        self.file = file
        self.byte = byte
        self.line = line
        self.column = column
    }
}

extension SourcePosition: CustomStringConvertible {
    /// `file:line:column`, or only `file` if the line is not known.
    public var description: String {
        let name = Excerpt.escape(file)
        return line > 0 ? "\(name):\(line):\(column)" : name
    }
}
