/// What stands for an object in a filter: its id, as a rule.
///
/// Two references are equal if what they hold is. If it is a ``FilterSubject``, key paths can begin at it.
public struct FilterReference: Sendable, Hashable {
    /// The id or the object.
    public let base: any Hashable & Sendable

    /// Refers to an object by `base`.
    public init(_ base: any Hashable & Sendable) { self.base = base }

    /// Whether both hold the same.
    public static func == (left: FilterReference, right: FilterReference) -> Bool {
        AnyHashable(left.base) == AnyHashable(right.base)
    }

    /// Feeds what it holds to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(base)) }
}
