import Foundation
import Testing
import TributaryGraph

@Suite struct ModelFaultTests {
    private func attribute(
        _ type: AttributeType, _ change: (inout AttributeDescription) -> Void
    ) -> [String] {
        var attribute = AttributeDescription("a", type)
        change(&attribute)
        return ModelSamples.faults(ModelSamples.one(attribute))
    }

    private func library(_ change: (inout ModelDescription) -> Void) -> [String] {
        var model = ModelSamples.library()
        change(&model)
        return ModelSamples.faults(model)
    }

    @Test("A valid model has no faults")
    func aRightModelHasNone() { #expect(library { _ in } == []) }

    @Test("All faults of a model are reported at once")
    func everyFaultIsSaidAtOnce() {
        let faults = library {
            $0.entities.append(EntityDescription("book"))
            $0.entities[0].attributes.append(AttributeDescription("title", .string))
            $0.entities[1].relationships[0].destination = "Shelve"
            $0.configurations = [.init("C", ["X"])]
        }
        #expect(
            faults == [
                "entity \"book\" and entity \"Book\" differ in case only, which is the same table to SQLite; rename one",
                "entity \"Book\": property \"title\" is declared twice; rename or remove one",
                "entity \"Item\": relationship \"shelf\" has the destination \"Shelve\", which is not an entity of the model; add it or correct the name",
                "entity \"Shelf\": relationship \"items\" has \"shelf\" of entity \"Item\" as its inverse, which has the destination \"Shelve\"; change that to \"Shelf\"",
                "configuration \"C\" has \"X\", which is not an entity of the model; add it or correct the name",
            ])
    }

