import Foundation
import Testing
import TributaryGraph
import TributaryTestSupport

@Suite struct FilterCollectionTests {
    static let shop: FilterItem = {
        func item(_ name: String, _ price: FilterValue, _ tags: String...) -> FilterItem {
            FilterItem(
                name, ["name": .string(name), "price": price],
                many: ["tags": tags.map { FilterItem($0, ["name": .string($0)]) }])
        }
        return FilterItem(
            "shop", ["limit": 3, "codes": ["x", "y"]],
            many: [
                "items": [item("pen", 2, "blue"), item("ink", 5, "blue", "red"), item("gum", nil)], "empty": [],
            ], one: ["owner": nil])
    }()

    @Test(
        "Aggregates, quantifiers and subqueries evaluate over to-many relationships",
        arguments: [
            ("ANY items.name == 'ink'", true), ("ANY items.name == 'cup'", false), ("ALL items.price > 1", false),
            ("ALL items.name != 'cup'", true), ("NONE items.name == 'cup'", true), ("SOME items.price == nil", true),
            ("ANY items.tags.name == 'red'", true), ("ALL items.tags.name IN {'red', 'blue'}", true),
            ("ANY empty.name == 'x'", false), ("ALL empty.name == 'x'", true), ("NONE empty.name == 'x'", true),
            ("ANY owner.items.name == 'x'", false), ("ALL owner.items.name == 'x'", true), ("ANY limit == 3", true),
            ("items.@count == 3 AND empty.@count == 0 AND items.tags.@count == 3 AND owner.items.@count == 0", true),
            ("items.@sum.price == 7 AND items.price.@sum == 7 AND @sum.items.price == 7", true),
            ("empty.@sum.price == 0 AND empty.@avg.price == nil AND empty.@min.price == nil", true),
            ("items.@min.price == 2 AND items.@max.price == 5 AND items.@max.name == 'pen'", true),
            ("items.@avg.price > 2.3 AND items.@avg.price < 2.4", true), ("items.@max.tags.@count == 2", true),
            ("items.@distinctUnionOfObjects.price.@count == 2", true),
            (
                "items.tags.@distinctUnionOfObjects.name.@count == 2 AND items.tags.@unionOfObjects.name.@count == 3",
                true
            ),
            (
                "'red' IN items.tags.name AND items.name CONTAINS 'pen' AND codes CONTAINS 'x' AND ANY codes == 'y'",
                true
            ),
            ("codes == {'x', 'y'} AND codes != {'y', 'x'} AND codes != 'x' AND codes[1] == 'y'", true),
            ("SUBQUERY(items, $i, $i.price > limit).@count == 1", true),
            ("SUBQUERY(items, $i, ANY $i.tags.name == 'blue' AND $i.price < limit)[FIRST].name == 'pen'", true),
            ("SUBQUERY(items, $i, SUBQUERY($i.tags, $t, $t.name == $i.name).@count > 0).@count == 0", true),
            ("items[FIRST].name == 'pen' AND items[SIZE] == 3 AND count(items) == 3 AND sum(items.price) == 7", true),
            ("(items UNION empty).@count == 3 AND (items MINUS items).@count == 0", true),
        ])
    func aggregates(_ text: String, _ expected: Bool) throws {
        #expect(try filterHolds(text, Self.shop) == expected)
    }

    @Test("NaN is no least and no greatest value, and a median of NaN is NaN, in any order")
    func notNumbers() throws {
        let values: [FilterValue] = [.decimal(.nan), 1, 3, .null]
        for shift in values.indices {
            let elements = (values[shift...] + values[..<shift]).map { FilterResult.value($0) }
            let statistics = FilterStatistics(elements)
            func result(_ function: FilterFunction) throws -> FilterValue {
                guard case .value(let value) = try statistics.result(of: function) else { return .null }
                return value
            }
            #expect(try result(.min) == 1 && result(.max) == 3)
            guard case .double(let median) = try result(.median) else {
                Issue.record("the median is \(try result(.median))")
                continue
            }
            #expect(median.isNaN)
        }
        guard case .value(.null) = try FilterStatistics([.value(.double(.nan))]).result(of: .max) else {
            Issue.record("the greatest of NaN is not null")
            return
        }
    }

