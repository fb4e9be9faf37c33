import Foundation
import TributaryGraph
import TributaryTestSupport

/// Makes random filters and sort keys over the properties of the entity Item.
struct FilterSQLMaker {
    var random: SeededGenerator
    let world: FilterSQLWorld

    private static let numbers = [
        "i", "j", "d", "f", "dec", "b", "owner.limit", "next.d", "next.owner.limit", "next.dec",
    ]
    private static let texts = ["s", "t", "owner.name", "next.s", "next.next.t", "owner.favourite.s"]
    private static let sets = ["tags", "previous", "friends", "owner.items", "next.tags", "next.previous"]
    private static let all: [(String, AttributeType)] = [
        ("i", .integer64), ("d", .double), ("f", .float), ("dec", .decimal), ("s", .string), ("b", .boolean),
        ("when", .date), ("bin", .binary), ("uid", .uuid), ("link", .uri), ("doc", .json), ("shape", .transformable),
        ("next.doc", .json), ("next.when", .date), ("next.uid", .uuid),
    ]
    private static let orders: [FilterOperator] = [.less, .lessOrEqual, .greater, .greaterOrEqual, .equal, .notEqual]
    private static let texting: [FilterOperator] = [.like, .beginsWith, .endsWith, .contains, .in, .matches] + orders

    mutating func filter(_ depth: Int = 3) -> Filter {
        guard depth > 0 else { return comparison() }
        switch random.below(8) {
        case 0: return .and([filter(depth - 1), filter(depth - 1)])
        case 1: return .or([filter(depth - 1), filter(depth - 1), filter(0)])
        case 2: return .not(filter(depth - 1))
        case 3: return random.pick([.always, .never, comparison(), comparison()])
        default: return comparison()
        }
    }

    private mutating func options() -> FilterOptions { FilterOptions(rawValue: random.pick([0, 0, 0, 1, 2, 3, 4, 7])) }

    private func path(_ text: String) -> FilterExpression {
        .keyPath(text.split(separator: ".").map(String.init))
    }

    private mutating func comparison() -> Filter {
        let order = random.pick(Self.orders)
        switch random.below(13) {
        case 0, 1: return Filter(number(2), order, number(2))
        case 2, 3: return Filter(text(), random.pick(Self.texting), text(isPattern: true), options: options())
        case 4, 5:
            let (key, type) = random.pick(Self.all)
            return Filter(path(key), order, .constant(value(type)), options: options())
        case 6:
            let (key, type) = random.pick(Self.all)
            let members = (0..<random.below(5)).map { _ in value(random.once(in: 5) ? random.pick(Self.all).1 : type) }
            return Filter(path(key), .in, .constant(.list(members)), options: options())
        case 7:
            let (key, type) = random.pick(Self.all)
            return Filter(path(key), .between, .constant(.list([value(type), value(type)])), options: options())
        case 8: return object()
        case 9: return several()
        case 10: return several()
        case 11:
            let (one, two) = (random.pick(Self.all).0, random.pick(Self.all).0)
            return Filter(path(one), order, path(two), options: options())
        default: return mixed()
        }
    }

    private mutating func value(_ type: AttributeType) -> FilterValue {
        random.once(in: 8) ? .null : FilterSQLWorld.value(type, &random)
    }

    private mutating func number(_ depth: Int) -> FilterExpression {
        switch random.below(depth > 0 ? 10 : 3) {
        case 0: return .constant(value(random.pick([.integer64, .double, .decimal, .boolean])))
        case 1, 2: return path(random.pick(Self.numbers))
        case 3, 4:
            let operations = FilterOperation.allCases.filter { ![.union, .intersect, .minus].contains($0) }
            return .operation(random.pick(operations), number(depth - 1), number(depth - 1))
        case 5: return .negation(number(depth - 1))
        case 6:
            let function = random.pick([FilterFunction.abs, .floor, .ceiling, .trunc, .sqrt, .onesComplement, .noindex])
            return .function(function, [number(depth - 1)])
        case 7:
            let set = random.pick(Self.sets + ["tags.items", "previous.tags", "owner.items.tags", "friends.next.tags"])
            let name = set.hasSuffix("tags") ? "weight" : random.pick(["i", "d", "dec", "f", "b"])
            let end = random.pick(["@sum.\(name)", "@avg.\(name)", "@min.\(name)", "@max.\(name)", "\(name).@sum"])
            return path(
                "\(set).\(random.pick([end, "@count", "@distinctUnionOfObjects.\(set.hasSuffix("tags") ? "name" : "s").@count"]))"
            )
        case 8:
            return .path(
                .subquery(
                    path(random.pick(["tags.items", "previous", "friends", "owner.items", "next.friends"])),
                    variable: "x",
                    random.pick([
                        "$x.doc == doc", "$x.shape != shape", "$x.doc CONTAINS s OR $x.doc == nil",
                        "$x.tags.@count > 1",
                        "SELF IN $x.friends", "$x IN friends AND $x.i IN {1, 2, i}", "$x.@count == 1",
                        "SUBQUERY($x.previous, $y, SUBQUERY($y.friends, $z, $z == $x).@count > 0).@count == 0",
                        "SUBQUERY(friends, $y, $y.i > $x.i).@count > 0", "$x.owner.name LIKE 'a*' AND NOT $x.b == YES",
                        "$x.i > i", "$x.s ==[cd] t", "ANY $x.tags.name == s", "$x.owner == owner", "$x != SELF",
                        "SUBQUERY($x.friends, $y, $y.d < $x.d AND $y != $x).@count > 0", "$x.next.s != nil",
                    ])),
                random.once(in: 3)
                    ? ["@\(random.pick(["sum", "max", "min", "avg"]))", random.pick(["i", "d"])] : ["@count"])
        default:
            return random.pick([
                .ternary(comparison(), number(depth - 1), number(depth - 1)),
                .cast(
                    path(random.pick(["s", "d", "when", "dec"])), random.pick([.number, .integer, .double, .decimal])),
                .function(.max, [number(depth - 1), number(depth - 1)]),
                .function(.sum, [.aggregate([number(depth - 1), number(depth - 1)])]),
                .function(.length, [text()]),
            ])
        }
    }

