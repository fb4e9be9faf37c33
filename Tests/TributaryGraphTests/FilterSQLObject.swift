import TributaryGraph

/// An object of the graph in memory.
final class FilterSQLObject: FilterSubject {
    let entity: Entity
    let key: Int64
    var values: [String: FilterValue] = [:]
    var one: [String: FilterSQLObject] = [:]
    var many: [String: [FilterSQLObject]] = [:]

    init(_ entity: Entity, _ key: Int64) {
        self.entity = entity
        self.key = key
    }

    var filterReference: FilterReference? { FilterReference(FilterSQLID(storedEntity: entity.root, storedKey: key)) }

    func filterValue(forKey name: String) throws(FilterError) -> FilterProperty {
        switch entity[name] {
        case .attribute: return .value(values[name] ?? .null)
        case .relationship(let relationship):
            return relationship.isToMany ? .many(many[name] ?? []) : .one(one[name])
        case nil: throw FilterError(.key, "\(entity.name) has no key \(name)")
        }
    }
}
