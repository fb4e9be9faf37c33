/// An attribute that is computed when its object is saved.
package struct DerivedAttribute: Sendable, Hashable {
    /// The attribute.
    package let attribute: AttributeProperty
    /// What it is computed as.
    package let expression: FilterExpression
}
