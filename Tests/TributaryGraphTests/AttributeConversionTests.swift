import Foundation
import Testing
import TributaryGraph
import TributaryTestSupport

/// Conversion of filter values to attribute values in rows, and back.
@MainActor @Suite struct AttributeConversionTests {
    /// A model with an attribute of each type, transient where the type cannot be stored.
    private static func everyType() throws -> Model {
        let types: [(String, AttributeType)] = [
            ("int16", .integer16), ("int32", .integer32), ("int64", .integer64), ("decimal", .decimal),
            ("double", .double), ("float", .float), ("string", .string), ("boolean", .boolean), ("date", .date),
            ("binary", .binary), ("uuid", .uuid), ("uri", .uri), ("transformable", .transformable), ("json", .json),
            ("id", .objectID), ("anything", .undefined),
        ]
        var entity = EntityDescription("E")
        entity.attributes = types.map { name, type in
            var attribute = AttributeDescription(name, type)
            attribute.isTransient = [.objectID, .undefined].contains(type)
            return attribute
        }
        return try Model(ModelDescription([entity]))
    }

    private static func values(_ random: inout SeededGenerator) throws -> [FilterValue] {
        let whole = Int64(truncatingIfNeeded: random.next()) >> Int64(random.below(63))
        let url = try #require(URL(string: "https://example.org/\(random.below(99))?q=%20"))
        return [
            .integer(whole), .double(Double(whole) / 8), .decimal(Decimal(whole) / 1000), .boolean(random.once(in: 2)),
            .string(random.pick(["", "a\u{0}b", "e\u{301}", "😀 a text of more than fifteen bytes"])),
            .date(Date(timeIntervalSince1970: Double(random.below(1 << 40)) / 4)),
            .data(Data((0..<random.below(30)).map { UInt8($0) })), .uuid(UUID()), .url(url), .list([.integer(whole)]),
            .object(FilterReference(whole)),
        ]
    }

    /// The attributes whose types store a value unchanged.
    private static func homes(of value: FilterValue) -> [String] {
        switch value {
        case .integer: ["int16", "int32", "int64", "anything"]
        case .double: ["double", "anything"]
        case .decimal: ["decimal", "anything"]
        case .boolean: ["boolean", "anything"]
        case .string: ["string", "anything"]
        case .date: ["date", "anything"]
        case .data: ["binary", "transformable", "anything"]
        case .uuid: ["uuid", "anything"]
        case .url: ["uri", "anything"]
        case .object: ["id", "anything"]
        case .list, .null: ["anything"]
        }
    }

    @Test("Each attribute type reads back exactly the value that was written")
    func whatGoesInComesBack() throws {
        var random = SeededGenerator.fresh()
        let model = try Self.everyType()
        let entity = try #require(model["E"])
        try Row.temporary(entity.attributes.count) { row in
            for round in 0..<300 {
                for value in try Self.values(&random) {
                    for name in Self.homes(of: value) {
                        let attribute = try #require(entity.attribute(named: name))
                        try attribute.write(value, to: row)
                        #expect(
                            attribute.filterValue(in: row) == value,
                            "seed \(random.seed), round \(round), \(name)")
                        if random.once(in: 5) {
                            try attribute.write(.null, to: row)
                            #expect(attribute.filterValue(in: row) == .null)
                        }
                    }
                }
            }
        }
    }

    @Test("A converted filter value reads back through the property's Swift type")
    func propertiesSeeTheSame() throws {
        let entity = try #require(try Library().model["Book"])
        func through<Value: AttributeValue>(_ value: FilterValue, _ name: String, _: Value.Type) throws -> Value {
            let attribute = try #require(entity.attribute(named: name))
            return try Row.temporary(entity.properties.count) { row in
                try attribute.write(value, to: row)
                let read = Value.read(row, attribute.slot)
                // Assigning the value that was read must count as no change.
                #expect(read.isEqual(row, attribute.slot))
                return read
            }
        }
        let date = Date(timeIntervalSince1970: 1.25)
        #expect(try through(.string("x"), "isbn", String.self) == "x")
        #expect(try through(.date(date), "published", Date?.self) == date)
        #expect(try through(.double(12.5), "price", Decimal?.self) == Decimal(string: "12.5"))
        #expect(try through(3, "price", Decimal?.self) == 3)
        #expect(try through(3, "weight", Double?.self) == 3)
        #expect(try through(.double(0.1), "scale", Float?.self) == 0.1)
        #expect(try through(.double(-7), "pages", Int16?.self) == -7)
        #expect(try through(.decimal(7), "pages", Int16?.self) == 7)
        #expect(try through(.null, "pages", Int16?.self) == nil)
    }

    @Test(
        "A value that the attribute's type cannot hold is refused and not written",
        arguments: [
            ("int64", .double(0.5), "a number with a fraction, or beyond 64 bits"),
            ("int64", .double(0x1p63), "a number with a fraction, or beyond 64 bits"),
            ("int16", .boolean(true), "true or false"), ("int32", "1", "text"),
            ("double", .integer(1 << 53 + 1), "a number with more digits than a Double has"),
            ("double", .double(.nan), "NaN"), ("double", "1", "text"),
            ("float", .double(1e300), "a number beyond single precision"),
            ("decimal", .double(1e200), "a number that no decimal represents exactly"),
            ("decimal", .decimal(.nan), "NaN"),
            ("boolean", .integer(2), "a number that is neither 0 nor 1"),
            ("boolean", "YES", "text"), ("string", 1, "a whole number"), ("string", .data(Data()), "bytes"),
            ("date", .double(1), "a floating point number"), ("binary", "AA==", "text"), ("uuid", "x", "text"),
            ("uri", "x", "text"), ("transformable", .list([]), "a list"), ("json", .decimal(1), "a decimal number"),
            ("id", 1, "a whole number"),
            ("date", .date(Date(timeIntervalSince1970: .infinity)), "a date that is infinite or NaN"),
        ] as [(String, FilterValue, String)])
    func whatDoesNotFitIsRefused(_ name: String, _ value: FilterValue, _ found: String) throws {
        let model = try Self.everyType()
        let attribute = try #require(model["E"]?.attribute(named: name))
        Row.temporary(attribute.slot + 1) { row in
            let error = #expect(throws: AttributeError.self) { try attribute.write(value, to: row) }
            #expect(error?.entity == "E" && error?.attribute == name && error?.found == found)
            #expect(error?.expected == attribute.type)
            #expect(
                error?.description == "E.\(name): found \(found), expected \(attribute.type); convert the value first")
            #expect(attribute.filterValue(in: row) == .null)
        }
    }

    @Test("A number of another type is converted if the attribute can represent it")
    func numbersThatFitExactly() throws {
        let model = try Self.everyType()
        let pairs: [(String, FilterValue, FilterValue)] = [
            ("double", .integer(1 << 53), .double(0x1p53)), ("double", .decimal(Decimal(string: "0.1") ?? 0), 0.1),
            ("int64", .decimal(Decimal(Int64.max)), .integer(.max)), ("int64", .double(-0x1p63), .integer(.min)),
            ("boolean", 0, false), ("boolean", .double(1), true), ("decimal", .double(0.1), .decimal(1 / Decimal(10))),
            ("double", .double(.infinity), .double(.infinity)), ("float", .integer(3), 3.0),
        ]
        for (name, value, expected) in pairs {
            let attribute = try #require(model["E"]?.attribute(named: name))
            try Row.temporary(attribute.slot + 1) { row in
                try attribute.write(value, to: row)
                #expect(attribute.filterValue(in: row) == expected, "\(name) \(value)")
            }
        }
    }
}
