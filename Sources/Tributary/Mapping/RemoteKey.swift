/// Where the key of an object stands in its record.
public struct RemoteKey: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The keys on the way from the record inwards; none for the record itself.
    public let path: [String]

    /// The record is the key: `["a1", "a2"]` are two of them.
    public static let `self` = RemoteKey(path: [])

    /// The way of keys from the record inwards.
    public init(path: [String]) { self.path = path }

    /// Keys divided by points, as in `user.id`.
    public init(_ path: String) {
        self.init(path: path.split(separator: ".", omittingEmptySubsequences: false).map(String.init))
    }

    /// Keys divided by points, as in `user.id`.
    public init(stringLiteral value: String) { self.init(value) }
}
