import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// `--map`, `--print-map` and `--dangling`, and what the summary says about members and references.
@Suite struct MappingOptionTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    private func libraryModel() throws -> String {
        try world.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
                <entity name="Author">
                    <attribute name="id" attributeType="Integer 64" usesScalarValueType="NO"/>
                    <attribute name="name" optional="YES" attributeType="String"/>
                    <relationship name="books" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Book"
                        inverseName="author" inverseEntity="Book"/>
                    <uniquenessConstraints><uniquenessConstraint><constraint value="id"/></uniquenessConstraint></uniquenessConstraints>
                </entity>
                <entity name="Book">
                    <attribute name="isbn" attributeType="String"/>
                    <attribute name="title" optional="YES" attributeType="String"/>
                    <relationship name="author" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Author"
                        inverseName="books" inverseEntity="Author"/>
                    <uniquenessConstraints><uniquenessConstraint><constraint value="isbn"/></uniquenessConstraint></uniquenessConstraints>
                </entity>
            </model>
            """, "Library.xml")
    }

    @Test("--print-map prints what an import would use, and --map reads it back")
    func mapping() throws {
        let model = try world.model()
        let path = try world.write(#"[{"id":1,"label":"Ann","address":{"city":"Rom"},"etag":"x"}]"#)
        let printed = try world.load(path, "--model", model, "--print-map")
        #expect(printed.code == 0 && !FileManager.default.fileExists(atPath: world.database), "\(printed.error)")
        #expect(
            printed.text == """
                {
                  "User" : {
                    "key" : "id",
                    "properties" : {
                      "city" : "address.city",
                      "id" : "id",
                      "name" : "name"
                    }
                  }
                }

                """)
        let edited = printed.text.replacing("\"name\" : \"name\"", with: "\"name\" : \"label\"")
        let map = try world.write(edited, "map.json")
        try world.load(path, "--model", model, "--map", map).expect(
            0, error: "not imported, as no property has them: etag (1 record)")
        #expect(try world.rows("User") == [["_pk": 1, "id": 1, "name": "Ann", "city": "Rom"]])
        try world.load(
            path, "--map", try world.write(#"{"User":{"properties":{"nam":"x"}}}"#, "wrong.json")
        ).expect(1, error: "a rule for nam, which is no property of it")
        try world.load(path, "--map", "no.json").expect(64, error: "'no.json' cannot be read")
    }

    @Test("The whole mapping of nested objects is printed, and a retry takes the file of its import")
    func nestedMappingAndRetry() throws {
        let model = try libraryModel()
        let path = try world.write(#"[{"isbn":"a","name":5},{"isbn":"b","name":"B"}]"#, "books.json")
        try world.load(path, "--model", model, "--entity", "Book", "--print-map").expect(
            text: "\"Author\" : {", "\"books\" : \"books\"")
        let map = try world.write(#"{"Book":{"properties":{"title":"name"}}}"#, "map.json")
        try world.load(
            path, "--model", model, "--entity", "Book", "--map", map, "--on-error", "quarantine"
        ).expect(3)
        let rejects = world.folder.path("bad.ndjson")
        let listed = try Tool.tributary.run(["rejects", world.database])
        try listed.text.replacing("\\\"name\\\":5", with: "\\\"name\\\":\\\"A\\\"")
            .write(toFile: rejects, atomically: true, encoding: .utf8)
        let retried = try Tool.tributary.run(["retry", world.database, rejects, "--map", map])
        #expect(retried.code == 0, "\(retried.error) \(listed.text)")
        #expect(try Set(world.values("title", of: "Book")) == ["A", "B"])
    }

    @Test("A mapping needs a model")
    func withoutAModel() throws {
        let path = try world.write("[{\"id\":1}]")
        try world.load(path, "--print-map").expect(64, error: "need a model")
    }

    @Test("References to missing objects wait, are made or are left empty", arguments: ["wait", "stub", "null"])
    func dangling(_ policy: String) throws {
        let model = try libraryModel()
        let path = try world.write(
            #"[{"isbn":"a","author":7},{"isbn":"b","author":{"id":1,"name":"Ann"}}]"#, "books.json")
        let outcome = try world.load(path, "--model", model, "--entity", "Book", "--dangling", policy).expect(0)
        let waits = outcome.error.contains("references waiting for missing objects: Book.author (1)")
        #expect(waits == (policy == "wait"), "\(outcome.error)")
        #expect(outcome.text.contains("inside them: Author \(policy == "stub" ? 2 : 1) inserted"), "\(outcome.text)")
        let authors = try world.write(#"[{"id":7,"name":"Bob"}]"#, "authors.json")
        try world.load(authors, "--entity", "Author").expect(0)
        let isLinked = try world.rows("Book")[0]["author"] != .null
        #expect(isLinked == (policy != "null"))
    }
}
