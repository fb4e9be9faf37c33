import Foundation
import Testing
import TributaryGraph
import TributaryTestSupport

/// The classes that `tributary generate` writes, compiled and compared with their models.
@Suite struct GeneratedClassesTests {
    private static let models = Tool.package.appending(path: "Fixtures/models").path
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// All models of the fixtures, with each version of a bundle.
    private func fixtures() throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.models).sorted()
        let readable = names.map { "\(Self.models)/\($0)" }.filter { (try? ModelFile.read($0)) != nil }
        return readable + (try ModelFile.versions("\(Self.models)/Library.xcdatamodeld").map(\.path))
    }

    private func write(_ model: ModelDescription, _ name: String) throws -> String {
        try folder.write(ModelFile.write(model).utf8, to: name)
    }

    @Test("Generated classes compile without warnings and declare a model equal to their source")
    func classesEqualTheirModels() throws {
        var sources = try fixtures()
        #expect(sources.count == 6)
        for seed in (1...8).map({ UInt64($0) * 7919 }) {
            var generator = ModelGenerator(seed: seed)
            sources.append(try write(generator.model(), "random \(seed).xml"))
        }
        sources.append(try write(Self.hostile(), "default.xml"))
        sources.append(try write(ModelDescription(), "Empty.xml"))
        let dump = Tool.package.appending(path: "Fixtures/dumps/users.json").path
        let database = folder.path("app.sqlite")
        try Tool.tributary.run(["import", database, dump, "--key", "id"]).expect(0)
        let inferred = try Tool.tributary.run(["model", database, "--format", "xml"])
        sources.append(try folder.write(inferred.output, to: "Inferred.xml"))
        var program = try GeneratedProgram(folder)
        for (index, source) in sources.enumerated() {
            try program.add(source, ["internal", "public", "package"][index % 3])
        }
        let lines = try program.run()
        #expect(lines.count == sources.count)
        for (source, line) in zip(sources, lines) { #expect(line == "OK", "\(source)") }
    }

    @Test("Classes that were changed are distinguished from their model")
    func changedClassesDiffer() throws {
        var program = try GeneratedProgram(folder)
        try program.add("\(Self.models)/Users.xcdatamodel", "internal") { classes in
            let file = classes.appending(path: "User.swift")
            let text = try String(contentsOf: file, encoding: .utf8)
            try text.replacing("var active: Bool?", with: "var active: Int?").write(
                to: file, atomically: true, encoding: .utf8)
        }
        let lines = try program.run()
        #expect(lines.count == 1)
        #expect(lines.first?.contains("attributeType=\"Boolean\"") == true, "\(lines)")
    }

    @Test("Generated files have the format of this package")
    func format() throws {
        var sources = try fixtures()
        sources.append(try write(Self.hostile(), "Hostile.xml"))
        for seed in 1...20 as ClosedRange<UInt64> {
            var generator = ModelGenerator(seed: seed)
            sources.append(try write(generator.model(), "random \(seed).xml"))
        }
        for (index, source) in sources.enumerated() {
            let output = folder.path("classes/\(index)")
            try Tool.tributary.run(["generate", source, "--output", output, "--access=public", "-q"]).expect(0)
        }
        let configuration = Tool.package.appending(path: ".swift-format").path
        try Tool("/usr/bin/env").run(
            ["swift", "format", "lint", "--strict", "--recursive", "--configuration", configuration]
                + [folder.path("classes")]
        ).expect(0)
    }

    /// A model whose names and values Swift does not accept as they are.
    private static func hostile() throws -> ModelDescription {
        var odd = EntityDescription("odd entity")
        odd.isAbstract = true
        odd.userInfo = ["quote\"": "\\(1 + 1)\n"]
        odd.renamingIdentifier = "Odd`"
        for name in [
            "class", "first name", "firstName", "objectID", "self", "init", "Type", "2nd", "größe", "☃", "a$b",
        ] {
            odd.attributes.append(AttributeDescription(name, .string))
        }
        odd.attributes[0].regularExpression = #"^"\d+\\$"#
        odd.uniquenessConstraints = [["first name"], ["class"], ["größe", "☃"]]
        odd.relationships = [
            relationship("my date", to: "Date", inverse: "default"),
            relationship("entity", to: "odd entity", inverse: nil),
        ]
        var date = EntityDescription("Date")
        date.parent = "odd entity"
        date.className = ".odd-class"
        date.relationships = [relationship("default", to: "Date", inverse: "my date")]
        date.relationships[0].inverseEntity = "odd entity"
        date.relationships[0].isToMany = true
        var values = EntityDescription("Values")
        values.parent = "Date"
        func add(_ name: String, _ type: AttributeType, _ change: (inout AttributeDescription) throws -> Void) rethrows
        {
            var attribute = AttributeDescription(name, type)
            try change(&attribute)
            values.attributes.append(attribute)
        }
        add("float", .float) { $0.defaultValue = .double(0.1) }
        add("small", .integer16) { $0.defaultValue = .integer(100_000) }
        add("number", .integer64) { ($0.minimum, $0.maximum) = (.integer(.min), .integer(-1)) }
        add("double", .double) { ($0.minimum, $0.maximum) = (.double(-1.5), .double(-1e-9)) }
        add("most", .double) { $0.maximum = .double(-2) }
        add("amount", .decimal) {
            $0.isOptional = false
            ($0.minimum, $0.maximum) = (.decimal(-3), Decimal(string: "12345678901234567890.25").map { .decimal($0) })
            $0.defaultValue = .decimal(-2)
        }
        add("text", .string) {
            $0.isOptional = false
            $0.defaultValue = .string(String(repeating: "a long default, ", count: 12))
            $0.minimum = .integer(0)
        }
        add("json", .json) { $0.defaultValue = .string(#"{"a": [1, "\u00e9"]}"#) }
        add("compact", .json) { $0.defaultValue = .string(#"{"a":[1]}"#) }
        add("key", .uuid) {
            $0.isOptional = false
            $0.defaultValue = UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF").map { .uuid($0) }
        }
        add("link", .uri) {
            $0.isOptional = false
            $0.defaultValue = URL(string: "https://example.org/a%20b").map { .url($0) }
        }
        add("time", .date) { $0.defaultValue = .date(Date(timeIntervalSinceReferenceDate: 0.125)) }
        add("owner", .objectID) { ($0.isTransient, $0.isOptional, $0.userInfo) = (true, false, ["a": "b"]) }
        var several = EntityDescription("Several")
        several.attributes = (0..<20).map { AttributeDescription("attribute\($0)", .string) }
        several.indexes = (0..<3).map { .init("index \($0)", [.init("attribute\($0)"), .init("attribute9")]) }
        several.attributes[0].isIndexed = true
        several.attributes[0].userInfo = Dictionary(uniqueKeysWithValues: (0..<9).map { ("a key \($0)", "value") })
        // A subentity comes before its parent, as it may in a file.
        return ModelDescription([values, odd, date, several])
    }

    private static func relationship(_ name: String, to: String, inverse: String?) -> RelationshipDescription {
        var relationship = RelationshipDescription(name, to: to)
        relationship.inverse = inverse
        relationship.userInfo = ["json": "a.b"]
        return relationship
    }
}
