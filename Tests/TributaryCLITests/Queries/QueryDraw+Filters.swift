import Foundation
import TributaryModel
import TributaryTestSupport

/// Random filters and expressions, which can be written as text.
extension QueryDraw {
    static let orders: [FilterOperator] = [.less, .lessOrEqual, .greater, .greaterOrEqual, .equal, .notEqual]
    private static let texting: [FilterOperator] = [.like, .beginsWith, .endsWith, .contains, .in, .matches]
    private static let numbers: Set<AttributeType> = [
        .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean,
    ]

    mutating func filter(_ entity: Entity, _ depth: Int) -> Filter {
        guard depth > 0 else { return comparison(entity) }
        switch random.below(8) {
        case 0: return .and([filter(entity, depth - 1), filter(entity, depth - 1)])
        case 1: return .or([filter(entity, depth - 1), filter(entity, depth - 1), filter(entity, 0)])
        case 2: return .not(filter(entity, depth - 1))
        case 3: return random.pick([.always, .never, comparison(entity), comparison(entity)])
        default: return comparison(entity)
        }
    }

    private mutating func options() -> FilterOptions { FilterOptions(rawValue: random.pick([0, 0, 0, 1, 2, 3, 4, 8])) }

    private mutating func constant(_ type: AttributeType) -> FilterValue {
        random.once(in: 8) ? .null : QueryWorld.value(type, &random)
    }

    private mutating func modifier() -> FilterModifier { random.pick([.any, .all]) }

    private mutating func comparison(_ entity: Entity) -> Filter {
        let order = random.pick(QueryDraw.orders)
        switch random.below(13) {
        case 0, 1: return Filter(number(entity, 2), order, number(entity, 2))
        case 2, 3:
            return Filter(text(entity), random.pick(QueryDraw.texting + [order]), pattern(entity), options: options())
        case 4, 5:
            guard let (keys, type) = path(entity) else { break }
            return Filter(.keyPath(keys), order, .constant(constant(type)), options: options())
        case 6:
            guard let (keys, type) = path(entity) else { break }
            let members = (0..<(1 + random.below(4))).map { _ in
                constant(random.once(in: 5) ? random.pick(QueryWorld.types) : type)
            }
            let isIn = Filter(.keyPath(keys), .in, .constant(.list(members)), options: options())
            return random.once(in: 3) ? .not(isIn) : isIn
        case 7:
            guard let (keys, type) = path(entity) else { break }
            return Filter(
                .keyPath(keys), .between, .constant(.list([constant(type), constant(type)])), options: options())
        case 8: return objects(entity)
        case 9, 10: return several(entity)
        case 11:
            guard let (one, _) = path(entity), let (two, _) = path(entity) else { break }
            return Filter(.keyPath(one), order, .keyPath(two), options: options())
        default:
            guard let (one, type) = path(entity) else { break }
            let casts: [FilterCast] = [.string, .number, .integer, .double, .decimal, .boolean]
            return random.pick([
                Filter(.cast(.keyPath(one), random.pick(casts)), order, .constant(constant(type))),
                Filter(number(entity, 1), .in, .aggregate([number(entity, 1), number(entity, 0)])),
                Filter(number(entity, 1), .between, .aggregate([number(entity, 0), number(entity, 1)])),
            ])
        }
        return Filter(number(entity, 1), order, number(entity, 0))
    }

    mutating func number(_ entity: Entity, _ depth: Int) -> FilterExpression {
        switch random.below(depth > 0 ? 9 : 3) {
        case 0: return .constant(constant(random.pick([.integer64, .double, .decimal, .boolean])))
        case 3, 4:
            let operations = FilterOperation.allCases.filter { ![.union, .intersect, .minus].contains($0) }
            return .operation(random.pick(operations), number(entity, depth - 1), number(entity, depth - 1))
        case 5:
            let function = random.pick([FilterFunction.abs, .floor, .ceiling, .trunc, .sqrt, .onesComplement])
            return random.once(in: 3)
                ? .negation(number(entity, depth - 1)) : .function(function, [number(entity, depth - 1)])
        case 6, 7:
            guard let (keys, destination) = set(entity) else { break }
            if random.once(in: 3) { return .function(.count, [.keyPath(keys)]) }
            if random.once(in: 3) {
                return .function(
                    .count,
                    [
                        .subquery(.keyPath(keys), variable: "x", condition(destination, of: "x"))
                    ])
            }
            guard let (end, _) = path(destination, QueryDraw.numbers) else { break }
            let function = random.pick([FilterFunction.sum, .average, .min, .max, .median])
            let name = random.pick(["@sum", "@avg", "@min", "@max"])
            return random.once(in: 2) ? .function(function, [.keyPath(keys + end)]) : .keyPath(keys + [name] + end)
        case 8:
            return random.pick([
                .function(.length, [text(entity)]), .function(.max, [number(entity, depth - 1), number(entity, 0)]),
                .ternary(comparison(entity), number(entity, depth - 1), number(entity, 0)),
            ])
        default: break
        }
        guard let (keys, _) = path(entity, QueryDraw.numbers) else { return .constant(1) }
        return .keyPath(keys)
    }

