/// A path whose values may identify the objects around them.
public struct KeyFinding: Sendable, Hashable, Codable {
    /// The steps from the records to the values.
    public let path: [PathProfile.Step]
    /// Whether the values are all different; nil in a profile that was merged from others.
    public internal(set) var proof: KeyProof?
    /// Whether each object has a text or a number there.
    public let isInEachObject: Bool
    /// Whether objects of the same member name may be the same object: one of their values occurs twice, here or where
    /// their member is in other objects of one name, as in a tree; nil in a profile that was merged from others.
    package let isShared: Bool?

    /// Whether it is proved that the values identify the objects.
    public var isKey: Bool { isInEachObject && proof?.isUnique ?? false }
}
