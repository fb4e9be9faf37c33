import Foundation
public import TributaryGraph

/// Generates random valid models.
public struct ModelGenerator {
    private var generator: SeededGenerator

    /// A generator whose models depend only on `seed`.
    public init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// The next model.
    public mutating func model() -> ModelDescription {
        let count = generator.below(7)
        var model = ModelDescription((0..<count).map { entity($0) })
        for index in 0..<count { link(index, generator.below(count), &model) }
        let names = model.entities.map(\.name)
        for index in model.entities.indices where generator.once(in: 3) { addRequests(to: &model, index) }
        if generator.once(in: 2) {
            model.configurations = [.init("all", names), .init("none \(text())x", [])]
        }
        if generator.once(in: 2) { model.versionIdentifiers = ["1.0", "final"] }
        model.userInfo = userInfo()
        return model
    }

    private mutating func entity(_ index: Int) -> EntityDescription {
        var entity = EntityDescription("Entity\(index)")
        entity.className = generator.pick([nil, ".Class", "Module.Class", "Class"])
        if index > 0, generator.once(in: 3) { entity.parent = "Entity\(generator.below(index))" }
        entity.isAbstract = generator.once(in: 4)
        entity.attributes = (0..<generator.below(6)).map { attribute("value\(index)_\($0)") }
        entity.renamingIdentifier = optionalText()
        entity.versionHashModifier = optionalText()
        entity.userInfo = userInfo()
        let stored = entity.attributes.filter { !$0.isTransient }.map(\.name)
        if let first = stored.first, generator.once(in: 2) {
            entity.uniquenessConstraints = [[first], stored]
            entity.indexes = [
                IndexDescription("index\(text())", stored.map { .init($0, isAscending: generator.once(in: 2)) })
            ]
        }
        return entity
    }

    private mutating func attribute(_ name: String) -> AttributeDescription {
        let types: [AttributeType] = [
            .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date, .binary, .uuid,
            .uri, .transformable, .json, .undefined, .objectID,
        ]
        var attribute = AttributeDescription(name, generator.pick(types))
        let inMemory = [.undefined, .objectID].contains(attribute.type)
        attribute.isTransient = inMemory || generator.once(in: 5)
        attribute.isOptional = generator.once(in: 2)
        attribute.isIndexed = generator.once(in: 4)
        if generator.once(in: 2) { attribute.defaultValue = value(attribute.type) }
        if generator.once(in: 3) {
            if [.integer16, .integer32, .integer64, .decimal, .double, .float, .date].contains(attribute.type) {
                attribute.minimum = value(attribute.type)
                if generator.once(in: 2) { attribute.maximum = attribute.minimum }
            } else if attribute.type == .string {
                attribute.minimum = .integer(Int64(generator.below(5)))
                attribute.maximum = .integer(Int64(5 + generator.below(5)))
                attribute.regularExpression = "^[a-z<>&\"]*\\s$"
            }
        }
        if attribute.type == .string, generator.once(in: 6) {
            attribute.derivation = FilterExpression.function(.lowercase, [.constant(.string(text() + "x"))]).description
        }
        if attribute.type == .transformable { attribute.transformerName = generator.pick([nil, "Some.Transformer"]) }
        attribute.valueClassName = optionalText()
        attribute.renamingIdentifier = optionalText()
        attribute.versionHashModifier = optionalText()
        attribute.userInfo = userInfo()
        return attribute
    }

    private mutating func value(_ type: AttributeType) -> ModelValue? {
        let number = Double(generator.below(2_000_001) - 1_000_000) * generator.pick([1, 0.1, 1e-12, 1e200, 1.0 / 3])
        switch type {
        case .integer16, .integer32, .integer64: return .integer(Int64(truncatingIfNeeded: generator.next()))
        case .decimal: return .decimal(Decimal(generator.below(1_000_000)) / 1000 - 500)
        case .double, .float: return .double(number)
        case .string: return .string(text())
        case .json: return (try? JSONText(encoding: text())).map { .string($0.text) }
        case .boolean: return .boolean(generator.once(in: 2))
        case .date: return .date(Date(timeIntervalSinceReferenceDate: number / 3))
        case .binary, .transformable: return .data(Data((0...generator.below(9)).map { UInt8($0 * 29) }))
        case .uuid: return .uuid(UUID())
        case .uri: return URL(string: "https://example.org/\(generator.below(99))?a=b&c=%20").map { .url($0) }
        default: return nil
        }
    }

    /// Adds a relationship of a random kind, usually with an inverse.
    private mutating func link(_ index: Int, _ destination: Int, _ model: inout ModelDescription) {
        var there = RelationshipDescription("link\(index)", to: model.entities[destination].name)
        there.isToMany = generator.once(in: 2)
        there.isOrdered = there.isToMany && generator.once(in: 3)
        there.isOptional = generator.once(in: 2)
        there.deleteRule = generator.pick([.nullify, .cascade, .deny, .noAction])
        if there.isToMany {
            there.minimumCount = generator.below(3)
            there.maximumCount = generator.pick([0, 2, 9])
        }
        there.renamingIdentifier = optionalText()
        there.userInfo = userInfo()
        if generator.once(in: 4) {
            model.entities[index].relationships.append(there)
            return
        }
        var back = RelationshipDescription("back\(index)", to: model.entities[index].name)
        back.isToMany = generator.once(in: 2)
        back.inverse = there.name
        there.inverse = back.name
        back.isTransient = generator.once(in: 9)
        model.entities[index].relationships.append(there)
        model.entities[destination].relationships.append(back)
    }

    private mutating func addRequests(to model: inout ModelDescription, _ index: Int) {
        let name = model.entities[index].name
        var template = FetchTemplate(
            "template\(index)", of: name, where: generator.pick([nil, "a < $B && c == \"d\""]))
        template.limit = generator.below(3)
        template.batchSize = generator.below(3)
        template.result = generator.pick([.objects, .ids, .dictionaries])
        template.includesSubentities = generator.once(in: 2)
        template.includesPendingChanges = generator.once(in: 2)
        template.returnsDistinctResults = generator.once(in: 2)
        template.userInfo = userInfo()
        model.fetchTemplates.append(template)
        var fetched = FetchedProperty("fetched\(index)", of: name, where: generator.pick([nil, "a == $FETCH_SOURCE"]))
        fetched.userInfo = userInfo()
        model.entities[index].fetchedProperties.append(fetched)
    }

    private mutating func userInfo() -> [String: String] {
        guard generator.once(in: 3) else { return [:] }
        return Dictionary((0...generator.below(3)).map { ("key\($0)" + text(), text()) }) { first, _ in first }
    }

    private mutating func optionalText() -> String? { generator.once(in: 4) ? text() + "x" : nil }

    /// Random text that often contains characters which XML normalizes, forbids or escapes.
    private mutating func text() -> String {
        let pieces = [
            "a", " ", "<", ">", "&", "\"", "'", "&amp;", "]]>", "\n", "\r", "\r\n", "\t", "\u{1}", "\u{7F}", "\u{85}",
            "\u{2028}", "é", "e\u{301}", "😀", "\u{FFFE}", "\u{FEFF}",
        ]
        return (0..<generator.below(6)).map { _ in generator.pick(pieces) }.joined()
    }
}
