import Foundation
import Testing
import TributaryGraph
import TributaryTestSupport

/// A model of its own for derived attributes, which are computed without a store.
private class Writer: ManagedObject {
    // It is declared before the derived attribute that it depends on, so that the order of computation is tested.
    @Attribute(.derived("uppercase:(searchName)")) var loudName: String?
    @Attribute var name: String?
    @Attribute(.derived("canonical:(name)")) var searchName: String?
    @Attribute(.derived("works.@count")) var workCount: Int
    @Attribute(.derived("works.@sum.price")) var total: Decimal
    @Attribute(.derived("now()")) var changed: Date?
    @Relationship(inverse: \Work.writer) var works: ToMany<Work>
}

/// A subentity that adds derived attributes to inherited ones.
private final class Poet: Writer {
    @Attribute(.derived("TERNARY(SUBQUERY(works, $w, $w.price > 3).@count > 0, TRUE, FALSE)")) var isDear: Bool?
    @Attribute(.derived("sqrt(works.@sum.price - 10)")) var root: Double?
}

/// A destination whose derived attribute reads its writer.
private final class Work: ManagedObject {
    @Attribute var price: Decimal?
    @Attribute(.derived("writer.name")) var writerName: String?
    @Relationship var writer: Writer?
}

/// A filter subject whose values can be changed.
private final class Page: FilterSubject {
    var values: [String: FilterValue]
    var many: [String: [Page]]
    var one: [String: Page]

    init(_ values: [String: FilterValue] = [:], many: [String: [Page]] = [:], one: [String: Page] = [:]) {
        self.values = values
        self.many = many
        self.one = one
    }

    func filterValue(forKey key: String) throws(FilterError) -> FilterProperty {
        if let many = many[key] { return .many(many) }
        if let one = one[key] { return .one(one) }
        return .value(values[key] ?? .null)
    }
}

/// Attributes that are computed from other properties.
@Suite struct DerivedAttributeTests {
    private func model() throws -> Model { try Model(ModelDescription(of: Poet.self, Work.self)) }

    private func update(_ page: Page, _ entity: Entity, at now: Date = Date()) throws {
        try Row.temporary(entity.properties.count) { row in
            try entity.derived.update(page, now: now) { attribute, value in
                try attribute.write(value, to: row)
                page.values[attribute.name] = attribute.filterValue(in: row)
            }
        }
    }

