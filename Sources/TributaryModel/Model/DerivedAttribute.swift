/// An attribute that is computed when its object is saved.
package struct DerivedAttribute: Sendable, Hashable {
    /// The attribute.
    package let attribute: AttributeProperty
    /// The expression that computes it.
    package let expression: FilterExpression
}
