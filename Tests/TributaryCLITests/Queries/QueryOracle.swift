import Foundation
import TributaryModel

/// What a request gives: filters and expressions are evaluated in memory, the rest is plain code without SQL.
struct QueryOracle {
    /// A column of a result.
    struct Column {
        let name: String
        /// Whether its text is JSON.
        var isJSON = false
        /// Whether it is a float, whose text has fewer digits.
        var isFloat = false
    }

    typealias Table = (columns: [Column], rows: [[FilterValue]])

    let world: QueryWorld

    /// Something that has no value by which it could be sorted.
    private struct NoValue: Error {}

    /// The names and the values of a result, for filters.
    private struct Result: FilterSubject {
        let values: [String: FilterValue]

        func filterValue(forKey key: String) throws(FilterError) -> FilterProperty {
            guard let value = values[key] else { throw FilterError(.key, "there is no column \(key)") }
            return .value(value)
        }
    }

    // MARK: Results

    func count(_ drawn: QueryDrawn) throws -> Int {
        let rows = try filtered(drawn).dropFirst(drawn.offset)
        return drawn.limit.map { min($0, rows.count) } ?? rows.count
    }

    func table(_ drawn: QueryDrawn) throws -> Table {
        let fields = fields(drawn)
        let columns = fields.map { field in
            guard case .keyPath(let path) = field.expression else { return Column(name: field.name) }
            let type = attribute(at: valuePath(path, drawn.entity), drawn.entity)?.type
            return Column(name: field.name, isJSON: type == .json, isFloat: type == .float)
        }
        let isAggregated = try !drawn.groups.isEmpty || fields.contains { try hasAggregate($0.expression) }
        var rows = try isAggregated ? groups(drawn, fields) : plain(drawn, fields)
        if let having = drawn.having {
            rows = try rows.filter { row in
                try having.matches(
                    Result(values: Dictionary(zip(columns.map(\.name), row.values)) { first, _ in first }))
            }
        }
        let directions = drawn.sort.map(\.isDescending)
        rows.sort { left, right in
            for (index, isDescending) in directions.enumerated() {
                let order = QueryOrder.compare(left.keys[index], right.keys[index])
                if order != 0 { return isDescending ? order > 0 : order < 0 }
            }
            for (one, two) in zip(left.ties, right.ties) {
                let order = QueryOrder.compare(one, two)
                if order != 0 { return isNaN(one) ? false : isNaN(two) || order < 0 }
                if isNaN(one) != isNaN(two) { return isNaN(two) }
            }
            return false
        }
        let shown = rows.dropFirst(drawn.offset)
        return (columns, (drawn.limit.map { shown.prefix($0) } ?? shown).map(\.values))
    }

    /// Whether a value is NaN, which is the last group of several.
    private func isNaN(_ value: FilterValue) -> Bool {
        if case .decimal(let number) = value { return number.isNaN }
        return false
    }

    /// A row with the values of its sort keys, and those that decide if all of these are equal.
    private typealias Row = (values: [FilterValue], keys: [FilterValue], ties: [FilterValue])

    private func fields(_ drawn: QueryDrawn) -> [QueryDrawn.Field] {
        func field(_ path: [String]) -> QueryDrawn.Field {
            QueryDrawn.Field(name: QueryDrawn.text(path), text: "", expression: .keyPath(path))
        }
        if let fields = drawn.fields { return fields }
        if !drawn.groups.isEmpty {
            return drawn.groups.map(field)
                + [QueryDrawn.Field(name: "count", text: "", expression: .function(.count, [.subject]))]
        }
        return drawn.entity.properties.filter { $0.relationship?.isToMany != true }.map { property in
            QueryDrawn.Field(name: property.name, text: "", expression: .keyPath([property.name]))
        }
    }

    private func filtered(_ drawn: QueryDrawn) throws -> [QueryObject] {
        let all = world.all(drawn.entity)
        return try drawn.filter.map { filter in try all.filter { try filter.matches($0) } } ?? all
    }

    private func plain(_ drawn: QueryDrawn, _ fields: [QueryDrawn.Field]) throws -> [Row] {
        try filtered(drawn).map { object in
            let values = try fields.map { try value(of: $0.expression, object) }
            let keys = try drawn.sort.map { key in
                switch key.value {
                case .field(let index): try sortable(fields[index], values[index], drawn.entity)
                case .path(let path): try value(at: valuePath(path, drawn.entity), object)
                }
            }
            return (values, keys, [.integer(object.key)])
        }
    }

    // MARK: Groups

