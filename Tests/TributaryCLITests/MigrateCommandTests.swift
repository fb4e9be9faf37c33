import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// `tributary migrate`.
@Suite struct MigrateCommandTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    /// Writes a version of a bundle, whose current version is the latest one written.
    private func version(_ name: String, _ properties: String) throws {
        let folder = world.folder.path("M.xcdatamodeld")
        let files = FileManager.default
        try files.createDirectory(atPath: "\(folder)/\(name).xcdatamodel", withIntermediateDirectories: true)
        try """
        <?xml version="1.0" encoding="UTF-8"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0"><entity name="User">\(properties)</entity></model>
        """.write(toFile: "\(folder)/\(name).xcdatamodel/contents", atomically: true, encoding: .utf8)
        try """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>\(name).xcdatamodel</string></dict></plist>
        """.write(toFile: "\(folder)/.xccurrentversion", atomically: true, encoding: .utf8)
    }

    private static let id =
        #"<attribute name="id" attributeType="Integer 64"/><uniquenessConstraints><uniquenessConstraint><constraint value="id"/></uniquenessConstraint></uniquenessConstraints>"#

    private func attribute(_ name: String, was earlier: String? = nil) -> String {
        let renamed = earlier.map { #" elementID="\#($0)""# } ?? ""
        return #"<attribute name="\#(name)" optional="YES" attributeType="String"\#(renamed)/>"#
    }

    private var model: String { world.folder.path("M.xcdatamodeld") }

    private func migrate(_ words: String...) throws -> Tool.Outcome {
        try Tool.tributary.run(["migrate", world.database, "--model", model] + words)
    }

    @Test("A database follows the versions of its model, and journal and rejects still work")
    func versions() throws {
        try version("M", Self.id + attribute("name"))
        let dump = try world.write(#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}, {"id": "x", "name": "c"}]"#)
        try world.load(dump, "--model", model, "--entity", "User", "--undoable", "--on-error", "quarantine").expect(3)
        #expect(try migrate().output == Data("the database has this model\n".utf8))
        try version("M 2", Self.id + attribute("title", was: "name"))
        try version("M 10", Self.id + attribute("label", was: "title") + attribute("note"))
        // An import does not migrate.
        try world.load(dump, "--model", model, "--entity", "User", "--again").expect(1, error: "tributary migrate")
        let plan = try migrate("--dry-run").expect(2)
        #expect(
            plan.lines == [
                "the database would be migrated", "step 1 of 2", "    renames the attribute User.name to User.title",
                "    forgets the changes kept by run 1",
                "step 2 of 2", "    renames the attribute User.title to User.label", "    adds the attribute User.note",
            ])
        #expect(try world.rows("User").first?["name"] == .text("a"))
        let done = try migrate()
        #expect(done.code == 0 && done.lines.first == "migrated", "\(done.error)")
        #expect(try world.values("label", of: "User") == [.text("a"), .text("b")])
        #expect(try Tool.tributary.run(["rejects", world.database]).lines.count >= 1)
        // The changes of the run had the earlier names.
        try Tool.tributary.run(["undo", world.database, "--run", "1"]).expect(
            1, error: "run 1 has not kept what it changed")
        #expect(try world.values("label", of: "User").count == 2)
    }

    @Test("What drops values, or cannot be inferred, is reported")
    func refusals() throws {
        try version("M", Self.id + attribute("name"))
        _ = try world.load(try world.write(#"[{"id": 1, "name": "a"}]"#), "--model", model, "--entity", "User")
        try version("N", Self.id)
        let plan = try migrate("-n").expect(2)
        #expect(
            plan.lines == [
                "the database would be migrated",
                "    removes the attribute name of User (drops values)",
            ])
        #expect(
            plan.error.contains(
                "to do it and drop values, run: tributary migrate \(world.database) --model \(model) --drop-values\n"),
            "\(plan.error)")
        try migrate().expect(1, error: "--drop-values")
        let done = try migrate("--drop-values", "--json")
        #expect(
            done.lines == [
                #"{"migrated":true,"changes":[{"change":"removes the attribute name of User","dropsValues":true}],"refusals":[]}"#
            ])
        try version("O", #"<attribute name="id" attributeType="String"/>"#)
        let impossible = try migrate("--dry-run")
        #expect(impossible.code == 1 && impossible.lines.first == "the database cannot be migrated")
        try migrate().expect(error: "User.id changes its type from Integer 64 to String")
        try Tool.tributary.run(["migrate", world.database]).expect(64)
        try Tool.tributary.run(["migrate", world.folder.path("none.sqlite"), "--model", model]).expect(
            error: "it does not exist")
        // An index is no part of a version, but is made.
        try version("I", Self.id.replacing("attributeType", with: #"optional="YES" indexed="YES" attributeType"#))
        try migrate("--drop-values").expect(0)
        try version("J", Self.id.replacing("attributeType", with: #"optional="YES" attributeType"#))
        #expect(try migrate("--dry-run").lines.last == "    changes only indexes, defaults or other details")
        #expect(try migrate("--json").lines == [#"{"migrated":true,"changes":[],"refusals":[]}"#])
        #expect(try migrate().lines == ["the database has this model"])
        try version("P", Self.id + attribute("x"))
        #expect(try migrate("--quiet").output.isEmpty)
    }
}
