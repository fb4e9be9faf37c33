import TributaryGraph

/// A filter subject made of dictionaries.
struct FilterItem: FilterSubject, CustomStringConvertible {
    var id: String
    var values: [String: FilterValue] = [:]
    var one: [String: FilterItem?] = [:]
    var many: [String: [FilterItem]] = [:]

    init(
        _ id: String, _ values: [String: FilterValue] = [:], many: [String: [FilterItem]] = [:],
        one: [String: FilterItem?] = [:]
    ) {
        self.id = id
        self.values = values
        self.many = many
        self.one = one
    }

    var description: String { id }
    var filterReference: FilterReference? { FilterReference(id) }

    func filterValue(forKey key: String) throws(FilterError) -> FilterProperty {
        if let value = values[key] { return .value(value) }
        if let many = many[key] { return .many(many) }
        if let one = one[key] { return .one(one) }
        throw FilterError(.key, "\(id) has no key \(key)")
    }
}
