import Foundation
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// `tributary model`.
@Suite struct ModelCommandTests {
    private let world: ImportWorld
    private let models = Tool.package.appending(path: "Fixtures/models").path

    init() throws { world = try ImportWorld() }

    private func model(_ path: String, _ words: String...) throws -> Tool.Outcome {
        try Tool.tributary.run(["model", path] + words)
    }

    @Test("A model is printed as text, an entity in a paragraph")
    func text() throws {
        let outcome = try model("\(models)/Library.xcdatamodeld")
        #expect(outcome.code == 0 && outcome.error.isEmpty)
        #expect(
            outcome.text.hasPrefix(
                """
                Item, abstract
                    id     Integer 64, required, default 0
                    added  Date, default 2001-01-02T00:00:00Z, minimum 2001-01-01T00:00:00Z
                    shelf  to one Shelf, inverse items, on delete nullify
                    unique: id

                Book: Item, formerly Volume

                """))
        for line in [
            "authors   to many Author, ordered, at least 1, at most 5, inverse books, on delete deny",
            "siblings  fetches Book where shelf == $FETCH_SOURCE.shelf", "index byTitle: title, added descending",
            "fetch template recent: Book where added > $SINCE", "configuration Nothing: no entities",
        ] {
            #expect(outcome.text.contains(line), "\(line)")
        }
    }

    @Test("As XML, a model is a model file with an equal model")
    func xml() throws {
        for name in ["Library.xcdatamodeld", "Legacy.xcdatamodel", "Flat.xcdatamodel"] {
            let outcome = try model("\(models)/\(name)", "--format", "xml")
            let path = try world.folder.write(outcome.output, to: "copy.xml")
            #expect(try ModelFile.read(path) == ModelFile.read("\(models)/\(name)"))
        }
    }

    @Test("As JSON, a model has its entities, attributes and relationships")
    func json() throws {
        let outcome = try model("\(models)/Library.xcdatamodeld", "--json")
        let object = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
        let entities = try #require(object["entities"] as? [[String: Any]])
        #expect(entities.compactMap { $0["name"] as? String } == ["Item", "Book", "Author", "Shelf"])
        let attributes = try #require(entities[0]["attributes"] as? [[String: Any]])
        #expect(attributes[0]["default"] as? Int == 0 && attributes[1]["default"] as? String == "2001-01-02T00:00:00Z")
        let relationships = try #require(entities[1]["relationships"] as? [[String: Any]])
        #expect(relationships[0]["deleteRule"] as? String == "deny" && relationships[0]["maximumCount"] as? Int == 5)
        #expect(entities[0]["uniquenessConstraints"] as? [[String]] == [["id"]])
        #expect((entities[1]["versionHash"] as? String)?.count == 64)
        #expect(try model("\(models)/Library.xcdatamodeld", "--json").output == outcome.output)
    }

    @Test("As a Mermaid diagram, names have no characters with a meaning to Mermaid")
    func mermaid() throws {
        let outcome = try model("\(models)/Library.xcdatamodeld", "--format", "mermaid")
        for line in [
            "classDiagram", "    Item <|-- Book", #"    Item "*" -- "0..1" Shelf : shelf / items"#,
            #"    class Shelf["Shelf"]"#, "        <<abstract>>", "        id : Integer64 unique",
        ] {
            #expect(outcome.lines.contains(line), "\(line)")
        }
        let odd = try world.write(
            """
            <model><entity name='end "{}"'><attribute name='a {b} ~c~ (d)' optional='YES' attributeType='String'/>\
            <relationship name='x: y' optional='YES' maxCount='1' destinationEntity='end "{}"'/></entity></model>
            """.replacing("name='end \"{}\"'", with: "name='end &quot;{}&quot;'").replacing(
                "destinationEntity='end \"{}\"'", with: "destinationEntity='end &quot;{}&quot;'"), "odd.xml")
        #expect(
            try model(odd, "--format", "mermaid").text == """
                classDiagram
                    class entity0_["end '{}'"] {
                        a__b___c___d_ : String?
                    }
                    entity0_ --> "0..1" entity0_ : x__y

                """)
    }

    @Test("A model without entities is printed in every form")
    func empty() throws {
        let empty = try world.write("<model/>", "empty.xml")
        try model(empty).expect(output: "the model has no entities\n")
        let diagram = try model(empty, "--format", "mermaid").text
        #expect(diagram == "classDiagram\n    note \"The model has no entities\"\n")
        try model(empty, "--json").expect(text: "\"entities\" : [")
    }

    @Test("The model of a database is printed, and a database without one is refused")
    func database() throws {
        let dump = try world.write(#"[{"id":1,"name":"Ada","x":1},{"id":2,"x":"b"}]"#, "people.json")
        try world.load(dump, "--key", "id").expect(0)
        #expect(
            try model(world.database).text == """
                people
                    id    Integer 64, inferred
                    name  String, inferred
                    x     Undefined
                    unique: id

                inferred from imported data

                """)
        let file = try world.folder.write(try model(world.database, "--format", "xml").output, to: "people.xml")
        #expect(try model(file).text == model(world.database).text)
        let other = world.folder.path("other.sqlite")
        try Connection(.file(other)).execute("CREATE TABLE a (b)")
        try model(other).expect(1, error: "the database has no model")
        try model(world.folder.path("none")).expect(error: "there is no such model or database")
        try model("\(models)/Broken.xml").expect(error: "Broken.xml:4:5: found </model>")
    }

    @Test("Anything but one operand and a known format is a usage error")
    func usage() throws {
        try Tool.tributary.run(["model"]).expect(64)
        try model("a", "b").expect(64)
        try model(world.database, "--format", "jason").expect(64, error: "takes text, xml, mermaid, not 'jason'")
    }
}