    @Test("Collections of 20,000 elements are compared by value without comparing each with each")
    func largeCollections() throws {
        let numbers = (0..<20_000).map { FilterValue.integer(Int64($0 % 15_000)) }
        let others = (0..<20_000).map { FilterValue.double(Double($0 + 7_500)) }
        let shop = FilterItem("shop", ["a": .list(numbers), "b": .list(others)])
        for text in [
            "a.@distinctUnionOfObjects.@count == 15000", "(a UNION b).@count == 27500",
            "(a INTERSECT b).@count == 7500", "(a MINUS b).@count == 7500", "mode(a).@count == 5000",
        ] { #expect(try filterHolds(text, shop), "\(text)") }
    }

    @Test("Sets of mixed values agree with comparing each value with each")
    func setsOfValues() throws {
        var lots = SeededGenerator.fresh()
        let pool: [FilterValue] = [
            nil, 0, 1, true, false, .double(-0.0), .double(1), .double(0.1), .decimal(Decimal(string: "0.1") ?? 0),
            .double(.nan),
            .decimal(1), .integer(.max), .double(0x1p63), .double(1e300), .decimal(Decimal(string: "1e100") ?? 0),
            "a", "A", "e\u{301}", "é", "É", "ß", "SS", "", .date(Date(timeIntervalSince1970: 1)), .data(Data([1])),
            .data(Data([1, 2])), .list([1, 2]), .list([.double(1), 2]), .list([2, 1]), .list([]),
            .integer(9_007_199_254_740_993), .double(9_007_199_254_740_992), .integer(9_007_199_254_740_992),
        ]
        for options in ["", "[c]", "[cd]"] {
            for _ in 0..<100 {
                let values = (0..<lots.below(12)).map { _ in lots.pick(pool) }
                let element = lots.pick(pool)
                let item = FilterItem("x", ["many": .list(values), "one": element])
                let expected = try values.contains { value in
                    try filterHolds("one ==\(options) two", FilterItem("x", ["one": element, "two": value]))
                }
                let isIn = try filterHolds("one IN\(options) many", item)
                #expect(isIn == expected, "\(element) in \(values), seed \(lots.seed)")
                guard options.isEmpty else { continue }
                var distinct: [FilterValue] = []
                for value in values {
                    let isKnown = try distinct.contains {
                        try filterHolds("one == two", FilterItem("x", ["one": $0, "two": value]))
                    }
                    if !isKnown { distinct.append(value) }
                }
                let count = distinct.count
                #expect(
                    try filterHolds("count(many MINUS {'none of these'}) == \(count)", item),
                    "\(values), seed \(lots.seed)")
            }
        }
    }

    @Test(
        "Comparing a to-many path without ANY or ALL throws",
        arguments: ["items.name == 'pen'", "items == nil", "items.price > 3", "items.name LIKE 'p*'", "items IN {1}"])
    func severalNeedAny(_ text: String) {
        #expect { try filterHolds(text, Self.shop) } throws: { ($0 as? FilterError)?.code == .toMany }
    }

    @Test("Objects can be tested for membership in relationships")
    func objectsInRelationships() throws {
        let pen = FilterReference("pen")
        #expect(try ("\(pen) IN items AND items CONTAINS \(pen) AND ANY items == \(pen)" as Filter).matches(Self.shop))
        #expect(try ("NOT \(pen) IN empty" as Filter).matches(Self.shop))
        #expect(throws: FilterError.self) { try filterHolds("items.@median.price == 1", Self.shop) }
    }

    @Test("A filter with variables selects the matching subjects")
    func manyAreFiltered() throws {
        let filter: Filter = "price >= $least"
        let items = Self.shop.many["items"] ?? []
        #expect(try filter.filtering(items, variables: ["least": 3]).map(\.id) == ["ink"])
    }

    @Test("Sort keys order nulls, numbers and text; to-many and unknown keys throw")
    func sorting() throws {
        let values: [FilterValue] = [5, nil, 2.5, "b", true, "A", "\u{1F600}", "\u{ffff}", "a"]
        let items = values.enumerated().map { FilterItem("\($0)", ["v": $1]) }
        #expect(try [SortKey("v")].sorted(items).map(\.id) == ["1", "4", "2", "0", "5", "8", "3", "7", "6"])
        #expect(try [SortKey("v", ascending: false)].sorted(items).map(\.id).last == "1")
        let folded = try [SortKey("v", options: .caseInsensitive)].sorted(items).map(\.id)
        #expect(folded == ["1", "4", "2", "0", "5", "8", "3", "7", "6"])
        #expect(try [SortKey("v")].compare(items[0], items[2]) == .orderedDescending)
        #expect(try [SortKey]().sorted(items).map(\.id) == items.map(\.id))
        #expect(throws: FilterError.self) { try [SortKey("items")].sorted([Self.shop]) }
        #expect(throws: FilterError.self) { try [SortKey("nothing")].compare(Self.shop, Self.shop) }
    }
}
