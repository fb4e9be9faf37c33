import Foundation
import Testing
import TributaryGraph
import TributaryTestSupport

private struct Colour: Codable, Hashable, Sendable {
    var red: Int
    var name: String
    var shades: [String: Double] = [:]
}

/// A model of its own for attributes of transformable types.
private final class Palette: ManagedObject {
    @Attribute var main: Transformable<Colour>?
    @Attribute var other: Transformable<[Int]>
    @Attribute var initial: Transformable<[Int]> = Transformable(data: Data("[7]".utf8))
}

private struct Reversing: AttributeTransformer {
    struct Refusal: Error {}
    func data(from value: String) throws -> Data {
        if value.isEmpty { throw Refusal() }
        return Data(value.utf8.reversed())
    }
    func value(from data: Data) throws -> String {
        guard let text = String(bytes: data.reversed(), encoding: .utf8) else { throw Refusal() }
        return text
    }
}

/// Attributes with values of any type, which are stored as bytes.
@MainActor @Suite struct TransformableTests {
    private func palette() throws -> Palette {
        let manager = try ContextManager(model: Model(Palette.self), store: .memory)
        return manager.mainContext.insert(Palette.self)
    }

    @Test("Codable values are read back equal, and equal values have equal bytes")
    func valuesComeBack() throws {
        var random = SeededGenerator.fresh()
        let palette = try palette()
        #expect(palette.entity.attributes.map(\.type) == [.transformable, .transformable, .transformable])
        #expect(try palette.main == nil && palette.initial.value == [7])
        #expect(throws: DecodingError.self) { try palette.other.value }
        for _ in 0..<100 {
            let names = ["a", "b", "c", "d", "é", "\u{0}"]
            var colour = Colour(red: random.below(256), name: random.pick(names))
            for name in names where random.once(in: 2) { colour.shades[name] = Double(random.below(100)) / 8 }
            palette.main = try Transformable(colour)
            palette.other = try Transformable([colour.red])
            #expect(try palette.main?.value == colour, "seed \(random.seed)")
            #expect(try palette.other.value == [colour.red])
            // Equal values have equal bytes, in whatever order a dictionary gives its keys.
            var copy = Colour(red: colour.red, name: colour.name)
            for (name, shade) in colour.shades.shuffled() { copy.shades[name] = shade }
            #expect(try Transformable(copy) == palette.main, "seed \(random.seed)")
        }
        palette.main = nil
        #expect(palette.main == nil)
        struct Endless: Codable { var number = Double.nan }
        #expect(throws: EncodingError.self) { try Transformable(Endless()) }
    }

    @Test("Bytes in an unknown format are kept unchanged")
    func bytesOfOthersStay() throws {
        let palette = try palette()
        let bytes = Data([0x62, 0x70, 0x6C, 0x69, 0x73, 0x74])
        palette.main = Transformable(data: bytes)
        #expect(palette.main?.data == bytes)
        #expect(throws: DecodingError.self) { try palette.main?.value }
        #expect(palette.main?.data == bytes)
    }

    @Test("Filters compare transformable values by their bytes")
    func filtersCompareBytes() throws {
        let red = Colour(red: 255, name: "red")
        let filter = try \Palette.main == Transformable(red)
        #expect(filter == (try Filter(format: "main == %@", try Transformable(red))))
        let item = FilterItem("x", ["main": .data(Data(#"{"name":"red","red":255,"shades":{}}"#.utf8))])
        #expect(try filter.matches(item))
    }

    @Test("A registered transformer converts values; without it, bytes stay unchanged")
    func namedTransformers() throws {
        let name = "TransformableTests.Reversing"
        var entity = EntityDescription("E")
        entity.attributes = [AttributeDescription("text", .transformable), AttributeDescription("plain", .string)]
        entity.attributes[0].transformerName = name
        let model = try Model(ModelDescription([entity]))
        let attribute = try #require(model["E"]?.attribute(named: "text"))
        let bytes = Data("cba".utf8)
        // The transformer is not registered yet, so the value is the bytes.
        #expect(!ValueTransformers.isRegistered(name) && attribute.transformer is BytesTransformer)
        #expect(try attribute.transformedValue(of: bytes) as? Data == bytes)
        #expect(try attribute.data(transforming: bytes) == bytes)
        ValueTransformers.register(name, Reversing())
        defer { ValueTransformers.unregister(name) }
        #expect(try attribute.transformedValue(of: bytes) as? String == "abc")
        #expect(try attribute.data(transforming: "abc") == bytes)
        let error = #expect(throws: AttributeError.self) { try attribute.data(transforming: 1) }
        #expect(error?.attribute == "text" && error?.found == "a value of another type than its transformer takes")
        #expect(throws: Reversing.Refusal.self) { try attribute.data(transforming: "") }
        #expect(throws: Reversing.Refusal.self) { try attribute.transformedValue(of: Data([0xFF])) }
        #expect(model["E"]?.attribute(named: "plain")?.transformer == nil)
        for apple in ["NSSecureUnarchiveFromData", "NSKeyedUnarchiveFromData"] {
            #expect(ValueTransformers.named(apple) is BytesTransformer)
        }
        #expect(try CodableTransformer<[Int]>().value(from: CodableTransformer().data(from: [1, 2])) == [1, 2])
    }
}
