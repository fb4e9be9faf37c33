import Foundation
import Testing
import TributaryBrowse

/// Who is let in, by requests through sockets.
@Suite struct PageGateTests {
    private let served: ServedSite

    init() throws { served = try ServedSite() }

    private static let policy =
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    private func expectProtected(_ reply: PageReply?, _ status: Int, location: SourceLocation = #_sourceLocation) {
        #expect(reply?.status == status, sourceLocation: location)
        for (name, value) in [
            ("Content-Security-Policy", Self.policy), ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"), ("Cache-Control", "no-store"),
        ] {
            #expect(reply?.headers.filter { $0.name == name }.map(\.value) == [value], sourceLocation: location)
        }
        #expect(
            reply?.header("Content-Length") != nil && reply?.header("Content-Type") != nil, sourceLocation: location)
        if status != 200, status != 303 {
            #expect(!(reply?.text.contains(served.token) ?? true), sourceLocation: location)
            #expect(reply?.header("Set-Cookie") == nil, sourceLocation: location)
        }
    }

    @Test("Every kind of answer has the headers that protect it")
    func headers() throws {
        for path in ["/", "/css", "/big"] { expectProtected(try served.reply(path), 200) }
        expectProtected(try served.reply("/broken"), 500)
        let moved = try served.reply("/moved")
        expectProtected(moved, 303)
        #expect(moved?.header("Location") == "/e/New%20York")
        #expect(try served.reply("/css")?.header("Content-Type") == "text/css; charset=utf-8")
        expectProtected(try served.reply("/?token=\(served.token)", [("Cookie", nil)]), 303)
        let head = try served.reply("/big", method: "HEAD")
        expectProtected(head, 200)
        #expect(head?.header("Content-Length") == "\(TestSite.bigBody.count)" && head?.body == [])
    }

    @Test("Only the host's own names and port are answered, and only once")
    func hosts() throws {
        let port = served.port
        #expect(try served.reply("/", [("Host", "localhost:\(port)")])?.status == 200)
        for host in [
            "127.0.0.1", "localhost", "127.0.0.1:\(port &+ 1)", "evil.example:\(port)", "LOCALHOST:\(port)",
            "127.0.0.1:\(port).evil.example", "127.0.0.1:0\(port)", "[::1]:\(port)", "127.1:\(port)",
            "a@127.0.0.1:\(port)",
            "127.0.0.1:\(port), evil.example", "",
        ] {
            expectProtected(try served.reply("/", [("Host", host)]), 421)
            expectProtected(try served.reply("/?token=\(served.token)", [("Host", host)]), 421)
        }
        expectProtected(try served.reply("/", [("Host", served.host), ("host", served.host)]), 421)
        expectProtected(try served.reply("/", [("Host", served.host), ("host", "evil.example")]), 421)
        expectProtected(try served.reply("/", version: "1.0", [("Host", nil)]), 421)
        // The library answers this itself.
        #expect(try served.reply("/", [("Host", nil)]).map { [400, 421].contains($0.status) } ?? true)
    }

    @Test("The token gives a cookie and leads to the same address without it; a wrong one gives nothing")
    func tokens() throws {
        let (token, port) = (served.token, served.port)
        #expect(token.count == 32 && token.allSatisfy { $0.isHexDigit && !$0.isUppercase })
        #expect(try ServedSite().token != token)
        let reply = try #require(
            try served.reply("/e/New%20York?where=a%3D1&token=\(token)&sort=-b", [("Cookie", nil)]))
        #expect(reply.status == 303)
        #expect(reply.header("Location") == "http://\(served.host)/e/New%20York?where=a%3D1&sort=-b")
        #expect(reply.header("Set-Cookie") == "tributary_\(port)=\(token); HttpOnly; SameSite=Strict; Path=/")
        let elsewhere = try served.reply("//evil.example/?token=\(token)")
        #expect(elsewhere?.header("Location") == "http://\(served.host)//evil.example/")
        for wrong in [
            "", "x", String(token.dropLast()), token + "0", token.uppercased() + "G", String(token.reversed()) + "0",
            String(repeating: "0", count: 32), token + "&token=x", "%00" + token, token + "%00",
        ] {
            expectProtected(try served.reply("/?token=\(wrong)", [("Cookie", nil)]), 403)
        }
    }

    @Test("Without the right cookie no request is let in")
    func cookies() throws {
        let (token, port) = (served.token, served.port)
        expectProtected(try served.reply("/", [("Cookie", nil)]), 403)
        for cookie in [
            "", "tributary_\(port)=", "tributary_\(port)", "tributary_\(port)=\(token)0",
            "tributary_\(port)=\(token.dropLast())",
            "tributary_\(port &+ 1)=\(token)", "tributary=\(token)", "Tributary_\(port)=\(token)",
            "xtributary_\(port)=\(token)",
            "a=tributary_\(port)=\(token)", "tributary_\(port)=\"\(token)\"", token,
        ] {
            expectProtected(try served.reply("/", [("Cookie", cookie)]), 403)
            expectProtected(try served.reply("/css", [("Cookie", cookie)]), 403)
        }
        // Other servers of this host may have set others, even with this name.
        for cookie in ["a=b; \(served.cookie)", "\(served.cookie);c=d", "tributary_\(port)=0; \(served.cookie)"] {
            #expect(try served.reply("/", [("Cookie", cookie)])?.status == 200)
        }
    }

    @Test("Requests that pages of other sites make are refused, but a link with the token")
    func sites() throws {
        for site in ["none", "same-origin"] {
            #expect(try served.reply("/", [("Sec-Fetch-Site", site)])?.status == 200)
        }
        let open = "/e/Book?token=\(served.token)"
        for site in ["cross-site", "same-site", "Same-Origin", "", "none, none"] {
            expectProtected(try served.reply("/", [("Sec-Fetch-Site", site)]), 403)
            expectProtected(try served.reply("/", [("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", "navigate")]), 403)
            for (mode, kind) in [
                ("no-cors", "image"), ("cors", "empty"), ("navigate", "iframe"), ("no-cors", "document"),
            ] {
                let headers = [("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", mode), ("Sec-Fetch-Dest", kind)]
                expectProtected(try served.reply(open, headers.map { ($0.0, $0.1) }), 403)
            }
            // A redirection would come without the cookie.
            let entered = try served.reply(
                open,
                [
                    ("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document"),
                    ("Cookie", nil),
                ])
            expectProtected(entered, 200)
            #expect(entered?.header("Set-Cookie")?.hasPrefix(served.cookie) ?? false)
            #expect(entered?.text.contains("content=\"0; url=http://\(served.host)/e/Book\"") ?? false)
        }
        #expect(try served.reply("/", [("Origin", "http://\(served.host)")])?.status == 200)
        for origin in ["null", "http://localhost:\(served.port)", "https://\(served.host)", "http://evil.example", ""] {
            expectProtected(try served.reply("/", [("Origin", origin)]), 403)
            expectProtected(try served.reply(open, [("Origin", origin)]), 403)
        }
    }

    @Test(
        "Only GET and HEAD are answered",
        arguments: ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT", "get", "BREW"])
    func methods(_ method: String) throws {
        let reply = try served.reply("/", method: method)
        expectProtected(reply, 405)
        #expect(reply?.header("Allow") == "GET, HEAD")
        expectProtected(try served.reply("/?token=\(served.token)", method: method), 405)
        let client = try PageClient(served.port)
        client.send(lines: served.lines("/", method: method, [("Content-Length", "5")]))
        client.send("hello".utf8)
        expectProtected(try client.reply(), 405)
        #expect(client.isAtEnd())
    }

    @Test("A request with a body is refused before its body, and the connection closed")
    func bodies() throws {
        for header in [("Content-Length", "5"), ("Content-Length", "99999999"), ("Transfer-Encoding", "chunked")] {
            let client = try PageClient(served.port)
            client.send(lines: served.lines("/", [(header.0, header.1), ("Expect", "100-continue")]))
            expectProtected(try client.reply(), 413)
            // What would be the body must not become a request.
            client.send(lines: served.lines("/"))
            #expect(client.isAtEnd())
        }
        #expect(try served.reply("/", [("Content-Length", "0")])?.status == 200)
    }

    @Test("Paths and queries are decoded once, and no part of them is cut")
    func targets() throws {
        let cases: [(String, [String], [(name: String, value: String)])] = [
            ("/", [], []), ("/?", [], []), ("/e/Book", ["e", "Book"], []), ("//", ["", ""], []),
            ("/a%2Fb/%252F", ["a/b", "%2F"], []), ("/a%00b?c%00=%00d", ["a\0b"], [("c\0", "\0d")]),
            ("/../../etc/passwd", ["..", "..", "etc", "passwd"], []), ("/%2e%2E/.", ["..", "."], []),
            ("/a+b?a+b=c+d%2B&&=x&y", ["a+b"], [("a b", "c d+"), ("", "x"), ("y", "")]),
            ("/é?%F0%9F%98%80=%c3%a9", ["é"], [("😀", "é")]), ("/a?b=c=d?e&f=/", ["a"], [("b", "c=d?e"), ("f", "/")]),
            ("/\\..\\x;y", ["\\..\\x;y"], []),
        ]
        for (target, path, query) in cases {
            let expected = TestSite.text(PageRequest(path, query))
            #expect(try served.reply(target)?.text == expected, "\(target)")
        }
        for target in [
            "/%", "/%f", "/%fg", "/%ff", "/%c3", "/%ed%a0%80", "/a?b=%", "/a?%zz", "/a?b=%ff", "/%+1", "*",
            "http://evil.example/", "x", "//%",
        ] {
            expectProtected(try served.reply(target), 400)
        }
    }
}
