import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// `tributary seed`.
@Suite struct SeedCommandTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    private func seed(_ words: String...) throws -> Tool.Outcome {
        try Tool.tributary.run(["seed", world.database] + words)
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
        try seed(main).expect(
            1, error: "Main.json has changed since run 3", "use --again to add all its objects once more")
    }

    @Test("A remote seed needs --allow-network")
    func network() throws {
        let server = try LoopbackServer { $0 == "/a.json" ? .file(#"{"User": {"id": 1}}"#) : .missing }
        let model = try world.model()
        try seed(server.address("/a.json"), "--model", model).expect(1, error: "use --allow-network to load it")
        try seed(server.address("/a.json"), "--allow-network").expect(0)
        #expect(try world.values("id", of: "User") == [.integer(1)])
        try seed(server.address("/b.json"), "--allow-network").expect(1, error: "the server answered 404")
    }

    @Test("An error plants nothing; a command line that names no seed, database or model is a usage error")
    func errors() throws {
        let main = try world.write(#"{"User": [{"id": 1}, {"id": "x"}]}"#, "Main.json")
        try Tool.tributary.run(["seed", main]).expect(64)
        try Tool.tributary.run(["seed", world.database]).expect(64)
        try seed(main).expect(64, error: "name its model: --model MODEL")
        #expect(!FileManager.default.fileExists(atPath: world.database))
        try seed(main, "--model", try world.model()).expect(1, error: "Main.json:1:29: User.id: found the string")
        #expect(try world.values("id", of: "User").isEmpty)
    }
}
