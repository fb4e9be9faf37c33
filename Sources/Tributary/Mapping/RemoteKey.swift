/// The path of a key value in a record.
public struct RemoteKey: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The names of the members, from the record inwards; empty for the record itself.
    public let path: [String]

    /// The path of records that are keys themselves, such as the two in `["a1", "a2"]`.
    public static let `self` = RemoteKey(path: [])

    /// A path of member names, from the record inwards.
    public init(path: [String]) { self.path = path }

    /// A path as member names separated by dots, as in `user.id`.
    public init(_ path: String) {
        self.init(path: path.split(separator: ".", omittingEmptySubsequences: false).map(String.init))
    }

    /// A path as member names separated by dots, as in `user.id`.
    public init(stringLiteral value: String) { self.init(value) }
}
