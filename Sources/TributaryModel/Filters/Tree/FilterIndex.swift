/// The index in the brackets of `names[…]`.
public enum FilterIndex: Sendable, Hashable {
    /// The first element.
    case first
    /// The last element.
    case last
    /// The number of elements.
    case size
    /// The element at an index, from 0.
    case at(FilterExpression)
}
