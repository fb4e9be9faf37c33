/// What the properties of a class say about themselves while one of its objects is initialised.
final class DeclarationCollector {
    /// An attribute: what it holds, its options, and what new objects start with.
    struct AttributeEntry {
        let slot: UInt16
        let valueType: any AttributeValue.Type
        let options: [AttributeOption]
        let defaultValue: (any AttributeValue)?
    }

    /// A relationship, and the way to its inverse.
    struct RelationshipEntry {
        let slot: UInt16
        let valueType: any RelationshipValue.Type
        let inverse: AnyKeyPath?
        let isSymmetric: Bool
        let options: [RelationshipOption]
        let deleteRule: DeleteRule
    }

    var attributes: [AttributeEntry] = []
    var relationships: [RelationshipEntry] = []
}
