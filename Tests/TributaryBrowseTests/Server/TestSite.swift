import TributaryBrowse
import TributaryConcurrency

/// A site that tells what it is asked for.
final class TestSite: PageSite {
    /// The pages of 10 MB.
    static let bigBody = [UInt8](repeating: UInt8(ascii: "x"), count: 10 << 20)

    /// The number of slow pages that are being made, and whether they may end.
    let slow = Monitor((count: 0, isFree: false))

    func answer(_ request: PageRequest) -> PageAnswer {
        switch request.path.first {
        case "big": return PageAnswer(200, .text, TestSite.bigBody)
        case "css": return PageAnswer(200, .css, Array("a{}".utf8))
        case "moved": return PageAnswer(to: "/e/New%20York")
        case "broken": return PageAnswer(500, .html, Array("<p>broken".utf8))
        case "slow":
            slow.update { $0.count += 1 }
            while !request.isStopped(), slow.wait(milliseconds: 10, until: { $0.isFree ? true : nil }) == nil {}
            slow.update { $0.count -= 1 }
            return PageAnswer(200, .text, Array("slow".utf8))
        default: return PageAnswer(200, .html, Array(TestSite.text(request).utf8))
        }
    }

    /// The parts of a request, each between quotes with escapes.
    static func text(_ request: PageRequest) -> String {
        "\(request.path) \(request.query.map { [$0.name, $0.value] })"
    }
}

/// A server of the test's site, with requests that it admits.
struct ServedSite {
    let site = TestSite()
    let server: PageServer

    init() throws { server = try PageServer(site) }

    var port: UInt16 { server.port }
    var host: String { "127.0.0.1:\(port)" }
    var token: String { String(server.address.split(separator: "=").last ?? "") }
    var cookie: String { "tributary_\(port)=\(token)" }

    /// The lines of a request that is admitted; other headers take the place of those with their names.
    func lines(
        _ target: String, method: String = "GET", version: String = "1.1", _ changes: [(String, String?)] = []
    ) -> [String] {
        var headers: [(String, String?)] = [("Host", host), ("Cookie", cookie)]
        for change in changes { headers.removeAll { $0.0 == change.0 } }
        headers += changes
        return ["\(method) \(target) HTTP/\(version)"]
            + headers.compactMap { name, value in value.map { "\(name): \($0)" } }
    }

    /// The answer to one request on a connection of its own; nil if the connection was closed.
    func reply(
        _ target: String = "/", method: String = "GET", version: String = "1.1", _ changes: [(String, String?)] = []
    ) throws -> PageReply? {
        let client = try PageClient(port)
        client.send(lines: lines(target, method: method, version: version, changes))
        return try client.reply(hasBody: method != "HEAD")
    }
}
