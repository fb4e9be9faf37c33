import TributaryModel

/// An object of the graph in memory.
final class QueryObject: FilterSubject {
    /// Names an object in comparisons of objects.
    private struct Name: Hashable, Sendable {
        let root: String
        let key: Int64
    }

    let entity: Entity
    let key: Int64
    var values: [String: FilterValue] = [:]
    var one: [String: QueryObject] = [:]
    var many: [String: [QueryObject]] = [:]

    init(_ entity: Entity, _ key: Int64) { (self.entity, self.key) = (entity, key) }

    var filterReference: FilterReference? { FilterReference(Name(root: entity.root.name, key: key)) }

    func filterValue(forKey name: String) throws(FilterError) -> FilterProperty {
        switch entity[name] {
        case .attribute: return .value(values[name] ?? .null)
        case .relationship(let relationship):
            return relationship.isToMany ? .many(many[name] ?? []) : .one(one[name])
        case nil: throw FilterError(.key, "\(entity.name) has no key \(name)")
        }
    }
}
