import Foundation
import TributaryModel
import TributaryTestSupport

/// Draws random requests for a world.
struct QueryDraw {
    var random: SeededGenerator
    let world: QueryWorld

    static let formats = ["ndjson", "ndjson", "json", "csv", "tsv", "list", "markdown"]

    /// A path along to-one relationships to an attribute of one of the types, or to any.
    mutating func path(_ entity: Entity, _ types: Set<AttributeType>? = nil) -> (keys: [String], type: AttributeType)? {
        var (keys, owner) = ([String](), entity)
        let links = random.pick([0, 0, 0, 1, 1, 2])
        for _ in 0..<links {
            let ones = owner.relationships.filter { !$0.isToMany }
            guard !ones.isEmpty else { break }
            let link = random.pick(ones)
            keys.append(link.name)
            owner = link.destination
        }
        let attributes = owner.attributes.filter { types?.contains($0.type) ?? true }
        guard !attributes.isEmpty else { return nil }
        let attribute = random.pick(attributes)
        return (keys + [attribute.name], attribute.type)
    }

    /// A path to a to-many relationship, and its destination.
    mutating func set(_ entity: Entity) -> (keys: [String], destination: Entity)? {
        var (keys, owner) = ([String](), entity)
        for step in 0..<3 {
            let all = owner.relationships.filter { step < 2 || $0.isToMany }
            guard !all.isEmpty else { return nil }
            let link = random.pick(all)
            keys.append(link.name)
            owner = link.destination
            if link.isToMany { return (keys, owner) }
        }
        return nil
    }

    // MARK: Requests

    mutating func request() -> QueryDrawn {
        let entity = random.pick(world.model.entities)
        var drawn = QueryDrawn(entity: entity)
        if !random.once(in: 4) { drawn.filter = filter(entity, 2) }
        if random.once(in: 3) { drawn.limit = 1 + random.below(8) }
        if random.once(in: 4) { drawn.offset = random.below(5) }
        drawn.isCount = random.once(in: 10)
        drawn.format = random.pick(QueryDraw.formats)
        if random.once(in: 3) { group(&drawn) } else { plain(&drawn) }
        return drawn
    }

    private func field(_ expression: FilterExpression, _ number: Int, _ isNamed: Bool) -> QueryDrawn.Field {
        let text = expression.description
        return QueryDrawn.Field(name: isNamed ? "n\(number)" : text, text: text, expression: expression)
    }

    private mutating func plain(_ drawn: inout QueryDrawn) {
        let entity = drawn.entity
        if !random.once(in: 4) {
            var fields: [QueryDrawn.Field] = []
            for number in 0...random.below(4) {
                let expression = value(entity)
                let isKnown = fields.contains { $0.name == expression.description }
                fields.append(field(expression, number, isKnown || random.once(in: 2)))
            }
            drawn.fields = fields
            if random.once(in: 5) { drawn.having = having(fields, entity) }
        }
        for _ in 0..<random.below(3) {
            if let fields = drawn.fields, random.once(in: 2) {
                let place = random.below(fields.count)
                // An expression that is no path is sorted by only through its name.
                guard fields[place].name.hasPrefix("n") else { continue }
                drawn.sort.append(
                    .init(text: fields[place].name, isDescending: random.once(in: 2), value: .field(place)))
            } else if let (keys, _) = path(entity) {
                drawn.sort.append(
                    .init(text: QueryDrawn.text(keys), isDescending: random.once(in: 2), value: .path(keys)))
            }
        }
    }

    private mutating func group(_ drawn: inout QueryDrawn) {
        let entity = drawn.entity
        drawn.isCount = false
        for _ in 0..<random.below(3) {
            let ones = entity.relationships.filter { !$0.isToMany }
            if !ones.isEmpty, random.once(in: 3) {
                drawn.groups.append([random.pick(ones).name])
            } else if let (keys, _) = path(entity), !drawn.groups.contains(keys) {
                drawn.groups.append(keys)
            }
        }
        drawn.groups = drawn.groups.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        if !drawn.groups.isEmpty, random.once(in: 4) {
            if random.once(in: 2) { sortGroups(&drawn) }
            return
        }
        var fields = drawn.groups.enumerated().map { field(.keyPath($1), $0, random.once(in: 2)) }
        for number in 0...random.below(3) { fields.append(field(aggregate(entity), 10 + number, true)) }
        drawn.fields = fields
        if random.once(in: 3) { drawn.having = having(fields, entity) }
        sortGroups(&drawn)
    }

    private mutating func sortGroups(_ drawn: inout QueryDrawn) {
        for _ in 0..<random.below(3) {
            let isDescending = random.once(in: 2)
            if let fields = drawn.fields, random.once(in: 2) {
                let place = random.below(fields.count)
                guard fields[place].name.hasPrefix("n") else { continue }
                drawn.sort.append(.init(text: fields[place].name, isDescending: isDescending, value: .field(place)))
            } else if !drawn.groups.isEmpty {
                let path = random.pick(drawn.groups)
                drawn.sort.append(.init(text: QueryDrawn.text(path), isDescending: isDescending, value: .path(path)))
            }
        }
    }

    /// A condition on results, which knows only the names of columns.
    private mutating func having(_ fields: [QueryDrawn.Field], _ entity: Entity) -> Filter? {
        // An object can be compared with objects alone.
        let named = fields.filter { field in
            guard field.name.hasPrefix("n"), case .keyPath(let path) = field.expression else {
                return field.name.hasPrefix("n")
            }
            return path.count > 1 || entity[path.last ?? ""]?.attribute != nil
        }
        guard !named.isEmpty else { return nil }
        let one = FilterExpression.keyPath([random.pick(named).name])
        let constant = QueryWorld.value(random.pick(QueryWorld.types), &random)
        return random.pick([
            Filter(one, .notEqual, .constant(.null)), Filter(one, random.pick(QueryDraw.orders), .constant(constant)),
            .or([Filter(one, .equal, .constant(.null)), Filter(one, .greater, .constant(1))]),
            Filter(one, random.pick(QueryDraw.orders), .keyPath([random.pick(named).name])),
        ])
    }

    // MARK: Fields

    /// A field of a row.
    private mutating func value(_ entity: Entity) -> FilterExpression {
        let ones = entity.relationships.filter { !$0.isToMany }
        switch random.below(8) {
        case 0...3: return path(entity).map { .keyPath($0.keys) } ?? number(entity, 1)
        case 4 where !ones.isEmpty: return .keyPath([random.pick(ones).name])
        case 5: return text(entity)
        case 6:
            guard let (one, type) = path(entity), let (two, _) = path(entity, [type]) else { return number(entity, 1) }
            return .ternary(filter(entity, 1), .keyPath(one), random.once(in: 3) ? .constant(.null) : .keyPath(two))
        default: return number(entity, 2)
        }
    }

    /// A field of a group.
    private mutating func aggregate(_ entity: Entity) -> FilterExpression {
        let functions: [FilterFunction] = [.sum, .average, .min, .max, .count, .median, .stddev]
        let function = random.pick(functions)
        if function == .count { return .function(.count, [random.once(in: 2) ? .subject : value(entity)]) }
        if function == .min || function == .max, let (keys, _) = path(entity) {
            return .function(function, [.keyPath(keys)])
        }
        let one = FilterExpression.function(function, [number(entity, random.below(2))])
        guard random.once(in: 4) else { return one }
        return .operation(random.pick([.add, .divide, .multiply]), one, .function(.count, [.subject]))
    }
}
