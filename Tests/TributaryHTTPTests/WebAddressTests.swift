import Testing
import TributaryHTTP
import TributaryTestSupport

/// Addresses, and what of them may be shown.
@Suite struct WebAddressTests {
    @Test(
        "An address is shown without user, password, query and fragment",
        arguments: [
            ("https://example.org/a/b.json", "https://example.org/a/b.json"),
            ("HTTP://example.org", "http://example.org"),
            ("https://me:secret@example.org:8080/a#secret", "https://example.org:8080/a"),
            ("http://me:sec/ret@example.org/x", "http://…"), ("http://me:#secret@example.org/x", "http://…"),
            ("http://[::1]/a", "http://[::1]/a"), ("http://me:secret@[::1]:80/a", "http://[::1]:80/a"),
            ("https://secret@example.org?secret", "https://example.org?…3cff4b93"),
            ("http://me:sec@ret/@example.org/x", "http://ret/@example.org/x"),
            ("https://example.org/a?X-Amz-Signature=secret&Expires=1", "https://example.org/a?…"),
            ("https://example.org/a?sig=secret&page=1&se=2", "https://example.org/a?…" + "f0e9ce51"),
        ])
    func shown(_ text: String, _ expected: String) throws {
        let shown = try #require(WebAddress(text)).shown
        // The digits of the hash are not part of the test.
        #expect(shown.prefix { $0 != "…" } == expected.prefix { $0 != "…" })
        #expect(shown.count == expected.count && !shown.contains("secret"), "\(shown)")
        #expect(WebAddress.shown(text) == shown)
    }

    @Test("Different queries have different names, and the signature of a query has no part in it")
    func queries() throws {
        func name(_ query: String) -> String { WebAddress.shown("https://example.org/a?" + query) }
        #expect(name("page=1") == name("page=1") && name("page=1") != name("page=2"))
        #expect(name("page=1&X-Amz-Date=1&X-Amz-Signature=a") == name("X-Amz-Date=2&page=1&X-Amz-Signature=b"))
    }

    @Test(
        "The file of an address is the last part of its path",
        arguments: [
            ("https://example.org/a/users.json.gz?x=/y", "users.json.gz"), ("https://example.org/", nil),
            ("https://example.org", nil), ("https://example.org/list%20of%2Fusers.json", "users.json"),
            ("https://example.org/%zz", "%zz"), ("https://example.org/a/b/", "b"),
        ] as [(String, String?)])
    func file(_ text: String, _ expected: String?) throws {
        #expect(try #require(WebAddress(text)).file == expected)
    }

    @Test(
        "Other texts are no addresses", arguments: ["ftp://example.org", "https:/example.org", "users.json", "", "-"])
    func others(_ text: String) {
        #expect(WebAddress(text) == nil && WebAddress.shown(text) == text)
        #expect(throws: (any Error).self) { try URLSource(text) }
    }

    @Test("The head of an answer is read as the standard says, and nothing else of it counts")
    func heads() {
        func head(_ lines: String...) -> AnswerHead {
            lines.reduce(into: AnswerHead()) { $0.add($1) }
        }
        #expect(
            head("HTTP/1.1 206 Partial", "Content-Range: bytes 5-9/10").span == .init(start: 5, count: 5, total: 10))
        #expect(head("HTTP/2 416", "content-range: Bytes */7").span == .init(total: 7))
        for text in ["bytes 9-5/10", "bytes 5-10/10", "bytes -5/10", "items 1-2/3", "bytes 1-2", "bytes +1-2/9"] {
            #expect(head("HTTP/1.1 206", "Content-Range: \(text)").span == nil, "\(text)")
        }
        #expect(head("HTTP/1.1 200 OK", "ETag:  \"a\"  ", "Last-Modified: x").version == "\"a\"")
        #expect(head("HTTP/1.1 200 OK", "ETag: W/\"a\"", "Last-Modified: x").version == "x")
        #expect(head("HTTP/1.1 200 OK", "ETag: W/\"a\"").version == nil)
        #expect(head("HTTP/1.1 302 Found", "ETag: \"a\"", "HTTP/1.1 200 OK").version == nil)
        #expect(head("HTTP/1.1 200 OK", "Content-Length: 5", "Transfer-Encoding: chunked").length == nil)
        for text in ["-1", "", "1 2", "99999999999999999999", "9007199254740992"] {
            #expect(head("HTTP/1.1 200 OK", "Content-Length: \(text)").length == nil, "\(text)")
        }
    }
}
