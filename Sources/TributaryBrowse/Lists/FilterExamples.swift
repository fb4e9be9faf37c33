import TributaryModel
import TributaryStore

/// Filters that fit the attributes of an entity.
enum FilterExamples {
    /// At most four filters, each of another kind.
    static func examples(of source: QuerySource) -> [String] {
        var examples: [String] = []
        let attributes = source.entity.attributes.filter { source.fields.contains($0.name) }
        func add(_ isFit: (AttributeProperty) -> Bool, _ text: (String) -> String) {
            guard let found = attributes.first(where: isFit) else { return }
            examples.append(text(FilterExpression.keyPath([found.name]).description))
        }
        func kinds(_ attribute: AttributeProperty) -> ValueKinds? {
            attribute.type == .undefined ? attribute.declaration.valueKinds : nil
        }
        let name = Labels.name(of: source.entity)
        add({ $0.name == name }) { "\($0) CONTAINS[c] \"a\"" }
        add({
            [.integer16, .integer32, .integer64, .double, .float, .decimal].contains($0.type)
                && $0.name != source.keyName
                || kinds($0).map { $0 == .integer || $0 == .real } ?? false && $0.name != source.keyName
        }) { "\($0) > 10" }
        add({ $0.type == .boolean }) { "\($0) == true" }
        add({ $0.isOptional && $0.name != name && $0.name != source.keyName }) { "\($0) == nil" }
        return examples
    }
}
