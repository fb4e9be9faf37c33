import Foundation
import Testing
import TributaryGraph
import TributaryTestSupport

@Suite struct ModelFixtureTests {
    private let folder = ModelSamples.folder

    @Test("The fixture folder contains exactly the models that these tests read")
    func noFixtureIsForgotten() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(
            names == [
                "Bomb.xml", "Broken.xml", "Flat.xcdatamodel", "Legacy.xcdatamodel", "Library.xcdatamodeld",
                "Old.xcdatamodel", "README.md", "Users.xcdatamodel",
            ])
    }

    @Test("The Library fixture is read with all its settings")
    func library() throws {
        let description = try ModelFile.read("\(folder)/Library.xcdatamodeld")
        let model = try Model(description)
        defer { withExtendedLifetime(model) {} }
        #expect(description.versionIdentifiers == ["2"])
        let book = try #require(model["Book"])
        #expect(book.parent?.isAbstract == true)
        #expect(book.parent?.moduleName == "Library" && book.className == "Book" && book.moduleName == nil)
        #expect(book.declaration.renamingIdentifier == "Volume")
        let attributes = Dictionary(uniqueKeysWithValues: book.attributes.map { ($0.name, $0.declaration) })
        #expect(attributes["id"]?.defaultValue == .integer(0) && attributes["id"]?.isOptional == false)
        #expect(attributes["added"]?.defaultValue == .date(Date(timeIntervalSinceReferenceDate: 86400)))
        #expect(attributes["added"]?.minimum == .date(Date(timeIntervalSinceReferenceDate: 0)))
        #expect(attributes["isbn"]?.minimum == .integer(10) && attributes["isbn"]?.regularExpression == "[0-9X]+")
        #expect(attributes["title"]?.defaultValue == .string("a < b && c"))
        #expect(attributes["title"]?.userInfo == ["json": "book_title"])
        #expect(attributes["plain"]?.derivation == "canonical:(title)")
        #expect(attributes["price"]?.defaultValue == Decimal(string: "9.99").map { .decimal($0) })
        #expect(attributes["rating"]?.defaultValue == .double(0) && attributes["pages"]?.defaultValue == .integer(0))
        #expect(attributes["lent"]?.defaultValue == .boolean(false))
        #expect(attributes["link"]?.defaultValue == URL(string: "https://example.org/").map { .url($0) })
        #expect(attributes["extra"]?.type == .json && attributes["colour"]?.type == .transformable)
        #expect(attributes["colour"]?.transformerName == "ColourTransformer")
        #expect(attributes["colour"]?.valueClassName == "Colour")
        let authors = try #require(book.relationship(named: "authors")?.declaration)
        #expect(authors.isToMany && authors.isOrdered && authors.deleteRule == .deny)
        #expect(authors.minimumCount == 1 && authors.maximumCount == 5)
        #expect(model["Shelf"]?.relationship(named: "items")?.inverse?.entity.name == "Item")
        #expect(model["Shelf"]?.userInfo == ["a": "1", "b": ""])
        #expect(book.fetchedProperties.map(\.predicate) == ["shelf == $FETCH_SOURCE.shelf"])
        #expect(book.indexes.map(\.name) == ["byTitle"])
        #expect(book.uniquenessConstraints.count == 1)
        let recent = try #require(model.fetchTemplates["recent"])
        #expect(recent.predicate == "added > $SINCE" && recent.limit == 10 && recent.batchSize == 5)
        #expect(recent.result == .ids && !recent.includesSubentities && recent.includesPendingChanges)
        #expect(model.entities(in: "Books")?.count == 2 && model.entities(in: "Nothing") == [])
    }

    @Test("A model file of the older style is read with its defaults")
    func legacy() throws {
        let model = try Model(ModelFile.read("\(folder)/Legacy.xcdatamodel"))
        defer { withExtendedLifetime(model) {} }
        let staff = try #require(model["Company"]?.relationship(named: "staff"))
        #expect(staff.isToMany && staff.declaration.maximumCount == 0 && staff.deleteRule == .nullify)
        #expect(model["Person"]?.relationship(named: "company")?.isToMany == false)
        let friend = try #require(model["Person"]?.relationship(named: "friend"))
        #expect(friend.isToMany && friend.declaration.maximumCount == 1 && friend.inverse == friend)
        let company = try #require(model["Company"])
        #expect(company.attribute(named: "name")?.declaration.isIndexed == true)
        #expect(company.indexes.map(\.name) == ["by_name_founded"])
        #expect(
            company.attribute(named: "founded")?.declaration.minimum
                == .date(Date(timeIntervalSince1970: -2_208_988_800)))
    }

    @Test("The Users fixture is read with its userInfo, constraint and index")
    func users() throws {
        let model = try Model(ModelFile.read("\(folder)/Users.xcdatamodel"))
        defer { withExtendedLifetime(model) {} }
        let user = try #require(model["User"])
        #expect(user.attribute(named: "city")?.declaration.userInfo == ["json": "address.city"])
        #expect(user.uniquenessConstraints.count == 1 && user.indexes.map(\.name) == ["byName"])
    }

    @Test("Composite attributes are flattened into attributes with joined names")
    func compositesAreFlattened() throws {
        let person = try #require(try ModelFile.read("\(folder)/Flat.xcdatamodel").entities.first)
        #expect(person.attributes.map(\.name) == ["home_city", "home_place_x", "home_place_y"])
        #expect(person.attributes.allSatisfy { $0.isOptional })
        #expect(person.attributes[1].defaultValue == .double(0))
    }

    @Test("Damaged, binary and missing model files are refused with the reason")
    func whatIsRefused() {
        let refused = [
            ("Broken.xml", ":4:5: found </model>, expected </entity>"),
            ("Bomb.xml", ":2:17: a DOCTYPE with declarations is refused; remove it"),
            (
                "Old.xcdatamodel",
                ": the model has the binary form from before Xcode 4.3 (elements); open and save it in Xcode, which writes contents"
            ),
            (
                "Old.xcdatamodel/elements",
                ": the model is compiled or has the binary form from before Xcode 4.3; read the .xcdatamodeld it was made from"
            ),
            ("Missing.xcdatamodeld", ": there is no such file or directory"),
        ]
        for (name, message) in refused {
            let error = #expect(throws: ModelError.self) { try ModelFile.read("\(folder)/\(name)") }
            #expect(error?.description == "\(folder)/\(name)\(message)")
        }
    }

    @Test("The versions of a model bundle are listed, with the current one marked")
    func versions() throws {
        let versions = try ModelFile.versions("\(folder)/Library.xcdatamodeld")
        #expect(versions.map(\.name) == ["Library", "Library 2"])
        #expect(versions.map(\.isCurrent) == [false, true])
        #expect(try versions[0].read().versionIdentifiers == ["1"])
        #expect(try ModelFile.versions("\(folder)/Flat.xcdatamodel").map(\.name) == ["Flat"])
    }

    @Test("The current version is the named one, else the only or same-named one")
    func theCurrentVersion() throws {
        let folder = try TemporaryFolder()
        let bundle = folder.path("M.xcdatamodeld")
        func add(_ version: String) throws {
            try FileManager.default.createDirectory(
                atPath: "\(bundle)/\(version).xcdatamodel", withIntermediateDirectories: true)
            let xml = "<model userDefinedModelVersionIdentifier='\(version)'/>"
            _ = try folder.write(Array(xml.utf8), to: "M.xcdatamodeld/\(version).xcdatamodel/contents")
        }
        func current() -> String? { (try? ModelFile.read(bundle))?.versionIdentifiers.first }
        func name(_ version: String, _ format: PropertyListSerialization.PropertyListFormat) throws {
            let list = version.isEmpty ? [:] : ["_XCCurrentVersionName": version]
            let data = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
            _ = try folder.write(data, to: "M.xcdatamodeld/.xccurrentversion")
        }
        try add("A")
        #expect(current() == "A")
        try add("B")
        #expect(throws: ModelError.self) { try ModelFile.read(bundle) }
        #expect(try ModelFile.versions(bundle).contains(where: \.isCurrent) == false)
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            try name("B.xcdatamodel", format)
            #expect(current() == "B")
            try name("", format)
            #expect(current() == nil)
        }
        try add("M")
        try name("../Gone.xcdatamodel", .binary)
        #expect(current() == "M")
        _ = try folder.write(Array("bplist00 and then nothing".utf8), to: "M.xcdatamodeld/.xccurrentversion")
        #expect(throws: ModelError.self) { try ModelFile.read(bundle) }
    }

    @Test("Models are found by name in folders and bundles, but not by path")
    func finding() throws {
        #expect(ModelFile.find(named: "Library", in: ["/nowhere", folder]) == "\(folder)/Library.xcdatamodeld")
        #expect(ModelFile.find(named: "Flat", in: [folder]) == "\(folder)/Flat.xcdatamodel")
        #expect(ModelFile.find(named: "Broken.xml", in: [folder]) == "\(folder)/Broken.xml")
        let bundle = "\(folder)/Library.xcdatamodeld"
        #expect(ModelFile.find(named: "Library 2", in: [bundle]) == "\(bundle)/Library 2.xcdatamodel")
        #expect(ModelFile.find(named: "Nothing", in: [folder]) == nil)
        #expect(ModelFile.find(named: "../models/Flat", in: [folder]) == nil)
    }
}
