import Foundation
import Synchronization
import Testing
import TributaryConcurrency
import TributarySQLite
import TributaryTestSupport

/// Imports from a server, compared with those of the same files.
@Suite struct WebSourceTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    private static let lines = Array((0..<60_000).map { "{\"id\":\($0),\"name\":\"n\($0)\"}\n" }.joined().utf8)

    /// A server that cuts each connection after some bytes.
    private func cutting(_ bytes: [UInt8], every count: Int) throws -> LoopbackServer {
        try LoopbackServer { .part(bytes, of: $0).cut(after: count) }
    }

    private func rows(of file: String, _ table: String, _ words: String...) throws -> [[String: SQLValue]] {
        let other = try ImportWorld()
        try Tool.tributary.run(["import", other.database, file] + words).expect()
        return try other.rows(table)
    }

    @Test("A source that breaks gives the database of the file", arguments: ["users.json", "users.json.gz"])
    func breaks(_ name: String) throws {
        let text = Dump(.users, count: 4000).bytes
        let bytes = name.hasSuffix("gz") ? Compressor.gzip.compress(text) : text
        let server = try cutting(bytes, every: bytes.count / 5 + 1)
        let file = try world.folder.write(bytes, to: name)
        for words in [["--key", "id"], ["--relations"]] {
            let other = try ImportWorld()
            let outcome = try Tool.tributary.run(
                ["import", other.database, server.address("/dumps/\(name)?page=1")] + words)
            outcome.expect(0, text: "4,000")
            let expected = try ImportWorld()
            try Tool.tributary.run(["import", expected.database, file] + words).expect(0)
            #expect(try other.rows("users") == expected.rows("users"))
        }
        try Tool.tributary.run(["records", "-q", server.address("/" + name)]).expect(0)
        try Tool.tributary.run(["validate", server.address("/" + name)]).expect(0, output: "")
        try Tool.tributary.run(["inspect", server.address("/" + name)]).expect(
            0, text: "tributary import users.sqlite \(server.address("/" + name))")
    }

    @Test("An import that was killed resumes with a request for the rest, and then changes nothing")
    func resumes() throws {
        let isKilled = Atomic<Bool>(false)
        let server = try LoopbackServer { request in
            let answer = LoopbackAnswer.part(Self.lines, of: request)
            return isKilled.load(ordering: .relaxed) || request.start != nil
                ? answer : answer.cut(after: 1_000_000, .stalled)
        }
        let address = server.address("/e.ndjson")
        let line = "tributary import -q app.sqlite --json --key id --batch-size 500 '\(address)'"
        // The signal comes when a part of the source is committed and the import waits for more.
        let killed = try Tool.shell(
            """
            set -m; (exec \(line)) & until tributary status app.sqlite --json 2>/dev/null | grep -q '"read":[1-9]'; do :; done
            kill -KILL $!; wait $!; echo $?
            """, in: world.folder.url)
        #expect(killed.lines == ["137"], "\(killed.error)")
        isKilled.store(true, ordering: .relaxed)
        let earlier = server.requests.count
        let outcome = try Tool.shell(line, in: world.folder.url).expect(0)
        let books = try world.books(outcome)
        #expect(books["read"] == 60_000 && books["run"] == 1 && (books["resumedAt"] ?? 0) > 0)
        let starts = server.requests[earlier...].compactMap(\.start)
        #expect(starts.count == 1 && starts.allSatisfy { $0 > 0 && $0 <= 1_000_000 }, "\(starts)")
        #expect(try world.rows("e").count == 60_000)
        let requests = server.requests.count
        try Tool.tributary.run(["import", world.database, address, "--key", "id", "--batch-size", "500"])
            .expect(
                0, error: "", text: "already imported by run 1 and unchanged since")
        #expect(server.requests.count <= requests + 2)
    }

    @Test("A source that has changed is refused where records would be lost or doubled, and read anew otherwise")
    func changes() throws {
        let tag = Guarded("\"1\"")
        let body = Guarded(Array("{\"id\":1}\n{\"id\":2}\n".utf8))
        let server = try LoopbackServer { .part(body.withLock { $0 }, tag: tag.withLock { $0 }, of: $0) }
        let address = server.address("/e.ndjson")
        try world.load(address).expect(0, text: "2 inserted")
        try world.load(address).expect(0, text: "already imported by run 1")
        tag.withLock { $0 = "\"2\"" }
        body.withLock { $0 = Array("{\"id\":3}\n{\"id\":4}\n".utf8) }
        try world.load(address).expect(1, error: "has changed since run 1 imported it", "--append adds its records")
        try world.load(address, "--append").expect(0, text: "2 inserted")
        // Another query is another source.
        try world.load(address + "?page=2", "--append").expect(0)
        #expect(try world.rows("e").count >= 4)
    }

    @Test("A source that changes while it is imported is an error, and its committed records stay")
    func changesMeanwhile() throws {
        let count = Guarded(0)
        let server = try LoopbackServer { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number > 2 else { return LoopbackAnswer.part(Self.lines, of: request).cut(after: 1_000_000) }
            return .part(Array("{\"id\":-1}\n".utf8), tag: "\"2\"", of: request)
        }
        let words = ["--key", "id", "--batch-size", "500", "--first-load", "groups"]
        let address = server.address("/e.ndjson")
        try Tool.tributary.run(["import", world.database, address] + words).expect(
            1, error: "the source has changed while it was read: it was \"1\", and is \"2\"",
            "what was committed before stays")
        let rows = try world.rows("e")
        #expect(rows.count > 10_000 && !rows.contains { $0["id"] == .integer(-1) })
        try Tool.tributary.run(["import", world.database, address] + words).expect(1, error: "use --restart")
        try Tool.tributary.run(["import", world.database, address, "--restart"] + words).expect(0)
        #expect(try world.rows("e").contains { $0["id"] == .integer(-1) })
    }

    @Test("Passwords come from .netrc, the environment or the address, and are never shown or stored")
    func passwords() throws {
        let wanted = ["Basic bWU6c2VjcmV0", "Bearer secret"]
        let server = try LoopbackServer { request in
            guard wanted.contains(request.headers["authorization"] ?? "") else {
                return LoopbackAnswer("401 Unauthorized")
            }
            return .part(Array("[{\"id\":1},{\"id\":x}]".utf8), of: request)
        }
        let address = server.address("/e.json")
        try Tool.shell("HOME=/nowhere tributary records '\(address)'").expect(1, error: "answered 401", "~/.netrc")
        _ = try world.folder.write("machine 127.0.0.1 login me password secret\n".utf8, to: ".netrc")
        let ways = [
            "HOME='\(world.folder.url.path)' tributary import DB '\(address)'",
            "HOME=/nowhere TRIBUTARY_HTTP_AUTHORIZATION='Bearer secret' tributary import DB '\(address)?key=secret'",
            "HOME=/nowhere tributary import DB '\(address.replacing("//", with: "//me:secret@"))'",
        ]
        for (number, way) in ways.enumerated() {
            let database = world.folder.path("\(number).sqlite")
            let outcome = try Tool.shell("\(way.replacing("DB", with: "'\(database)'")) --key id")
            outcome.expect(1, error: "127.0.0.1", "--on-error quarantine", without: "secret", "me:")
            #expect(outcome.error.contains("other users of this computer can see the password") == (number == 2))
            try Tool.shell("\(way.replacing("DB", with: "'\(database)'")) --key id --on-error quarantine").expect(
                3, without: "secret")
            try Tool.tributary.run(["status", database]).expect(0, text: number == 1 ? "e.json?…" : "e.json")
        }
        try Tool.shell(ways[2].replacing(" import DB ", with: " inspect ")).expect(
            3, without: "secret"
        ).expect(text: " \(address)")
        for name in try FileManager.default.contentsOfDirectory(atPath: world.folder.url.path) where name != ".netrc" {
            let bytes = try world.folder.read(name)
            #expect(bytes.firstRange(of: Array("secret".utf8)) == nil, "\(name)")
        }
        try Tool.shell("TRIBUTARY_HTTP_AUTHORIZATION=$'a\\r\\nb' tributary records '\(address)'").expect(
            64, error: "TRIBUTARY_HTTP_AUTHORIZATION has a line end")
    }

    @Test("A proxy of the environment is used")
    func proxy() throws {
        let server = try LoopbackServer { request in
            request.path == "http://nothing.invalid/a.json" ? .part(Array("[1, 2]".utf8), of: request) : .missing
        }
        let line = "http_proxy='\(server.address("/"))' tributary records -q http://nothing.invalid/a.json"
        try Tool.shell(line).expect(0, output: "1\n2\n")
    }

    @Test("A server that tells no version is read like standard input")
    func noVersion() throws {
        let server = try LoopbackServer { _ in LoopbackAnswer(body: "[{\"id\":1,\"a\":[{\"id\":2}]}]".utf8) }
        let address = server.address("/e.json")
        try world.load(address, "--relations").expect(64, error: "'--relations' reads its input twice, and \(address)")
        try world.load(address, "--key", "id").expect(0, text: "1 inserted")
        try world.load(address, "--key", "id").expect(0, text: "1 unchanged")
    }

    @Test("What cannot be read from a server is refused")
    func refusals() throws {
        try world.load("https://me:secret@example.org/a.tar.gz?x").expect(
            64, error: "'https://example.org/a.tar.gz?…", "download it first: curl -LO", without: "secret")
        try Tool.tributary.run(["status", "https://me:secret@example.org/a"]).expect(
            64, error: "'https://example.org/a' is no database", without: "secret")
        let missing = try LoopbackServer { _ in .missing }
        try world.load(missing.address("/a.json")).expect(1, error: "the server answered 404; check the address")
        #expect(!FileManager.default.fileExists(atPath: world.database))
        try world.load(missing.address("/*.json")).expect(1, error: "/*.json: the server answered 404")
        let page = try LoopbackServer { _ in
            LoopbackAnswer("200 OK", ["ETag": "\"1\""], body: "<html>Log in</html>".utf8)
        }
        try world.load(page.address("/a.json")).expect(1, error: "this is not JSON; it looks like XML or HTML")
    }
}
