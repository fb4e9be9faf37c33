import Testing
import TributaryJSON
import TributaryTestSupport

/// Paths: parsing, printing, and finding records.
@Suite struct PathTests {
    @Test(
        "A path is parsed and printed in its canonical form",
        arguments: [
            ("[]", "[]"), ("{}", "{}"), (".", "."), ("", "."), (".a.b[]", ".a.b[]"), (".users{}", ".users{}"),
            (".a[].b{}", ".a[].b{}"),
            (".[]", "[]"), (".[\"a.b\"][]", ".[\"a.b\"][]"), (".\"odd key\"", ".[\"odd key\"]"), ("[3]", "[3]"),
            (".a[0].b", ".a[0].b"),
            ("/a/b", "/a/b"), ("/a~1b/m~0n/0", "/a~1b/m~0n/0"), ("/", "/"), (".é", ".[\"é\"]"),
            (".[\"q\\\"\"]", ".[\"q\\\"\"]"),
        ])
    func readsAndPrints(_ text: String, _ printed: String) throws {
        let path = try RecordPath(text)
        #expect(path.description == printed)
        #expect(try RecordPath(printed) == path)
    }

    /// Some of the scalars form one character with the next one.
    @Test("A path with any scalars in its keys prints as text that parses to the same path", arguments: 0..<300)
    func printsWhatItReads(_ number: UInt64) throws {
        var random = SeededGenerator.sampled(300, case: number)
        let signs: [Unicode.Scalar] = [
            "\u{301}", "\u{600}", "\u{200D}", "\"", "\\", "/", "~", ".", "[", "]", "{", "0", "\r", "\n", "e",
        ]
        var key = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 1...6, using: &random) { key.append(random.pick(signs)) }
        var text: [UInt8] = Array("{".utf8)
        text += String(key).jsonText + Array(":[{\"id\":1},{\"id\":2}]}".utf8)
        let reader = RecordReader(from: [MemorySource(text)], options: ReadOptions())
        #expect(try reader.next()?.count == 2, "\(key)")
        for pointer in [false, true] {
            let escaped = String(key).replacingScalars(
                pointer ? ["~": "~0", "/": "~1"] : ["\\": "\\\\", "\"": "\\\""])
            let path = try RecordPath(pointer ? "/\(escaped)" : ".[\"\(escaped)\"][]")
            #expect(try RecordPath(path.description) == path, "\(path)")
            let found = try RecordReader(from: [MemorySource(text)], options: ReadOptions { $0.paths = [path] }).next()
            #expect(found?.count == 2, "\(path)")
        }
    }

    @Test(
        "An error in a path says what was expected",
        arguments: [
            ("a", "expected . or [ or {"), (".a[", "expected ], an index or a key in quotes"), (".a{x}", "expected }"),
            (".a..b", "expected a key"), (".\"a", "expected a closing quote"), ("[1", "expected ]"),
            ("$.a", "expected . or [ or {"),
        ])
    func saysWhatDoesNotFit(_ text: String, _ reason: String) throws {
        let error = try #require(throws: JSONError.self) { try RecordPath(text) }
        #expect(error.code == .shapePath)
        #expect(error.reason.hasSuffix(reason), "\(error)")
    }

    @Test(
        "A path finds its records, however the bytes are split",
        arguments: [
            ("{\"a\":{\"b\":[1,2]}}", ".a.b[]", ["1", "2"]), ("[[1,2],[3]]", "[][]", ["1", "2", "3"]),
            ("[[1,2],[3]]", "[1][]", ["3"]),
            ("[[1,2],[3]]", "[][0]", ["1", "3"]),
            ("{\"rows\":[{\"doc\":1},{\"x\":2},{\"doc\":{\"y\":3}}]}", ".rows[].doc", ["1", "{\"y\":3}"]),
            (
                "{\"a\":{\"u\":{\"n\":1},\"v\":2}}", ".a{}",
                ["{\"_key\":\"u\",\"n\":1}", "{\"_key\":\"v\",\"_value\":2}"]
            ),
            ("{\"x\":{\"a\":{\"n\":1}},\"y\":{\"b\":{}}}", "{}{}", ["{\"_key\":\"a\",\"n\":1}", "{\"_key\":\"b\"}"]),
            ("{\"a\":[1,[2]]}", "/a", ["1", "[2]"]), ("{\"a\":[1,[2]]}", "/a/1", ["2"]),
            ("{\"a\":{\"0\":5}}", "/a/0", ["5"]),
            ("{\"a\":{\"b\":1}}", "/a", ["{\"b\":1}"]), ("{\"a\":[1]}", ".a", ["[1]"]),
            ("{\"a b\":[1]}", ".[\"a b\"][]", ["1"]),
            ("{\"a\":[],\"a\":[7]}", ".a[]", ["7"]), ("{\"\\u0061\":[1]}", ".a[]", ["1"]),
            ("[{\"a\":[1]},{\"a\":[2,3]}]", "[].a[]", ["1", "2", "3"]),
        ])
    func finds(_ text: String, _ path: String, _ records: [String]) throws {
        var options = ReadOptions()
        options.paths = [try RecordPath(path)]
        options.format = .json
        let reading = Reading(text, options)
        #expect(reading.records == records, "\(reading)")
        #expect(reading.failure == nil)
        #expect(Reading(PieceSource(Array(text.utf8), every: 1), options).difference(from: reading) == "")
    }

    @Test("A path is applied to each line of NDJSON")
    func insideOfLines() throws {
        let options = ReadOptions { $0.paths = [".rows[]"] }
        let text = "{\"rows\":[1,2]}\n{\"rows\":[]}\n{\"other\":0}\n{\"rows\":[3]}\n"
        #expect(Reading(text, options).records == ["1", "2", "3"])
    }

    @Test("Several paths are read in one pass, and each record knows its route")
    func severalInOnePass() throws {
        var options = ReadOptions()
        options.paths = [".users[]", ".books{}", ".meta"]
        let text = "{\"users\":[{\"a\":1}],\"meta\":{\"v\":2},\"books\":{\"b1\":{\"t\":\"x\"}},\"users\":[{\"a\":2}]}"
        let reader = RecordReader(from: [MemorySource(text.utf8)], options: options)
        let chunk = try #require(try reader.next())
        #expect(chunk.map(\.route) == [0, 2, 1, 0])
        #expect(chunk.map(\.key) == [nil, nil, "b1", nil])
        #expect(chunk.map { "\($0.path)" }.last == "\([PathStep.key("users"), .index(0)])")
    }

    @Test(
        "Overlapping paths are refused",
        arguments: [("[]", "[]"), (".a[]", ".a"), (".", "[]"), ("{}", ".a"), ("[]", "[0]"), ("/a", ".a[]")])
    func pathsWithinOneAnotherAreRefused(_ one: String, _ two: String) throws {
        let options = try ReadOptions { $0.paths = [try RecordPath(one), try RecordPath(two)] }
        #expect(Reading("[]", options).failure?.code == .shapePath)
    }

    @Test("A path that matches nothing in any source is an error")
    func nothingThereIsAnError() throws {
        var options = ReadOptions()
        options.paths = [".rows[]"]
        #expect(Reading("{\"row\":[1]}", options).failure?.code == .shapeMissing)
        #expect(Reading("{\"rows\":[]}", options).failure == nil)
        options.paths = [.members]
        #expect(Reading("{}", options).failure == nil)
        #expect(Reading("[1]", options).failure?.code == .shapeMissing)
        // One of several files may lack the path.
        options.paths = [".rows[]"]
        let both = Reading([MemorySource("{\"rows\":[1]}".utf8), MemorySource("{\"x\":1}".utf8)], options)
        #expect(both.records == ["1"])
        #expect(both.failure == nil)
    }

    @Test("A keyed record with a member of the name for keys is rejected")
    func theNameOfTheKeyMustBeFree() {
        var options = ReadOptions()
        options.paths = [.members]
        options.onError = .quarantine
        let text = "{\"a\":{\"_key\":1},\"b\":{\"\\u005fkey\":1},\"c\":{\"x\":{\"_key\":2}}}"
        let reading = Reading(text, options)
        #expect(reading.records == ["{\"_key\":\"c\",\"x\":{\"_key\":2}}"])
        #expect(reading.rejects.map(\.error.code) == [.shapeKeyName, .shapeKeyName])
        options.keyName = "id"
        #expect(Reading(text, options).records.count == 3)
    }
}

extension String {
    /// The text as a JSON string.
    fileprivate var jsonText: [UInt8] {
        Array("\"".utf8)
            + utf8.flatMap { byte -> [UInt8] in
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"): [UInt8(ascii: "\\"), byte]
                case 0x0A: Array("\\n".utf8)
                case 0x0D: Array("\\r".utf8)
                default: [byte]
                }
            } + Array("\"".utf8)
    }

    fileprivate func replacingScalars(_ others: [Unicode.Scalar: String]) -> String {
        var text = UnicodeScalarView()
        for scalar in unicodeScalars { text += (others[scalar] ?? String(scalar)).unicodeScalars }
        return String(text)
    }
}
