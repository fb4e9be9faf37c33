/// All faults of a model, reported together.
public struct ModelError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The faults; each is a sentence that names the entity and the property.
    public let faults: [String]
    /// The file that the model was read from, if any.
    public var file: String?
    /// The line from 1 where parsing of the file failed.
    public var line: Int?
    /// The column in bytes from 1 where parsing of the file failed.
    public var column: Int?

    /// An error with at least one fault.
    public init(_ faults: [String], file: String? = nil, line: Int? = nil, column: Int? = nil) {
        self.faults = faults
        self.file = file
        self.line = line
        self.column = column
    }

    /// The position and the faults, one per line.
    public var description: String {
        let position = [file, line.map(String.init), column.map(String.init)].compactMap { $0 }.joined(separator: ":")
        let start = position.isEmpty ? "" : "\(position): "
        guard faults.count > 1 else { return start + (faults.first ?? "the model is not valid") }
        return start + "the model has \(faults.count) faults:\n" + faults.map { "  " + $0 }.joined(separator: "\n")
    }
}