    private mutating func text(isPattern: Bool = false) -> FilterExpression {
        switch random.below(isPattern ? 10 : 6) {
        case 0: return .function(random.pick([.uppercase, .lowercase, .canonical]), [path(random.pick(Self.texts))])
        case 1: return .cast(path(random.pick(["i", "d", "dec", "uid", "when", "bin"])), .string)
        case 6, 7:
            return .constant(.string(random.pick(["*a*", "?", "a*", "x\\*y", "[ab]+", ".*", "a|b", "é*", "s*"])))
        case 8, 9: return .constant(value(.string)).checkedPattern
        default: return isPattern ? .constant("a") : path(random.pick(Self.texts))
        }
    }

    private mutating func object() -> Filter {
        let objects = world.objects["Item"] ?? []
        func reference(_ object: FilterSQLObject) -> FilterValue {
            object.filterReference.map(FilterValue.object) ?? .null
        }
        let one = FilterExpression.constant(reference(random.pick(objects)))
        let few = FilterExpression.constant(.list([.null] + (0..<3).map { _ in reference(random.pick(objects)) }))
        let tag = FilterExpression.constant(reference(random.pick(world.objects["Tag"] ?? objects)))
        let side = random.pick([FilterExpression.subject, path("next"), path("owner.favourite"), path("next.next")])
        switch random.below(7) {
        case 0: return Filter(side, random.pick([.equal, .notEqual]), one)
        case 1: return Filter(side, .in, few)
        case 2: return Filter(side, .in, path(random.pick(["friends", "previous", "next.friends", "tags.items"])))
        case 3: return Filter(path(random.pick(["tags", "next.tags", "friends.tags"])), .contains, tag)
        case 4: return Filter(side, random.pick([.equal, .notEqual]), random.pick([.subject, .constant(nil), tag]))
        case 5:
            return Filter(path("friends"), random.pick([.equal, .notEqual]), one, modifier: random.pick([.any, .all]))
        default: return Filter(path("friends.next"), .in, few, modifier: random.pick([.any, .all]))
        }
    }

    private mutating func several() -> Filter {
        let modifier = random.pick([FilterModifier.any, .all])
        let set = random.pick(Self.sets + ["friends.next", "previous.friends", "tags.items", "friends.next.previous"])
        if set.hasSuffix("tags") {
            return random.pick([
                Filter(
                    path(set + ".name"), random.pick(Self.texting), text(isPattern: true), options: options(),
                    modifier: modifier),
                Filter(text(), .in, path(set + ".name"), options: options()),
                Filter(path(set + ".name"), .contains, text(), options: options()),
                Filter(path(set + ".weight"), random.pick(Self.orders), number(1), modifier: modifier),
            ])
        }
        let (key, type) = random.pick(Self.all)
        return random.pick([
            Filter(
                path("\(set).\(key)"), random.pick(Self.orders), .constant(value(type)), options: options(),
                modifier: modifier),
            Filter(
                path("\(set).\(key)"), .in, .constant(.list([value(type), value(type)])), options: options(),
                modifier: modifier),
            Filter(path(key), .in, path("\(set).\(key)"), options: options()),
            Filter(
                path("\(set).@\(random.pick(["min", "max"])).\(key)"), random.pick(Self.orders), path(key),
                options: options()),
            Filter(path(key), random.pick(Self.orders), .constant(value(type)), options: options(), modifier: modifier),
        ])
    }

    private mutating func mixed() -> Filter {
        random.pick([
            Filter(.ternary(comparison(), path("s"), path("i")), random.pick(Self.orders), number(1)),
            Filter(.ternary(comparison(), path("when"), .constant(nil)), random.pick(Self.orders), path("next.when")),
            Filter(.operation(.add, path("when"), number(0)), random.pick(Self.orders), .constant(value(.date))),
            Filter(.operation(.subtract, path("when"), path("next.when")), random.pick(Self.orders), number(0)),
            Filter(.cast(path("s"), .uuid), random.pick(Self.orders), path("uid")),
            Filter(.cast(path("i"), .boolean), random.pick(Self.orders), path("b")),
            Filter(number(1), .in, .aggregate([number(1), number(0), text()])),
            Filter(number(1), .between, .aggregate([number(1), number(1)])),
            Filter(.keyPath(["nothing"]), .equal, .constant(1)), Filter(path("tags"), .equal, .constant(1)),
            Filter(.operation(.add, path("s"), .constant(1)), .equal, .constant(1)),
        ])
    }

    mutating func keys() -> [SortKey] {
        let paths =
            Self.numbers + Self.texts + Self.all.map(\.0) + ["tags.@count", "friends.@sum.dec", "previous.@max.d"]
        return (0..<random.below(4)).map { _ in
            SortKey(random.pick(paths), ascending: random.once(in: 2), options: options())
        }
    }
}

extension FilterExpression {
    /// The expression, or `a` where its wildcards might not be a valid regular expression.
    fileprivate var checkedPattern: FilterExpression {
        guard case .constant(.string(let text)) = self, text.contains("*") || text.contains("?") else { return self }
        return .constant("a")
    }
}