    @Test(
        "Names that the store or a key path cannot use are refused",
        arguments: [
            ("", "entity \"\" has no name; give it one"),
            ("_pk", "entity \"_pk\" begins with \"_\", which is reserved for the store; rename it"),
            ("SQLite_x", "entity \"SQLite_x\" begins with \"sqlite_\", which SQLite reserves; rename it"),
            ("a\u{0}b", "entity \"a\u{0}b\" has a NUL in its name, which SQL cannot hold; remove it"),
            ("a.b", "entity \"a.b\" has a dot in its name, which separates the keys of a key path; rename it"),
        ])
    func names(_ name: String, _ fault: String) {
        #expect(ModelSamples.faults(ModelDescription([EntityDescription(name)])) == [fault])
        let entity = makeEntity("E", [makeAttribute(name)])
        #expect(
            ModelSamples.faults(ModelDescription([entity])) == [
                fault.replacingOccurrences(of: "entity \"", with: "entity \"E\": property \"")
            ])
    }

    @Test("Column names of one table must not differ only in ASCII case")
    func namesOfOneTable() {
        var other = makeEntity("Film", parent: "Item", [makeAttribute("Title"), makeAttribute("ID")])
        #expect(
            library { $0.entities.append(other) } == [
                "entity \"Film\": property \"Title\" and property \"title\" of entity \"Book\" differ in case only, which is the same column to SQLite; rename one",
                "entity \"Film\": property \"ID\" and property \"id\" of entity \"Item\" differ in case only, which is the same column to SQLite; rename one",
            ])
        other.attributes = [AttributeDescription("title", .integer16), AttributeDescription("İD", .string)]
        #expect(library { $0.entities.append(other) } == [])
    }

    @Test("Inheritance cycles, unknown parents and repeated names are refused")
    func inheritance() {
        #expect(
            library { $0.entities[1].parent = "Book" }.contains(
                "entity \"Book\" inherits from itself; give one entity of the cycle another parent"))
        #expect(
            library { $0.entities[0].parent = "Thing" }.contains(
                "entity \"Book\": its parent \"Thing\" is not an entity of the model; add it or correct the name"))
        #expect(
            library { $0.entities[0].attributes.append(AttributeDescription("id", .string)) } == [
                "entity \"Book\": property \"id\" is inherited already; remove or rename it"
            ])
        #expect(
            library { $0.entities.append($0.entities[2]) } == [
                "entity \"Author\" is declared twice; rename or remove one"
            ])
    }

    @Test("Inverse relationships must exist and name each other")
    func inverses() {
        let owner = "entity \"Book\": relationship \"author\" has "
        #expect(
            library { $0.entities[0].relationships[0].inverse = "works" }.contains(
                owner
                    + "\"works\" of entity \"Author\" as its inverse, which is not a relationship; add it or correct the name"
            ))
        #expect(
            library { $0.entities[2].relationships[0].inverse = nil } == [
                owner
                    + "\"books\" of entity \"Author\" as its inverse, which has no inverse; make each the inverse of the other"
            ])
        #expect(
            library { $0.entities[0].relationships[0].inverseEntity = "Shelf" }.contains(
                owner
                    + "its inverse at entity \"Shelf\", which is neither its destination nor an ancestor of it; name one of these"
            ))
        #expect(
            library { $0.entities[0].relationships[0].inverseEntity = "Self" }.contains(
                owner + "its inverse at \"Self\", which is not an entity of the model; correct the name"))
        #expect(
            library {
                $0.entities[2].relationships.append(makeRelationship("like", to: "Author", inverse: "like"))
            } == [])
    }

    @Test("Counts of a relationship must be valid, and a to-one relationship has none")
    func counts() {
        let owner = "entity \"Author\": relationship \"books\""
        #expect(
            library {
                $0.entities[2].relationships[0].minimumCount = 3
                $0.entities[2].relationships[0].maximumCount = 2
            } == ["\(owner) has a minimum count above its maximum count; swap them"])
        #expect(
            library { $0.entities[2].relationships[0].minimumCount = -1 } == [
                "\(owner) has a negative count; use 0 for none or any"
            ])
        #expect(
            library {
                $0.entities[0].relationships[0].isOrdered = true
                $0.entities[0].relationships[0].maximumCount = 2
            } == [
                "entity \"Book\": relationship \"author\" is to-one and cannot be ordered; make it to-many or remove the order",
                "entity \"Book\": relationship \"author\" is to-one and cannot have a count above 1; make it to-many or remove the counts",
            ])
    }

    @Test("Constraints and indexes refuse unknown, repeated and unstored properties")
    func constraintsAndIndexes() {
        let owner = "entity \"Author\": the uniqueness constraint"
        #expect(
            library { $0.entities[2].uniquenessConstraints = [["nome"], ["books"], [], ["name", "name"]] } == [
                "\(owner) (nome) names \"nome\", which is not a property of the entity; add it or correct the name",
                "\(owner) (books) names \"books\", which is to-many; leave it out",
                "\(owner) () names no property; name one or remove it",
                "\(owner) (name, name) names a property twice; remove one",
            ])
        #expect(
            library {
                $0.entities[2].attributes[0].isTransient = true
                $0.entities[2].indexes = [IndexDescription("i", [.init("name")]), IndexDescription("I", [.init("x")])]
            } == [
                "entity \"Author\": the index \"i\" names \"name\", which is transient; store it or leave it out",
                "entity \"Author\": the index \"I\" is declared twice, ignoring case; rename one",
                "entity \"Author\": the index \"I\" names \"x\", which is not a property of the entity; add it or correct the name",
            ])
    }

    @Test("Attribute settings that contradict the attribute's type are refused")
    func attributes() {
        let owner = "entity \"E\": attribute \"a\""
        #expect(
            attribute(.integer16) { $0.defaultValue = .string("1") } == [
                "\(owner) of type Integer 16 has a default value of another type; correct or remove it"
            ])
        #expect(attribute(.double) { $0.defaultValue = .integer(1) } == [])
        #expect(!attribute(.double) { $0.defaultValue = .double(.nan) }.isEmpty)
        #expect(
            attribute(.string) { $0.maximum = .string("z") } == [
                "\(owner) of type String has a maximum of another type; correct or remove it"
            ])
        #expect(
            attribute(.date) {
                $0.minimum = .date(Date(timeIntervalSince1970: 2))
                $0.maximum = .date(Date(timeIntervalSince1970: 1))
            } == ["\(owner) has a minimum above its maximum; swap them"])
        #expect(
            attribute(.string) { $0.regularExpression = "[" } == [
                "\(owner) has a regular expression that is not valid: [; correct it"
            ])
        #expect(
            attribute(.binary) { $0.regularExpression = "a" } == [
                "\(owner) of type Binary has a regular expression, which only text can match; remove it"
            ])
        #expect(
            attribute(.objectID) { _ in } == [
                "\(owner) of type ObjectID cannot be stored; make it transient or choose another type"
            ])
        #expect(attribute(.undefined) { $0.isTransient = true } == [])
        #expect(attribute(.transformable) { $0.transformerName = "Unheard" } == [])
        #expect(
            attribute(.transformable) { $0.transformerName = "JSON" } == [
                "\(owner) names the transformer \"JSON\", which stands for the type JSON in files; use that type"
            ])
        #expect(
            attribute(.string) { $0.derivation = " " } == [
                "\(owner) is derived from nothing; write an expression such as \"now()\""
            ])
    }

    @Test("Fetch templates, fetched properties and configurations must be consistent")
    func requests() {
        #expect(
            library {
                $0.fetchTemplates = [FetchTemplate("t", of: "X"), FetchTemplate("t", of: "Book")]
                $0.fetchTemplates[1].limit = -1
                $0.configurations = [.init("c", ["Book", "Book"]), .init("c", [])]
                $0.entities[3].fetchedProperties = [FetchedProperty("f", of: "Y")]
            } == [
                "entity \"Shelf\": fetched property \"f\" fetches \"Y\", which is not an entity of the model; add it or correct the name",
                "fetch template \"t\" fetches \"X\", which is not an entity of the model; add it or correct the name",
                "fetch template \"t\" is declared twice; rename or remove one",
                "fetch template \"t\" has a negative limit or batch size; use 0 for all",
                "configuration \"c\" has entity \"Book\" twice; remove one",
                "configuration \"c\" is declared twice; rename or remove one",
            ])
    }

    @Test("A table has at most 1900 columns, those of subentities included")
    func columns() {
        let entity = makeEntity("E", (0..<1_900).map { makeAttribute("a\($0)") })
        #expect(ModelSamples.faults(ModelDescription([entity])) == [])
        let child = makeEntity("F", parent: "E", [makeAttribute("b")])
        #expect(
            ModelSamples.faults(ModelDescription([entity, child])) == [
                "entity \"E\": the table would have 1901 columns with those of its subentities, and 1900 is the limit; move some properties to another entity"
            ])
    }
}
