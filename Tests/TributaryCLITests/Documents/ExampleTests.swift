import Foundation
import Testing
import TributaryTestSupport

/// The example package, compiled with the modules of the test build, and used as in its README.
@Suite struct ExampleTests {
    private let folder: TemporaryFolder
    private static let example = Tool.package.appending(path: "Examples/Bookshelf")

    init() throws { folder = try TemporaryFolder() }

    private func build() throws -> Tool {
        let sources = Self.example.appending(path: "Sources/Bookshelf").path
        let files = try FileManager.default.contentsOfDirectory(atPath: sources).sorted().map { "\(sources)/\($0)" }
        let program = try SwiftProgram(folder)
        try program.compile(
            ["-parse-as-library", "-wmo", "-c", "-module-name", "Bookshelf", "-o", "bookshelf.o"] + files)
        return try program.link(["bookshelf.o"])
    }

    @Test("The bookshelf imports, lists, searches, undoes and migrates")
    func bookshelf() throws {
        let program = try build()
        let (books, database) = (Self.example.appending(path: "books.json").path, folder.path("books.sqlite"))
        func run(_ commands: String...) throws -> [String] {
            let outcome = try program.run([database], input: Data(commands.joined(separator: "\n").utf8))
            #expect(outcome.code == 0 && outcome.error.isEmpty, "\(outcome.error)")
            return outcome.text.split(separator: "\n").map(String.init)
        }
        let first = try run(
            "import \(books)", "list", "search LEM", "rename 9780441172719 Dune, again", "search dune", "undo",
            "search dune", "undo", "redo", "save", "nonsense")
        let imported = try #require(first.firstIndex(of: "imported \(books): 8 books"))
        #expect(first[..<imported].last == "  8 books so far")
        #expect(
            Array(first[(imported + 1)...].prefix(16)) == [
                "Frank Herbert", "  9780441172719  Dune (1965)", "Philip K. Dick", "  9781598530506  Ubik (1969)",
                "Stanisław Lem", "  9780156837507  Solaris (1961)", "  9780156027595  The Cyberiad (1965)",
                "Ursula K. Le Guin", "  9780547773742  A Wizard of Earthsea (1968)",
                "  9780061054884  The Dispossessed (1974)", "  9780156030083  The Lathe of Heaven (1971)",
                "  9780441478125  The Left Hand of Darkness (1969)", "index: F P S U",
                "  9780156837507  Solaris (1961)", "  9780156027595  The Cyberiad (1965)",
                "  9780441172719  Dune, again (1965)",
            ])
        #expect(
            Array(first[(imported + 17)...].prefix(3)) == ["  9780441172719  Dune (1965)", "nothing to undo", "saved"])
        // What was saved is there, and importing again restores the title from the file.
        #expect(try run("search dune") == ["  9780441172719  Dune, again (1965)"])
        #expect(try run("import \(books)", "search dune").last == "  9780441172719  Dune (1965)")
    }

    @Test("The bookshelf migrates a database of its first edition")
    func firstEdition() throws {
        let program = try build()
        let database = folder.path("old.sqlite")
        try program.run(["--first-edition", database]).expect(0)
        let outcome = try program.run([database], input: Data("list".utf8))
        #expect(
            outcome.text.split(separator: "\n") == [
                "migrating \(database):", "  renames the attribute Book.name to Book.title",
                "  adds the attribute Book.isRead, with its default for objects without one", "Dan Simmons",
                "  9780553283686  Hyperion", "index: D",
            ])
    }

    @Test("The example is a package that depends on this one")
    func manifest() throws {
        try Tool("/usr/bin/env").run(
            [
                "swift", "package", "--package-path", Self.example.path, "--scratch-path", folder.path("scratch"),
                "dump-package",
            ]).expect(0, text: "\"Bookshelf\"")
    }
}
