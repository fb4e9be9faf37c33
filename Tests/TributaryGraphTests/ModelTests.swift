import Testing
import TributaryGraph

@Suite struct ModelTests {
    private let model: Model

    init() throws { model = try Model(ModelSamples.library()) }

    @Test("Inherited properties have the first slots of a subentity")
    func slotsOfAParentComeFirst() throws {
        let book = try #require(model["Book"])
        let item = try #require(model["Item"])
        #expect(item.properties.map(\.name) == ["id", "shelf"])
        #expect(book.properties.map(\.name) == ["id", "shelf", "title", "isbn", "author"])
        #expect(book.properties.map(\.slot) == [0, 1, 2, 3, 4])
        #expect(book.attributes.map(\.name) == ["id", "title", "isbn"])
        #expect(book.attribute(named: "id") === item.attribute(named: "id"))
        #expect(book.attribute(named: "id")?.entity == item)
        #expect(book["author"]?.slot == 4)
        #expect(book["nothing"] == nil)
        #expect(book.attribute(named: "author") == nil)
    }

    @Test("A model resolves the parents, roots and descendants of its entities")
    func hierarchies() throws {
        let book = try #require(model["Book"])
        let item = try #require(model["Item"])
        #expect(model.entities.map(\.name) == ["Book", "Item", "Author", "Shelf"])
        #expect(model.entities.map(\.index) == [0, 1, 2, 3])
        #expect(model.rootEntities.map(\.name) == ["Item", "Author", "Shelf"])
        #expect(book.parent == item && book.root == item && item.root == item)
        #expect(item.subentities == [book] && item.descendants == [book])
        #expect(book.isKind(of: item) && book.isKind(of: book) && !item.isKind(of: book))
        #expect(book.isKind(of: try #require(model["Author"])) == false)
        let other = try Model(ModelSamples.library())
        #expect(book.isKind(of: try #require(other["Item"])) == false)
    }

    @Test("A model resolves the destinations and inverses of its relationships")
    func inversesAreFound() throws {
        let author = try #require(model["Book"]?.relationship(named: "author"))
        #expect(author.destination == model["Author"])
        #expect(author.inverse == model["Author"]?.relationship(named: "books"))
        #expect(author.inverse?.inverse == author)
        let items = try #require(model["Shelf"]?.relationship(named: "items"))
        #expect(items.inverse?.entity == model["Item"])
        #expect(items.inverse?.inverse == items)
    }

    @Test("Constraints are inherited, and indexes may use inherited properties")
    func constraintsAndIndexesAreInherited() throws {
        let entity = try #require(model["Book"])
        #expect(entity.uniquenessConstraints.map { $0.properties.map(\.name) } == [["id"]])
        #expect(entity.uniquenessConstraints[0].entityName == "Item")
        #expect(entity.indexes.map(\.name) == ["byTitle", nil])
        #expect(entity.indexes[0].elements.map(\.property.slot) == [2, 0])
        #expect(entity.indexes[0].elements.map(\.isAscending) == [true, false])
        #expect(entity.indexes[1].elements.map(\.property.name) == ["isbn"])
    }

    @Test(
        "The class name of an entity is split into module and class",
        arguments: [
            (nil, nil, nil), ("", nil, nil), ("Book", nil, "Book"), (".Book", nil, "Book"), ("Lib.Book", "Lib", "Book"),
            ("Lib.Outer.Book", "Lib", "Outer.Book"), ("NSManagedObject", nil, nil), (".", nil, nil),
        ] as [(String?, String?, String?)])
    func classNames(_ written: String?, _ module: String?, _ name: String?) throws {
        var entity = EntityDescription("Book")
        entity.className = written
        let model = try Model(ModelDescription([entity]))
        #expect(model["Book"]?.moduleName == module)
        #expect(model["Book"]?.className == name)
    }

    @Test("A configuration selects entities, and an unknown configuration gives nil")
    func configurations() throws {
        var description = ModelSamples.library()
        description.configurations = [.init("Books", ["Book", "Item"]), .init("Nothing", [])]
        description.fetchTemplates = [FetchTemplate("all", of: "Book")]
        let model = try Model(description)
        defer { withExtendedLifetime(model) {} }
        #expect(model.configurations == ["Books", "Nothing"])
        #expect(model.entities(in: nil)?.count == 4)
        #expect(model.entities(in: "Books")?.map(\.name) == ["Book", "Item"])
        #expect(model.entities(in: "Nothing") == [])
        #expect(model.entities(in: "Other") == nil)
        #expect(model.versionHashes(in: "Books")?.count == 2)
        #expect(model.fetchTemplates["all"]?.entity == "Book")
    }

    @Test("A model is deallocated despite the references between its entities")
    func entitiesDoNotKeepTheirModel() throws {
        weak var gone: Model?
        do {
            let model = try Model(ModelSamples.library())
            gone = model
            #expect(model["Book"]?.relationship(named: "author")?.inverse?.destination.name == "Book")
        }
        #expect(gone == nil)
    }

    @Test("Merged models share equal entities, and differing ones are refused")
    func modelsMerge() throws {
        var other = ModelDescription([EntityDescription("Other")])
        other.configurations = [.init("Books", ["Other"])]
        var library = ModelSamples.library()
        library.configurations = [.init("Books", ["Book"])]
        let merged = try Model.merging([Model(library), Model(other), Model(library)])
        #expect(merged.entities.map(\.name) == ["Book", "Item", "Author", "Shelf", "Other"])
        #expect(merged.entities(in: "Books")?.map(\.name) == ["Book", "Other"])
        let changed = makeEntity("Other", isAbstract: true)
        #expect(
            throws: ModelError(["entity \"Other\" differs between two models; make both the same or rename one"])
        ) { try Model.merging([Model(other), Model(ModelDescription([changed]))]) }
    }

    @Test("An inheritance hierarchy has at most 100 levels")
    func aDeepHierarchyAndAWideOne() throws {
        let deep = (0..<100).map { index in
            makeEntity("E\(index)", parent: index == 0 ? nil : "E\(index - 1)", [makeAttribute("a\(index)")])
        }
        let model = try Model(ModelDescription(deep))
        defer { withExtendedLifetime(model) {} }
        #expect(model["E99"]?.properties.map(\.slot) == Array(0..<100))
        #expect(model["E0"]?.descendants.count == 99)
        let tooDeep = makeEntity("E100", parent: "E99")
        #expect(
            ModelSamples.faults(ModelDescription(deep + [tooDeep])) == [
                "entity \"E100\" has more than 99 ancestors; flatten the hierarchy"
            ])
    }
}
