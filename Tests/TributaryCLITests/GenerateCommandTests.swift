import Foundation
import Testing
import TributaryTestSupport

/// `tributary generate`; `GeneratedClassesTests` compiles what it writes.
@Suite struct GenerateCommandTests {
    private let world: ImportWorld
    private let library = Tool.package.appending(path: "Fixtures/models/Library.xcdatamodeld").path

    init() throws { world = try ImportWorld() }

    private var directory: String { world.folder.path("Sources/Model") }

    private func generate(_ model: String, _ words: String...) throws -> Tool.Outcome {
        try Tool.tributary.run(["generate", model, "--output", directory] + words)
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: "\(directory)/\(name)", encoding: .utf8)
    }

    @Test("The first run writes all files, the next one none, and a check agrees")
    func writes() throws {
        let names = ["Author.swift", "Book.swift", "Item.swift", "Model+Library.swift", "Shelf.swift"]
        let missing = try generate(library, "--check").expect(1)
        #expect(missing.lines.dropLast() == names.map { "missing: \(directory)/\($0)" }[...])
        #expect(!FileManager.default.fileExists(atPath: directory))
        let first = try generate(library)
        #expect(first.code == 0 && first.lines == names.map { "written: \(directory)/\($0)" })
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory).sorted() == names)
        let before = try FileManager.default.attributesOfItem(atPath: "\(directory)/Book.swift")
        #expect(try generate(library).lines == ["5 files unchanged"])
        let after = try FileManager.default.attributesOfItem(atPath: "\(directory)/Book.swift")
        // A new file would have another number.
        #expect(before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
        let check = try generate(library, "--check")
        #expect(check.code == 0 && check.lines == ["5 files up to date"])
        let quiet = try generate(library, "--quiet", "--access", "public")
        #expect(quiet.code == 0 && quiet.output.isEmpty)
        #expect(try text("Author.swift").contains("public final class Author: ManagedObject {"))
        #expect(try text("Book.swift").contains("public import Foundation"))
    }

    @Test("A check lists what differs, is missing or obsolete, and writes nothing")
    func check() throws {
        try generate(library).expect(0)
        try "// mine\n".write(toFile: "\(directory)/Book+Mine.swift", atomically: true, encoding: .utf8)
        try FileManager.default.removeItem(atPath: "\(directory)/Shelf.swift")
        try (text("Author.swift") + "// edited\n").write(
            toFile: "\(directory)/Author.swift", atomically: true, encoding: .utf8)
        try text("Item.swift").write(toFile: "\(directory)/Former.swift", atomically: true, encoding: .utf8)
        let check = try generate(library, "--check").expect(1)
        #expect(
            check.lines == [
                "missing: \(directory)/Shelf.swift", "differs: \(directory)/Author.swift",
                "obsolete: \(directory)/Former.swift",
                "to write the classes again, run: tributary generate \(library) --output \(directory)",
            ])
        let json = try generate(library, "--check", "--json").expect(1)
        #expect(
            json.text
                == #"{"check":true,"missing":["\#(directory)/Shelf.swift"],"different":["\#(directory)/Author.swift"],"obsolete":["\#(directory)/Former.swift"],"unchanged":3}"#
                + "\n")
        #expect(try text("Author.swift").hasSuffix("// edited\n"))
        let outcome = try generate(library)
        #expect(
            outcome.lines == [
                "written: \(directory)/Shelf.swift", "written: \(directory)/Author.swift",
                "deleted: \(directory)/Former.swift", "3 files unchanged",
            ])
        #expect(try text("Book+Mine.swift") == "// mine\n")
        try generate(library, "--check").expect(0)
    }

    @Test("A file that was not generated, or from another model, is never overwritten")
    func handWritten() throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try "final class Book {}\n".write(toFile: "\(directory)/Book.swift", atomically: true, encoding: .utf8)
        for words in [[], ["--check"]] {
            try Tool.tributary.run(["generate", library, "-o", directory] + words).expect(
                1, error: "Book.swift: the file was not generated")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["Book.swift"])
        #expect(try text("Book.swift") == "final class Book {}\n")
        try FileManager.default.removeItem(atPath: "\(directory)/Book.swift")
        try generate(library).expect(0)
        let other = try world.write("<model><entity name='Book'/></model>", "Other.xml")
        try generate(other).expect(1, error: "Book.swift: the file was generated from another model")
        try generate(library, "--check").expect(0)
    }

    @Test("Classes are generated from the model of a database")
    func database() throws {
        let dump = try world.write(#"[{"id":1,"first name":"Ada"}]"#, "people.json")
        try world.load(dump, "--key", "id").expect(0)
        #expect(try generate(world.database).lines.count == 2)
        #expect(try text("People.swift").contains(#"(.named("first name"), .inferred) var firstName: String?"#))
        let refused = try generate(dump)
        #expect(refused.code == 1 && !refused.error.isEmpty)
    }

    @Test("A command line without a model or directory is a usage error")
    func usage() throws {
        let cases: [([String], String)] = [
            (["generate"], "Name one model"),
            (["generate", library], "Name the directory of the classes: --output DIR"),
            (["generate", library, "--output", "-"], "takes the name of a directory"),
            (["generate", library, library, "--output", directory], "Name one model"),
            (["generate", library, "--output", directory, "--access", "publik"], "Did you mean 'public'?"),
        ]
        for (words, message) in cases {
            try Tool.tributary.run(words).expect(64, error: message)
        }
        #expect(!FileManager.default.fileExists(atPath: directory))
    }
}
