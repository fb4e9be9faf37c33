/// Collects the declarations of the properties of a class while one of its objects is initialised.
final class DeclarationCollector {
    /// The declaration of an attribute.
    struct AttributeEntry {
        let slot: UInt16
        let valueType: any AttributeValue.Type
        let options: [AttributeOption]
        let defaultValue: (any AttributeValue)?
    }

    /// The declaration of a relationship.
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