    private func groups(_ drawn: QueryDrawn, _ fields: [QueryDrawn.Field]) throws -> [Row] {
        var groups: [(keys: [FilterValue], objects: [QueryObject])] = drawn.groups.isEmpty ? [([], [])] : []
        for object in try filtered(drawn) {
            let keys = try drawn.groups.map { try value(at: $0, object) }
            let place = groups.firstIndex { group in zip(group.keys, keys).allSatisfy { isSame($0, $1) } }
            if let place { groups[place].objects.append(object) } else { groups.append((keys, [object])) }
        }
        return try groups.map { group in
            let values = try fields.map { try value(of: $0.expression, group.objects, drawn) }
            let keys = try drawn.sort.map { key in
                switch key.value {
                case .field(let index): return try sortable(fields[index], values[index], drawn.entity)
                case .path(let path):
                    let path = valuePath(path, drawn.entity)
                    if attribute(at: path, drawn.entity) == nil { throw NoValue() }
                    return try group.objects.first.map { try value(at: path, $0) } ?? .null
                }
            }
            return (values, keys, group.keys)
        }
    }

    /// Whether two values are of one group; NaN is one group, and not that of null.
    private func isSame(_ one: FilterValue, _ two: FilterValue) -> Bool {
        one == .null || two == .null ? one == two : QueryOrder.isEqual(one, two)
    }

    private func isAggregate(_ expression: FilterExpression) -> Bool {
        guard case .function(let function, let arguments) = expression, arguments.count == 1,
            [.sum, .average, .min, .max, .count, .median, .stddev].contains(function)
        else { return false }
        if case .keyPath(let path) = arguments[0], isToMany(path) { return false }
        if case .subquery = arguments[0] { return false }
        var isConstant = true
        _ = arguments[0].mapping { part in
            switch part {
            case .keyPath, .subject, .ternary, .subquery: isConstant = false
            default: break
            }
            return nil
        }
        return !isConstant
    }

    private func isToMany(_ path: [String]) -> Bool {
        !path.contains { $0.hasPrefix("@") }
            && path.contains { key in world.model.entities.contains { $0.relationship(named: key)?.isToMany == true } }
    }

    private func hasAggregate(_ expression: FilterExpression) throws -> Bool {
        var isFound = false
        _ = expression.mapping { part in
            if isAggregate(part) { isFound = true }
            return isFound ? part : nil
        }
        return isFound
    }

    private func value(
        of expression: FilterExpression, _ objects: [QueryObject], _ drawn: QueryDrawn
    ) throws -> FilterValue {
        let constant = try expression.mapping { part in
            if isAggregate(part), case .function(let function, let arguments) = part {
                let values = try objects.map { function == .count ? .null : try value(of: arguments[0], $0) }
                return .constant(try QueryStatistics.result(of: function, values))
            }
            guard case .keyPath(let path) = part else { return nil }
            guard drawn.groups.contains(where: { path.starts(with: $0) }) else { throw NoValue() }
            return .constant(try objects.first.map { try value(at: valuePath(path, drawn.entity), $0) } ?? .null)
        }
        return try single(FilterEvaluator(Result(values: [:])).value(of: constant))
    }

    // MARK: Values

    private func sortable(_ field: QueryDrawn.Field, _ value: FilterValue, _ entity: Entity) throws -> FilterValue {
        if case .keyPath(let path) = field.expression, !path.contains(where: { $0.hasPrefix("@") }),
            attribute(at: valuePath(path, entity), entity) == nil
        {
            throw NoValue()
        }
        return value
    }

    private func value(of expression: FilterExpression, _ object: QueryObject) throws -> FilterValue {
        if case .keyPath(let path) = expression, !path.contains(where: { $0.hasPrefix("@") }) {
            return try value(at: valuePath(path, object.entity), object)
        }
        return try single(FilterEvaluator(object).value(of: expression))
    }

    private func single(_ result: FilterResult) throws -> FilterValue {
        switch result {
        case .value(let value): return value
        case .subject(let subject): return .integer((subject as? QueryObject)?.key ?? 0)
        case .collection: throw NoValue()
        }
    }

    /// The value at the end of a path, the number of an object.
    private func value(at path: [String], _ object: QueryObject) throws -> FilterValue {
        var current: QueryObject? = object
        for (index, key) in path.enumerated() {
            guard let owner = current else { return .null }
            if index == path.count - 1, owner.entity[key]?.attribute != nil { return owner.values[key] ?? .null }
            if owner.entity[key]?.relationship?.isToMany == true { throw NoValue() }
            current = owner.one[key]
        }
        return current.map { .integer($0.key) } ?? .null
    }

    private func attribute(at path: [String], _ entity: Entity) -> AttributeProperty? {
        var (owner, found): (Entity?, Property?) = (entity, nil)
        for key in path {
            found = owner?[key]
            owner = found?.relationship?.destination
        }
        return found?.attribute
    }

    /// The path, or that of the key of the object to which it leads.
    private func valuePath(_ path: [String], _ entity: Entity) -> [String] {
        var (owner, found): (Entity?, Property?) = (entity, nil)
        for key in path {
            found = owner?[key]
            owner = found?.relationship?.destination
        }
        guard let relationship = found?.relationship, !relationship.isToMany,
            relationship.destination.uniquenessConstraints.contains(where: { $0.properties.map(\.name) == ["id"] })
        else { return path }
        return path + ["id"]
    }
}
