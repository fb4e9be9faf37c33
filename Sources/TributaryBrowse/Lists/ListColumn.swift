import TributaryModel
import TributaryStore

/// A column of a list: an attribute, a relationship or an expression.
struct ListColumn {
    /// Its name, as it is written in an address.
    let name: String
    /// The expressions that are read: a to-one relationship has the key of its object, then its label.
    let expressions: [FilterExpression]
    /// The relationship at the end of its path.
    let relationship: RelationshipProperty?
    /// Whether rows can be sorted by it.
    let isSortable: Bool
    /// Whether it is a property of the entity itself.
    let isProperty: Bool

    /// The column of a text: a property, a path or an expression.
    init(_ text: String, of source: QuerySource) throws(FilterError) {
        name = text
        var expression = FilterExpression.keyPath([text])
        isProperty = source.entity[text] != nil
        if !isProperty { expression = try FilterExpression(format: text) }
        guard case .keyPath(let path) = expression else {
            (expressions, relationship, isSortable) = ([expression], nil, false)
            return
        }
        relationship = source.property(at: path)?.relationship
        guard let relationship else {
            (expressions, isSortable) = ([expression], isProperty || !path.contains { $0.hasPrefix("@") })
            return
        }
        if relationship.isToMany {
            // Those of a property are counted one by one, since a million may be related to a row.
            (expressions, isSortable) = ([isProperty ? .constant(.null) : .function(.count, [expression])], false)
        } else {
            let label = Labels.path(path, to: relationship.destination)
            (expressions, isSortable) = ([expression] + (label.map { [.keyPath($0)] } ?? []), label != nil)
        }
    }

    /// The path that a text to sort by is: that of an attribute, or of the label of an object.
    static func sortPath(_ text: String, of source: QuerySource) throws(FilterError) -> [String] {
        var path = [text]
        if source.entity[text] == nil {
            guard case .keyPath(let found) = try FilterExpression(format: text) else {
                throw FilterError(.toMany, "rows can be sorted by an attribute or a path, not by an expression")
            }
            path = found
        }
        guard let relationship = source.property(at: path)?.relationship, !relationship.isToMany else { return path }
        return Labels.path(path, to: relationship.destination) ?? path
    }
}
