import Foundation
import Testing
import TributaryGraph

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
