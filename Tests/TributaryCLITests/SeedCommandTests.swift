import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// `tributary seed`.
@Suite struct SeedCommandTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    private func seed(_ words: String...) throws -> Tool.Outcome {
        try Tool.tributary.run(["seed"] + words + ["--into", world.database])
    }

    @Test("A seed is planted once, appears in the status, and is planted again on demand")
    func plantsOnce() throws {
        let model = try world.model()
        let main = try world.write(
            #"{"User": [{"id": "<uniqueID>", "name": "a", "city": "b"}, {"id": "<uniqueID>"}]}"#, "Main.json")
        let first = try seed(main, "--model", model, "--json")
        #expect(first.code == 0 && first.error.isEmpty, "\(first.error)")
        #expect(try world.books(first)["inserted"] == 2)
        let second = try seed(main)
        #expect(second.code == 0 && second.output.isEmpty)
        #expect(
            second.error
                == "tributary: already planted by run 1 and unchanged since; use --again to plant it again\n")
        #expect(try seed(main, "--again").lines[0] == "2 read = 2 inserted")
        #expect(try seed(main, "--again", "--quiet").output.isEmpty)
        #expect(Set(try world.values("id", of: "User")).count == 6)
        let status = try Tool.tributary.run(["status", world.database])
        #expect(status.lines.count == 6 && status.lines[0].contains("Main.json into User, insert  finished"))
        _ = try world.write(#"{"User": []}"#, "Main.json")
        let changed = try seed(main)
        #expect(changed.code == 1 && changed.error.contains("Main.json has changed since run 3"))
        #expect(changed.error.contains("use --again to add all its objects once more"))
    }

    @Test("A remote seed needs --allow-network")
    func network() throws {
        let server = try LoopbackServer { $0 == "/a.json" ? .file(#"{"User": {"id": 1}}"#) : .missing }
        let model = try world.model()
        let refused = try seed(server.address("/a.json"), "--model", model)
        #expect(refused.code == 1 && refused.error.contains("use --allow-network to load it"), "\(refused.error)")
        #expect(try seed(server.address("/a.json"), "--allow-network").code == 0)
        #expect(try world.values("id", of: "User") == [.integer(1)])
        let missing = try seed(server.address("/b.json"), "--allow-network")
        #expect(missing.code == 1 && missing.error.contains("the server answered 404"), "\(missing.error)")
    }

    @Test("An error plants nothing; a command line that names no seed, database or model is a usage error")
    func errors() throws {
        let main = try world.write(#"{"User": [{"id": 1}, {"id": "x"}]}"#, "Main.json")
        #expect(try Tool.tributary.run(["seed", main]).code == 64)
        #expect(try Tool.tributary.run(["seed", "--into", world.database]).code == 64)
        let unknown = try seed(main)
        #expect(unknown.code == 64 && unknown.error.contains("name its model: --model MODEL"))
        #expect(!FileManager.default.fileExists(atPath: world.database))
        let failed = try seed(main, "--model", try world.model())
        #expect(
            failed.code == 1 && failed.error.contains("Main.json:1:29: User.id: found the string"), "\(failed.error)")
        #expect(try world.values("id", of: "User").isEmpty)
    }
}
