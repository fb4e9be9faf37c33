/// How a reader handles a part of its source that is not a valid record.
public struct ErrorPolicy: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: String { case stop, skip, quarantine }
    private let kind: Kind

    /// The name, as in `quarantine`.
    public var description: String { kind.rawValue }

    /// Delivers the records before it, then throws the error.
    public static let stop = ErrorPolicy(kind: .stop)
    /// Reports the part as a reject without its bytes, and continues.
    public static let skip = ErrorPolicy(kind: .skip)
    /// Reports the part as a reject with its bytes, and continues.
    public static let quarantine = ErrorPolicy(kind: .quarantine)

    private init(kind: Kind) { self.kind = kind }

    /// The policy with this name, if there is one.
    public init?(_ name: String) {
        guard let kind = Kind(rawValue: name) else { return nil }
        self.kind = kind
    }
}
