/// Which elements of a collection on the left a comparison speaks of.
public enum FilterModifier: Sendable, Hashable {
    /// The left side itself.
    case direct
    /// Every element.
    case all
    /// At least one element.
    case any
}
