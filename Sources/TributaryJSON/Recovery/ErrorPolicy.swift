/// What a reader does with a part of its source that cannot be a record.
public struct ErrorPolicy: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: String { case stop, skip, quarantine }
    private let kind: Kind

    /// The name, as the command line has it.
    public var description: String { kind.rawValue }

    /// The records before it are delivered, then the error is thrown.
    public static let stop = ErrorPolicy(kind: .stop)
    /// It is cut out and reported without its bytes, and reading goes on.
    public static let skip = ErrorPolicy(kind: .skip)
    /// It is cut out and reported with its bytes, and reading goes on.
    public static let quarantine = ErrorPolicy(kind: .quarantine)

    private init(kind: Kind) { self.kind = kind }

    /// The policy with this name, if there is one.
    public init?(_ name: String) {
        guard let kind = Kind(rawValue: name) else { return nil }
        self.kind = kind
    }
}
