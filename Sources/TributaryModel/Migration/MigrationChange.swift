/// A change between two models that a migration carries out.
public struct MigrationChange: Sendable, Hashable, CustomStringConvertible {
    /// One sentence in lower case, such as `adds the attribute Book.pages`.
    public let description: String
    /// Whether stored values are dropped, which a migration does only if it is allowed to.
    public let dropsValues: Bool

    package init(_ description: String, dropsValues: Bool = false) {
        self.description = description
        self.dropsValues = dropsValues
    }
}