    /// A condition on an element of a SUBQUERY.
    private mutating func condition(_ entity: Entity, of variable: String) -> Filter {
        guard let (keys, type) = path(entity) else { return .always }
        let element = FilterExpression.path(.variable(variable), keys)
        return random.pick([
            Filter(element, random.pick(QueryDraw.orders), .constant(constant(type))),
            Filter(element, .notEqual, .constant(.null)), Filter(.variable(variable), .notEqual, .subject),
        ])
    }

    mutating func text(_ entity: Entity) -> FilterExpression {
        guard let (keys, _) = path(entity, [.string]) else {
            guard let (keys, _) = path(entity, [.uuid, .decimal, .integer64]) else { return .constant("a") }
            return .cast(.keyPath(keys), .string)
        }
        let path = FilterExpression.keyPath(keys)
        return random.once(in: 3)
            ? .function(random.pick([.uppercase, .lowercase, .canonical]), [path]) : path
    }

    private mutating func pattern(_ entity: Entity) -> FilterExpression {
        switch random.below(4) {
        case 0: return text(entity).withoutWildcards
        case 1: return .constant(.string(random.pick(["*a*", "?", "a*", "x\\*y", "[ab]+", ".*", "a|b", "é*", "s*"])))
        default: return FilterExpression.constant(.string(random.pick(QueryWorld.texts))).withoutWildcards
        }
    }

    private mutating func objects(_ entity: Entity) -> Filter {
        let ones = entity.relationships.filter { !$0.isToMany }
        if !ones.isEmpty {
            let one = random.pick(ones)
            let other = random.pick(ones)
            let side = FilterExpression.keyPath([one.name])
            if random.once(in: 3) { return Filter(side, random.pick([.equal, .notEqual]), .constant(.null)) }
            if random.once(in: 2) { return Filter(side, random.pick([.equal, .notEqual]), .keyPath([other.name])) }
            if let (keys, _) = set(entity) { return Filter(side, .in, .keyPath(keys)) }
            return Filter(side, random.pick([.equal, .notEqual]), .subject)
        }
        guard let (keys, _) = set(entity) else { return .always }
        return random.pick([
            Filter(.subject, .in, .keyPath(keys)), Filter(.keyPath(keys), .contains, .subject),
            Filter(.keyPath(keys), random.pick([.equal, .notEqual]), .subject, modifier: modifier()),
        ])
    }

    private mutating func several(_ entity: Entity) -> Filter {
        guard let (keys, destination) = set(entity), let (end, type) = path(destination) else {
            return Filter(number(entity, 1), .notEqual, .constant(.null))
        }
        let order = random.pick(QueryDraw.orders)
        let all = FilterExpression.keyPath(keys + end)
        return random.pick([
            Filter(all, order, .constant(constant(type)), options: options(), modifier: modifier()),
            Filter(all, .in, .constant(.list([constant(type), constant(type)])), modifier: modifier()),
            Filter(.constant(constant(type)), .in, all, options: options()),
            Filter(all, .contains, .constant(constant(type)), options: options()),
            .not(Filter(all, order, .constant(constant(type)), options: options(), modifier: .any)),
        ])
    }
}

extension FilterExpression {
    /// The expression, or `a` where its wildcards might not be a valid regular expression.
    fileprivate var withoutWildcards: FilterExpression {
        guard case .constant(.string(let text)) = self else { return .constant("a") }
        return text.contains { "*?\\[|".contains($0) } ? .constant("a") : self
    }
}
