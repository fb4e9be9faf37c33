/// A reference to an object in a filter, usually by its ID.
///
/// Two references are equal if their bases are. If the base is a ``FilterSubject``, key paths can begin at it.
public struct FilterReference: Sendable, Hashable {
    /// The ID or the object.
    public let base: any Hashable & Sendable

    /// A reference to an object by its ID or by the object itself.
    public init(_ base: any Hashable & Sendable) { self.base = base }

    /// Whether the bases are equal.
    public static func == (left: FilterReference, right: FilterReference) -> Bool {
        AnyHashable(left.base) == AnyHashable(right.base)
    }

    /// Feeds the base to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(base)) }
}
