import Foundation
import Testing
import TributaryGraph
import TributaryTestSupport

/// What classes can declare besides types: names, bounds, entries, and additions to the entity.
@MainActor @Suite struct ClassOptionTests {
    private class Part: ManagedObject {
        @Attribute(.named("serial number"), .unique) var serialNumber: Int
        @Attribute(.range((Decimal(string: "0.5") ?? 0)...)) var price: Decimal?
        @Attribute([
            .length(...20), .renamed(from: "title"), .userInfo(["json": "n"]), .versionHashModifier("2"),
        ])
        var name: String = "new"
        @Attribute(.defaultValue(.double(0.1))) var weight: Float?
        @Attribute(.transformable, .transformer("Colours"), .valueClass("Colour")) var colour: Data?
        @Attribute(.range(Date(timeIntervalSinceReferenceDate: 0)...Date(timeIntervalSinceReferenceDate: 9)))
        var made: Date?
        @Relationship(inverse: \Box.parts, [.named("my box"), .required, .userInfo(["a": "b"])]) var box: Box?

        override class func describe(_ entity: inout EntityDescription) {
            entity.uniquenessConstraints.append(["name", "my box"])
            entity.renamingIdentifier = "Piece"
        }
    }

    private final class Wheel: Part {
        override class func describe(_ entity: inout EntityDescription) {}
    }

    private final class Box: ManagedObject {
        @Relationship(onDelete: .cascade, [.count(1...), .transient, .versionHashModifier("x")])
        var parts: ToMany<Wheel>
        @Relationship(inverse: .itself, [.count(0...3)]) var neighbours: ToMany<Box>
    }

    @Test("Options and additions become part of the description")
    func description() throws {
        let model = try Model(Wheel.self, Box.self, Part.self) { model in
            model.configurations = [.init("all", ["Part", "Wheel", "Box"])]
        }
        defer { withExtendedLifetime(model) {} }
        #expect(model.entities.map(\.name) == ["Wheel", "Box", "Part"] && model.configurations == ["all"])
        let part = model.declaration.entities[2]
        #expect(part.attributes.map(\.name) == ["serial number", "price", "name", "weight", "colour", "made"])
        #expect(part.uniquenessConstraints == [["serial number"], ["name", "my box"]])
        #expect(part.renamingIdentifier == "Piece" && model.declaration.entities[0].renamingIdentifier == nil)
        #expect(part.attributes[1].minimum == Decimal(string: "0.5").map { .decimal($0) })
        #expect(part.attributes[1].maximum == nil)
        let name = part.attributes[2]
        #expect(name.minimum == nil && name.maximum == .integer(20) && name.renamingIdentifier == "title")
        #expect(name.userInfo == ["json": "n"] && name.versionHashModifier == "2")
        #expect(name.defaultValue == .string("new") && part.attributes[3].defaultValue == .double(0.1))
        #expect(part.attributes[4].type == .transformable && part.attributes[4].transformerName == "Colours")
        #expect(part.attributes[4].valueClassName == "Colour")
        #expect(part.attributes[5].maximum == .date(Date(timeIntervalSinceReferenceDate: 9)))
        let box = part.relationships[0]
        #expect(box.name == "my box" && !box.isOptional && box.userInfo == ["a": "b"] && box.inverse == "parts")
        let boxes = model.declaration.entities[1].relationships
        #expect(boxes[0].inverse == "my box" && boxes[0].inverseEntity == "Part" && boxes[0].minimumCount == 1)
        #expect(boxes[0].isTransient && boxes[0].versionHashModifier == "x" && boxes[0].deleteRule == .cascade)
        #expect(boxes[1].inverse == "neighbours" && boxes[1].maximumCount == 3)
    }

    @Test("A property with another name in the model works in objects, filters and key paths")
    func names() throws {
        let model = try Model(Wheel.self, Box.self)
        let manager = try ContextManager(model: model, store: .memory)
        defer { manager.close() }
        let context = manager.mainContext
        let (wheel, box) = (context.insert(Wheel.self), context.insert(Box.self))
        wheel.serialNumber = 7
        wheel.box = box
        #expect(wheel["serial number"] == .integer(7) && box.parts.contains(wheel) && wheel.weight == 0.1)
        try context.save()
        let found = try Wheel.fetch(in: context, where: \Wheel.serialNumber == 7 && \Wheel.box == box)
        #expect(found == [wheel] && wheel.object(forKey: "my box") === box)
    }
}
