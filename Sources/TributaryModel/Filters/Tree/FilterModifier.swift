/// The elements of the left side for which a comparison must be true.
public enum FilterModifier: Sendable, Hashable {
    /// The left side itself.
    case direct
    /// Every element.
    case all
    /// At least one element.
    case any
}
