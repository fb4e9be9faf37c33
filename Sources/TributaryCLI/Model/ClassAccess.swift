/// The access of generated classes and their properties.
package enum ClassAccess: String, Sendable, CaseIterable {
    case `internal`
    case package
    case `public`

    /// The modifier in front of a declaration, with a space; empty for the default of Swift.
    var modifier: String { self == .internal ? "" : "\(rawValue) " }
}
