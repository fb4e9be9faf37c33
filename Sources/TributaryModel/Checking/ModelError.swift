/// All that is wrong with a model, said at once.
public struct ModelError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The faults, each a sentence that names the entity and the property.
    public let faults: [String]
    /// The file the model came from, if it came from one.
    public var file: String?
    /// The line of the file from 1, where the file could not be read on.
    public var line: Int?
    /// The column in bytes from 1, where the file could not be read on.
    public var column: Int?

    /// An error with at least one fault.
    public init(_ faults: [String], file: String? = nil, line: Int? = nil, column: Int? = nil) {
        self.faults = faults
        self.file = file
        self.line = line
        self.column = column
    }

    /// The place and the faults, one a line.
    public var description: String {
        let place = [file, line.map(String.init), column.map(String.init)].compactMap { $0 }.joined(separator: ":")
        let start = place.isEmpty ? "" : "\(place): "
        guard faults.count > 1 else { return start + (faults.first ?? "the model is wrong") }
        return start + "the model has \(faults.count) faults:\n" + faults.map { "  " + $0 }.joined(separator: "\n")
    }
}
