import Foundation
import Testing
import TributaryJSON
import TributaryHTTP
import TributaryTestSupport

/// A source on a server that breaks, changes and lies.
@Suite struct URLSourceTests {
    private static let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }

    @Test("Random breaks at random places give the bytes of the file", arguments: 0..<60)
    func breaks(_ number: UInt64) throws {
        var random = SeededGenerator.sampled(17_100, case: number)
        let bytes = Array(Self.bytes.prefix(Int.random(in: 0...300_000, using: &random)))
        let cuts = (0..<Int.random(in: 1...8, using: &random)).map { _ in
            // Near the ends of the file, too.
            Bool.random(using: &random)
                ? Int.random(in: 0...60_000, using: &random) : Int.random(in: 0...3, using: &random)
        }
        let piece = Int.random(in: 1...70_000, using: &random)
        let (isReset, ignoresRanges) = (Bool.random(using: &random), Int.random(in: 0..<4, using: &random) == 0)
        let steps = (cuts + [.max]).map { cut -> WebScript.Step in
            { request in
                var answer = LoopbackAnswer.part(bytes, of: request)
                if ignoresRanges { answer = LoopbackAnswer("200 OK", ["ETag": "\"1\""], body: bytes) }
                answer.piece = piece
                return answer.cut(after: cut, isReset ? .reset : .closed)
            }
        }
        let file = try WebFile("/a", steps) { $0.bufferBytes = Int.random(in: 1...100_000, using: &random) }
        let read = try file.read()
        #expect(read == bytes, "seed \(random.seed), \(bytes.count) bytes, cuts \(cuts), \(read.count) read")
        let starts = file.server.requests.map { $0.start ?? 0 }
        #expect(starts == starts.sorted(), "seed \(random.seed)")
        #expect(file.server.requests.allSatisfy { ($0.start == nil) == ($0.headers["if-range"] == nil) })
    }

    @Test("A source is opened once for its length, its version and its bytes; the next time it must be the same")
    func oneRequest() throws {
        let file = try WebFile({ .part(Self.bytes, of: $0) }, { .part(Self.bytes, tag: "\"2\"", of: $0) })
        #expect(file.source.byteCount == 300_000)
        #expect(try file.source.version() == "\"1\"" && file.source.canBeReadTwice)
        #expect(try file.read() == Self.bytes)
        #expect(file.server.requests.count == 1)
        #expect(file.failure().contains("the source has changed while it was read: it was \"1\", and is \"2\""))
    }

    @Test("A stream moves to an offset by a request for the rest")
    func seeking() throws {
        let file = try WebFile({ .part(Self.bytes, of: $0) })
        let stream = try file.source.open()
        #expect(try stream.seek(to: 299_990))
        var buffer = [UInt8](repeating: 0, count: 20)
        #expect(try buffer.withUnsafeMutableBytes { try stream.read(into: $0) } == 10)
        #expect(buffer.prefix(10).elementsEqual(Self.bytes.suffix(10)))
        #expect(try stream.seek(to: 300_000))
        #expect(try buffer.withUnsafeMutableBytes { try stream.read(into: $0) } == 0)
        #expect(try !stream.seek(to: 300_001))
        #expect(file.server.requests.map(\.start) == [nil, 299_990])
    }

    @Test("A connection without bytes counts as broken")
    func stall() throws {
        let file = try WebFile(
            "/a", [{ .part(Self.bytes, of: $0).cut(after: 1000, .stalled) }, { .part(Self.bytes, of: $0) }]
        ) { $0.idleTimeout = 0.5 }
        #expect(try file.read() == Self.bytes)
        #expect(file.server.requests.count == 2)
    }

    @Test("A source that changes while it is read is an error, and nothing of the new one is read")
    func changes() throws {
        let other = [UInt8](repeating: 0, count: 300_000)
        let answers: [WebScript.Step] = [
            { .part(other, tag: "\"2\"", of: $0) },
            { _ in LoopbackAnswer("200 OK", body: other) },
            { _ in LoopbackAnswer("200 OK", ["ETag": "\"1\""], body: other + [0]) },
            { _ in LoopbackAnswer("206 Partial", ["Content-Range": "bytes 1000-300000/300001"], body: other[999...]) },
            {
                LoopbackAnswer(
                    "206 Partial", ["Content-Range": "bytes \($0.start ?? 0)-299999/300000", "ETag": "\"2\""],
                    body: other[($0.start ?? 0)...])
            },
            { _ in LoopbackAnswer("416 Range Not Satisfiable", ["Content-Range": "bytes */10"]) },
        ]
        for (number, answer) in answers.enumerated() {
            let file = try WebFile({ .part(Self.bytes, of: $0).cut(after: 1000) }, answer)
            let stream = try file.source.open()
            var buffer = [UInt8](repeating: 0, count: 400_000)
            let count = try buffer.withUnsafeMutableBytes { try stream.read(into: $0) }
            #expect(count == 1000 && buffer.prefix(1000).elementsEqual(Self.bytes.prefix(1000)))
            let error = #expect(throws: JSONError.self) {
                try buffer.withUnsafeMutableBytes { _ = try stream.read(into: $0) }
            }
            #expect(error?.code == .sourceChanged, "\(number): \(error.map { "\($0)" } ?? "")")
            #expect(error?.description.contains("the source has changed while it was read") ?? false)
        }
    }

    @Test("A server that sends another range than the one asked for is an error")
    func wrongRanges() throws {
        for range in ["bytes 999-299999/300000", "bytes 1001-299999/300000", "bytes 1000-299998/300000", "none", ""] {
            let file = try WebFile(
                { .part(Self.bytes, of: $0).cut(after: 1000) },
                { request in
                    LoopbackAnswer(
                        "206 Partial", ["ETag": "\"1\"", "Content-Range": range], body: Self.bytes[1000...])
                })
            #expect(file.failure().contains("the server sends other bytes than those from 1000 on"), "\(range)")
        }
        let early = try WebFile({ _ in
            LoopbackAnswer("206 Partial", ["Content-Range": "bytes 0-9/10"], body: Self.bytes.prefix(10))
        })
        #expect(early.failure().contains("the server sends other bytes"))
    }

    @Test("A server that answers a range in parts is asked for the rest")
    func parts() throws {
        let file = try WebFile(
            { .part(Self.bytes, of: $0).cut(after: 1000) },
            { request in
                let start = request.start ?? 0
                let end = min(start + 100_000, 300_000)
                return LoopbackAnswer(
                    "206 Partial", ["ETag": "\"1\"", "Content-Range": "bytes \(start)-\(end - 1)/300000"],
                    body: Self.bytes[start..<end])
            })
        #expect(try file.read() == Self.bytes)
        #expect(file.server.requests.compactMap(\.start) == [1000, 101_000, 201_000])
    }

    @Test("Without a version a break is an error, unless nothing was read; the length that is told is the end")
    func noVersion() throws {
        let file = try WebFile({ _ in LoopbackAnswer(body: Self.bytes).cut(after: 5000) })
        #expect(file.failure().contains("tells neither an ETag nor a date"))
        #expect(try file.source.version() == nil && !file.source.canBeReadTwice)
        let empty = try WebFile(
            { _ in LoopbackAnswer(body: Self.bytes).cut(after: 0) }, { _ in LoopbackAnswer(body: Self.bytes) })
        #expect(try empty.read() == Self.bytes)
        let more = try WebFile({ _ in LoopbackAnswer("200 OK", ["Content-Length": "10"], body: Self.bytes) })
        #expect(try more.read() == Array(Self.bytes.prefix(10)))
        let endless = try WebFile({ _ in LoopbackAnswer(body: Self.bytes, tellsLength: false) })
        #expect(try endless.read() == Self.bytes && endless.source.byteCount == nil)
    }

    @Test("Answers that ask for patience are repeated, and others are errors whose body is not read")
    func statuses() throws {
        let body = #"[{"secret": 1}]"#.utf8
        for status in ["500 Oops", "503 Busy", "429 Slow down", "408 Timeout"] {
            let file = try WebFile(
                { _ in LoopbackAnswer(status, ["Retry-After": "0"], body: body) },
                { _ in LoopbackAnswer(status, body: body) }, { .part(Self.bytes, of: $0) })
            #expect(try file.read() == Self.bytes && file.server.requests.count == 3)
        }
        let expected = [
            "404 Not Found": "answered 404; check the address", "401 No": "write it into ~/.netrc",
            "403 No": "TRIBUTARY_HTTP_AUTHORIZATION", "204 No Content": "answered 204",
            "304 Not Modified": "answered 304",
            "302 Found": "answered 302", "407 Proxy": "the proxy needs a password",
        ]
        for (status, text) in expected {
            let file = try WebFile({ _ in LoopbackAnswer(status, body: status.hasPrefix("204") ? [] : Array(body)) })
            #expect(file.failure().contains(text), "\(file.failure())")
            #expect(file.server.requests.count == 1)
        }
        let always = try WebFile("/a", [{ _ in LoopbackAnswer("502 Bad Gateway") }]) { $0.maxAttempts = 4 }
        #expect(always.failure().contains("4 connections in a row broke: the server answered 502; try again later"))
        #expect(always.server.requests.count == 4)
        let patient = try WebFile({ _ in LoopbackAnswer("503 Busy", ["Retry-After": "86400"]) })
        #expect(patient.failure().contains("asks to wait 86400 seconds") && patient.server.requests.count == 1)
    }

    @Test("Redirects are followed ten times, and only to http and https")
    func redirects() throws {
        func file(_ count: Int) throws -> WebFile {
            try WebFile(
                "/0",
                [
                    { request in
                        let step = Int(request.path.dropFirst()) ?? 0
                        return step == count ? .part(Self.bytes, of: request) : .redirection("/\(step + 1)")
                    }
                ])
        }
        #expect(try file(10).read() == Self.bytes)
        #expect(try file(11).failure().contains("redirects more than 10 times"))
        for target in ["file:///etc/hostname", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "dict://127.0.0.1/"] {
            let failure = try WebFile({ _ in .redirection(target) }).failure()
            #expect(failure.contains("redirects to an address without http or https"), "\(failure)")
        }
    }

    @Test("A password is sent to the server of the address, and to no other one")
    func passwords() throws {
        let other = try LoopbackServer { .part(Self.bytes, of: $0) }
        let server = try LoopbackServer { request in
            request.path == "/here" ? .redirection("/there") : .redirection(other.address("/a", host: "localhost"))
        }
        var settings = URLSource.Settings()
        settings.authorization = "Bearer secret"
        let header = try URLSource(server.address("/here"), settings: settings)
        #expect(try header.bytes(upTo: 1 << 20) == Self.bytes)
        let address = server.address("/here").replacing("http://", with: "http://me:secret@")
        let user = try URLSource(address)
        #expect(try user.bytes(upTo: 1 << 20) == Self.bytes)
        #expect(
            server.requests.map { $0.headers["authorization"] }
                == ["Bearer secret", "Bearer secret", "Basic bWU6c2VjcmV0", "Basic bWU6c2VjcmV0"])
        #expect(other.requests.map { $0.headers["authorization"] } == [nil, nil])
        #expect(!user.name.contains("secret") && !user.name.contains("me:"))
    }

    @Test("Compressed files come as they are, whether the server tells it or not")
    func compressed() throws {
        let text = Array(#"[{"id": 1}, {"id": 2}]"#.utf8)
        let packed = Compressor.gzip.compress(text)
        for headers in [[:], ["Content-Encoding": "gzip"]] {
            let file = try WebFile({ _ in LoopbackAnswer("200 OK", headers, body: packed) })
            #expect(Reading(file.source).records.count == 2)
            #expect(file.server.requests[0].headers["accept-encoding"] == "identity")
        }
        let other = try WebFile({ _ in LoopbackAnswer("200 OK", ["Content-Encoding": "br"], body: packed) })
        #expect(other.failure().contains("with the encoding br, which was not asked for"))
    }

    @Test("A server that cannot be reached is an error at once")
    func unreachable() throws {
        let dead = try URLSource(try LoopbackServer.deadAddress())
        #expect(throws: JSONError.self) { try dead.open() }
        let nameless = try URLSource("http://nothing.invalid/a.json")
        let error = #expect(throws: JSONError.self) { try nameless.open() }
        #expect(error?.code == .sourceOpen && error?.hint == "check the address and the network", "\(error as Any)")
    }

    @Test("A head without an end is an error")
    func endlessHead() throws {
        let headers = Dictionary(
            uniqueKeysWithValues: (0..<400).map { ("X-\($0)", String(repeating: "x", count: 1000)) })
        let failure = try WebFile({ _ in LoopbackAnswer("200 OK", headers, body: Self.bytes) }).failure()
        #expect(failure.contains("the head of the answer has more than") || failure.contains("header"), "\(failure)")
    }

    @Test("Cancelling ends a waiting read and a waiting connection")
    func cancelling() throws {
        let file = try WebFile({ .part(Self.bytes, of: $0).cut(after: 0, .stalled) })
        let stream = try file.source.open()
        stream.cancel()
        var buffer = [UInt8](repeating: 0, count: 10)
        #expect(try buffer.withUnsafeMutableBytes { try stream.read(into: $0) } == 0)
        let stopped = try WebFile("/a", [{ _ in LoopbackAnswer("503 Busy", ["Retry-After": "200"]) }]) {
            $0.isStopped = { true }
        }
        #expect(throws: CancellationError.self) { try stopped.source.open() }
    }

    @Test("One file imports libcurl, and only with the trait")
    func oneImport() throws {
        let folder = Tool.package.appending(path: "Sources/TributaryHTTP")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        let texts = try files.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
        let importing = zip(files, texts).filter { $0.1.contains("import CTributaryCurl") }
        #expect(importing.map(\.0) == ["CurlTransfer.swift"])
        #expect(importing.allSatisfy { $0.1.contains("#if HTTP\n    import CTributaryCurl") })
    }

    @Test("More bytes than a limit are an error")
    func limit() throws {
        let file = try WebFile({ .part(Self.bytes, of: $0) })
        #expect(throws: JSONError.self) { try file.source.bytes(upTo: 299_999) }
        #expect(try file.source.bytes(upTo: 300_000) == Self.bytes)
    }
}
