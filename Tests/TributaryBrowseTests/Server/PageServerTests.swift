import Foundation
import Testing
import TributaryBrowse
import TributaryConcurrency
import TributaryTestSupport

/// The server on connections that behave well and badly.
@Suite struct PageServerTests {
    private let served: ServedSite

    init() throws { served = try ServedSite() }

    @Test("Several requests on a connection are answered in their order, also if they come at once or in pieces")
    func pipelining() throws {
        let client = try PageClient(served.port)
        let targets = (0..<50).map { $0 % 7 == 3 ? "/css" : "/e/\($0)" }
        let bytes = targets.flatMap { (served.lines($0).joined(separator: "\r\n") + "\r\n\r\n").utf8 }
        var (generator, rest) = (SeededGenerator(seed: 7), bytes[...])
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...900, using: &generator))
            rest = rest.dropFirst(piece.count)
            #expect(client.send(piece))
        }
        for target in targets {
            let expected =
                target == "/css" ? "a{}" : TestSite.text(PageRequest(target.split(separator: "/").map(String.init)))
            #expect(try client.reply()?.text == expected)
        }
        client.finishSending()
        #expect(client.isAtEnd())
    }

    @Test("HTTP/1.0 is answered, and the connection closed")
    func oldProtocol() throws {
        let client = try PageClient(served.port)
        client.send(lines: served.lines("/a", version: "1.0"))
        #expect(try client.reply()?.text == "[\"a\"] []")
        #expect(client.isAtEnd())
    }

    @Test(
        "What is not HTTP gets an error or no answer, and the server serves on",
        arguments: [
            "\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET / a b HTTP/1.1\r\nHost: x\r\n\r\n",
            "\u{16}\u{3}\u{1}",
            "GET / HTTP/1.1\r\nHost\r\n\r\n", "GET / HTTP/1.1\r\n: x\r\n\r\n", "\0\0\0\0\r\n\r\n",
            "GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n", "GET / HTTP/1.1\nHost: x\n\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        ])
    func malformed(_ text: String) throws {
        let client = try PageClient(served.port)
        client.send(text.utf8)
        client.finishSending()
        let reply = try? client.reply()
        #expect(reply.map { $0.status >= 400 } ?? true, "\(String(describing: reply))")
        #expect(try served.reply("/a")?.text == "[\"a\"] []")
    }

    @Test("Addresses and heads that are too long are refused")
    func longHeads() throws {
        let long = String(repeating: "a", count: 20_000)
        #expect(try served.reply("/\(long)")?.text == "[\"\(long)\"] []")
        let longer = String(repeating: "a", count: 200_000)
        for (target, headers) in [("/\(longer)", []), ("/?\(longer)", []), ("/", [("X-Long", longer)])]
            as [(String, [(String, String)])]
        {
            let client = try PageClient(served.port)
            client.send(lines: served.lines(target, headers.map { ($0.0, $0.1) }))
            let reply = try? client.reply()
            #expect(reply.map { [400, 413, 414, 431].contains($0.status) } ?? true, "\(String(describing: reply))")
        }
        let many = (0..<20_000).map { ("X-\($0)", Optional("y")) }
        let client = try PageClient(served.port)
        client.send(lines: served.lines("/", many))
        let reply = try? client.reply()
        #expect(reply.map { [400, 413, 431].contains($0.status) } ?? true)
        #expect(try served.reply("/a")?.status == 200)
    }

    @Test("Clients that vanish, before a request, within it or within its answer, leave nothing behind")
    func vanishing() throws {
        for index in 0..<300 {
            let client = try PageClient(served.port)
            let bytes = Array(
                (served.lines(index % 3 == 0 ? "/big" : "/e/1").joined(separator: "\r\n") + "\r\n\r\n").utf8)
            client.send(index % 3 == 1 ? bytes.prefix(index % bytes.count) : bytes[...])
        }
        #expect(try served.reply("/big")?.body.count == TestSite.bigBody.count)
        #expect(try until { openSockets() <= 2 })
    }

    @Test("Slow clients do not hold others up, and get the whole answer")
    func slowClients() throws {
        let slow = try (0..<8).map { _ in try PageClient(served.port) }
        for client in slow { client.send(lines: served.lines("/big")) }
        for _ in 0..<20 { #expect(try served.reply("/a")?.status == 200) }
        for client in slow { #expect(try client.reply()?.body.count == TestSite.bigBody.count) }
    }

    @Test("More connections than the limit wait, and are answered once others end")
    func manyConnections() throws {
        var idle = try (0..<64).map { _ in try PageClient(served.port) }
        for client in idle { client.send("GET / HTTP/1.1\r\n".utf8) }
        let waiting = try (0..<60).map { _ in try PageClient(served.port) }
        for client in waiting { client.send(lines: served.lines("/a", [("Connection", "close")])) }
        idle = []
        for client in waiting { #expect(try client.reply()?.text == "[\"a\"] []") }
    }

    @Test("Thousands of connections, one after another and many at once, are all answered")
    func thousands() throws {
        for _ in 0..<20 {
            let clients = try (0..<100).map { _ in try PageClient(served.port) }
            for client in clients { client.send(lines: served.lines("/a", [("Connection", "close")])) }
            for client in clients { #expect(try client.reply()?.text == "[\"a\"] []") }
        }
    }

    @Test("A server that stops tells its pages to end, closes all connections, and leaves no descriptor")
    func stopping() throws {
        let served = try ServedSite()
        let busy = try (0..<4).map { _ in try PageClient(served.port) }
        for client in busy { client.send(lines: served.lines("/slow")) }
        _ = served.site.slow.wait { $0.count > 0 ? true : nil }
        let half = try PageClient(served.port)
        half.send("GET /".utf8)
        served.server.stop()
        #expect(served.site.slow.read { $0.count } == 0)
        #expect(half.isAtEnd())
        for client in busy { _ = try? client.reply() }
        #expect(throws: PageClient.Failure.self) { try PageClient(served.port) }
        served.server.stop()
        #expect(openSockets(of: served.port) == 0)
        // The port is free at once.
        let again = try PageServer(TestSite(), port: served.port)
        #expect(again.port == served.port)
        #expect(throws: ServerError.self) { try PageServer(TestSite(), port: served.port) }
    }

    @Test("Only this computer reaches the port")
    func loopback() throws {
        let listening = try Tool.shell("cat /proc/net/tcp /proc/net/tcp6 2>/dev/null").text
        let port = String(served.port, radix: 16, uppercase: true)
        let padded = String(repeating: "0", count: 4 - port.count) + port
        let lines = listening.split(separator: "\n").filter { $0.contains(":\(padded) ") && $0.contains(" 0A ") }
        guard !listening.isEmpty else { return }
        #expect(lines.count == 1 && lines[0].contains(" 0100007F:\(padded) "), "\(lines)")
    }

    // MARK: Counting

    /// The number of sockets on the side of the server that it has not closed; 0 where the system does not tell.
    private func openSockets(of port: UInt16? = nil) -> Int {
        let table = (try? String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)) ?? ""
        let port = Int(port ?? served.port)
        return table.split(separator: "\n").dropFirst().count { line in
            let fields = line.split(separator: " ")
            let own = fields[1].split(separator: ":").last.flatMap { Int($0, radix: 16) }
            // Established, closed by the client alone, listening.
            return own == port && ["01", "08", "0A"].contains(fields[3])
        }
    }

    /// Whether a condition becomes true while the server has time.
    private func until(_ condition: () throws -> Bool) throws -> Bool {
        for _ in 0..<2000 {
            if try condition() { return true }
            _ = try served.reply("/a")
        }
        return false
    }
}