    @Test("Derived attributes are computed from the properties that they name")
    func valuesAreComputed() throws {
        let model = try model()
        let (writer, work) = (try #require(model["Writer"]), try #require(model["Work"]))
        var random = SeededGenerator.fresh()
        for _ in 0..<200 {
            let prices = (0..<random.below(5)).map { _ in random.once(in: 5) ? nil : Decimal(random.below(9_999)) / 100
            }
            let name = random.pick([nil, "Émile", "ÅSA ß", ""])
            let page = Page(
                ["name": name.map { .string($0) } ?? .null],
                many: ["works": prices.map { Page(["price": $0.map { .decimal($0) } ?? .null]) }])
            let now = Date(timeIntervalSince1970: Double(random.below(1 << 30)))
            try update(page, writer, at: now)
            let folded = name?.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
            #expect(page.values["workCount"] == .integer(Int64(prices.count)), "seed \(random.seed)")
            #expect(page.values["total"] == .decimal(prices.compactMap(\.self).reduce(0, +)), "seed \(random.seed)")
            #expect(page.values["changed"] == .date(now))
            if name != "ÅSA ß" {
                #expect(page.values["searchName"] == (folded.map { .string($0) } ?? .null), "seed \(random.seed)")
                #expect(page.values["loudName"] == (folded.map { .string($0.uppercased()) } ?? .null))
            }
        }
        let page = Page(one: ["writer": Page(["name": "Ada"])])
        try update(page, work)
        #expect(page.values["writerName"] == "Ada")
        page.one = [:]
        try update(page, work)
        #expect(page.values["writerName"] == .null)
    }

    @Test("Inherited derived attributes are computed, each after its dependencies")
    func inheritedOnesComeToo() throws {
        let model = try model()
        let poet = try #require(model["Poet"])
        let names = poet.derived.attributes.map(\.attribute.name)
        #expect(Set(names) == ["loudName", "searchName", "workCount", "total", "changed", "isDear", "root"])
        let (search, loud) = (names.firstIndex(of: "searchName"), names.firstIndex(of: "loudName"))
        #expect(try #require(search) < #require(loud))
        #expect(model["Writer"]?.derived.attributes.count == 5 && model["Work"]?.derived.isEmpty == false)
        let page = Page(many: ["works": [Page(["price": 4])]])
        try update(page, poet)
        // The square root of a negative number is null.
        #expect(page.values["root"] == .null)
        page.many["works"] = [Page(["price": 26])]
        try update(page, poet)
        #expect(page.values["root"] == 4.0)
    }

    @Test("A derived value that does not fit its attribute's type throws")
    func whatDoesNotFitIsTold() throws {
        var entity = EntityDescription("E")
        entity.attributes = [AttributeDescription("weight", .double), AttributeDescription("rounded", .integer16)]
        entity.attributes[1].derivation = "weight * 2"
        let model = try Model(ModelDescription([entity]))
        let resolved = try #require(model["E"])
        let page = Page(["weight": 1.5])
        try update(page, resolved)
        #expect(page.values["rounded"] == 3)
        page.values["weight"] = 1.25
        let error = #expect(throws: AttributeError.self) { try update(page, resolved) }
        #expect(error?.attribute == "rounded" && error?.expected == .integer16)
    }

    private static func library(_ type: AttributeType, _ derivation: String) -> ModelDescription {
        var library = ModelSamples.library()
        var attribute = AttributeDescription("d", type)
        attribute.derivation = derivation
        library.entities[2].attributes.append(attribute)
        return library
    }

    @Test(
        "A derivation whose type matches its attribute has no fault",
        arguments: [
            ("now()", .date), ("canonical:(name)", .string), ("lowercase(name)", .string), ("length(name)", .integer16),
            ("books.@count", .integer64), ("books.@sum.id", .double), ("books.id.@sum", .decimal),
            ("@sum.books.id", .float),
            ("books.@max.title", .string), ("books.@min.id", .integer32), ("books.shelf.items.@count", .integer64),
            ("max(books.title)", .string), ("SUBQUERY(books, $x, $x.id > 3 AND name == $x.title).@count", .integer64),
            ("TERNARY(books.@count > 3, TRUE, FALSE)", .boolean), ("TERNARY(name == nil, nil, name)", .string),
            ("CAST(books.@count, \"NSString\")", .string), ("now() - 3600", .date), ("now() - now()", .double),
            ("name", .string), ("books.@count > 3", .boolean), ("-books.@count + 1", .integer16), ("nil", .uuid),
            ("books[0].title", .string), ("SUBQUERY(books, $x, $x.id == 1)[FIRST].title", .string),
        ] as [(String, AttributeType)])
    func whatIsRight(_ derivation: String, _ type: AttributeType) {
        // A comparison is not an expression, so that it must be wrapped in a TERNARY.
        let text = derivation == "books.@count > 3" ? "TERNARY(\(derivation), 1, 0)" : derivation
        #expect(ModelSamples.faults(Self.library(type, text)) == [])
    }

    @Test(
        "A faulty derivation is reported with the reason and a remedy",
        arguments: [
            (" ", .string, "is derived from nothing; write an expression such as \"now()\""),
            (
                "canonical:(", .string,
                "is derived from \"canonical:(\", which cannot be read: filter:1:12: found the end, expected a value; character 11"
            ),
            (
                "name name", .string,
                "is derived from \"name name\", which cannot be read: filter:1:6: found name, expected the end; character 5"
            ),
            (
                "nome", .string,
                "is derived from \"nome\" and reads \"nome\", which is not a property of entity \"Author\"; add it or correct the name"
            ),
            (
                "books.@sum.prize", .double,
                "is derived from \"books.@sum.prize\" and reads \"prize\", which is not a property of entity \"Book\"; add it or correct the name"
            ),
            (
                "SUBQUERY(books, $x, $x.prize > 3).@count", .integer16,
                "is derived from \"SUBQUERY(books, $x, $x.prize > 3).@count\" and reads \"prize\", which is not a property of entity \"Book\"; add it or correct the name"
            ),
            (
                "name.length", .integer16,
                "is derived from \"name.length\" and reads \"length\" from text, which has no keys; end the path before it"
            ),
            (
                "books.@sum.title", .double,
                "is derived from \"books.@sum.title\" and computes @sum of text; use numbers"
            ),
            (
                "books.@first.title", .string,
                "is derived from \"books.@first.title\" and has the collection operator @first, which is unknown; correct the name"
            ),
            (
                "uppercase(books.@count)", .string,
                "is derived from \"uppercase(books.@count)\" and needs text for uppercase; books.@count is a number"
            ),
            ("name + 1", .double, "is derived from \"name + 1\" and computes with name, which is text; use numbers"),
            (
                "$x", .string,
                "is derived from \"$x\" and has the variable $x, which has no value in a derivation; write the value itself"
            ),
            (
                "books", .integer16,
                "of type Integer 16 is derived from books, which gives several values; correct one of them"
            ),
            (
                "books.title", .string,
                "of type String is derived from books.title, which gives several values; correct one of them"
            ),
            (
                "books.@count", .string,
                "of type String is derived from books.@count, which gives a number; correct one of them"
            ),
            ("now()", .integer64, "of type Integer 64 is derived from now(), which gives a date; correct one of them"),
            ("SELF", .string, "of type String is derived from SELF, which gives an object; correct one of them"),
            ("uppercase(d)", .string, "is derived from itself, or from such an attribute; break the cycle"),
        ] as [(String, AttributeType, String)])
    func whatIsWrongIsAFault(_ derivation: String, _ type: AttributeType, _ fault: String) {
        #expect(ModelSamples.faults(Self.library(type, derivation)) == ["entity \"Author\": attribute \"d\" \(fault)"])
    }

    @Test("An expression is parsed from a format; a comparison or empty text throws")
    func expressionsAreReadAlone() throws {
        #expect(try FilterExpression(format: "canonical:(%K)", "a b") == .function(.canonical, [.keyPath(["a b"])]))
        #expect(throws: FilterError.self) { try FilterExpression(format: "a == b") }
        #expect(throws: FilterError.self) { try FilterExpression(format: "") }
    }
}
