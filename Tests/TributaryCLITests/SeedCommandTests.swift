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
        let server = try LoopbackServer { $0.path == "/a.json" ? .file(#"{"User": {"id": 1}}"#) : .missing }
        let model = try world.model()
        try seed(server.address("/a.json"), "--model", model).expect(1, error: "use --allow-network to load it")
        try seed(server.address("/a.json"), "--allow-network").expect(0)
        #expect(try world.values("id", of: "User") == [.integer(1)])
        try seed(server.address("/b.json"), "--allow-network").expect(1, error: "the server answered 404")
    }

    @Test(
        "A header with a password is sent to the servers of the command line alone, and passwords in addresses are refused"
    )
    func passwords() throws {
        let other = try LoopbackServer { _ in .file(#"{"User": {"id": 2}}"#) }
        let seed = #"{"seedlings": [{"seedUrl": "\#(other.address("/b.json"))"}, {"seedUrl": "ADDRESS"}]}"#
        let server = try LoopbackServer { request in
            let here = "http://\(request.headers["host"] ?? "")/c.json"
            return .file(request.path == "/a.json" ? seed.replacing("ADDRESS", with: here) : #"{"User": {"id": 3}}"#)
        }
        let line = "--allow-network --model '\(try world.model())'"
        let variable = "TRIBUTARY_HTTP_AUTHORIZATION='Bearer secret'"
        try Tool.shell("\(variable) tributary seed '\(world.database)' '\(server.address("/a.json"))' \(line)").expect(
            0, text: "2 inserted")
        #expect(server.requests.allSatisfy { $0.headers["authorization"] == "Bearer secret" })
        #expect(server.requests.count == 2 && other.requests.map { $0.headers["authorization"] } == [nil])
        let address = server.address("/c.json").replacing("//", with: "//me:secret@")
        try Tool.shell("tributary seed '\(world.database)' '\(address)' \(line)").expect(
            1, error: "the address of a seed at 127.0.0.1 has a user or a password", without: "secret")
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
