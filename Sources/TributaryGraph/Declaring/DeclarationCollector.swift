/// Collects the declarations of the properties of a class while one of its objects is initialised.
final class DeclarationCollector {
    struct AttributeEntry {
        let slot: UInt16
        let valueType: any AttributeValue.Type
        let options: [AttributeOption]
        let defaultValue: (any AttributeValue)?
    }

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

    /// The names that options state, by slot.
    var names: [UInt16: String] {
        let stated =
            attributes.compactMap { entry in entry.options.compactMap(\.name).last.map { (entry.slot, $0) } }
            + relationships.compactMap { entry in entry.options.compactMap(\.name).last.map { (entry.slot, $0) } }
        return Dictionary(stated) { _, last in last }
    }
}
