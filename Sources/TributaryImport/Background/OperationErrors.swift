/// Several errors of one operation, in the order in which they were added.
public struct OperationErrors: Error, CustomStringConvertible {
    /// The errors; at least two.
    public let errors: [any Error]

    /// The descriptions of all errors, separated by semicolons.
    public var description: String {
        "\(errors.count) errors: " + errors.map { "\($0)" }.joined(separator: "; ")
    }
}
