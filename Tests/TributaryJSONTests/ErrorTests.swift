import Testing
import TributaryJSON
import TributaryTestSupport

/// Messages: what happened, where, and a remedy, safe to print.
@Suite struct ErrorTests {
    private func message(_ text: String, name: String = "f.json", _ change: (inout ReadOptions) -> Void = { _ in })
        -> String
    {
        var options = ReadOptions()
        change(&options)
        return Reading([MemorySource(text.utf8, name: name)], options).failure?.description ?? "none"
    }

    @Test("An error is one line with position, reason, path, excerpt and hint")
    func oneLineWithEverything() {
        #expect(
            message("[{\"id\":1},\n{\"id\":2,\"tags\":[\"a\",x]}]")
                == "f.json:2:21: found x, expected a value; byte 31, record 2, at $[1].tags[1], near [{\"id\":1},\\n{\"id\":2,\"tags\":[\"a\",x"
        )
        #expect(
            message("{\"a\":1}{\"a\":2}")
                == "f.json:1:8: found two values with no blank between them; byte 7, record 2, at $, near {\"a\":1}{; if that is intended, read it with the format concat"
        )
        #expect(
            message("[1,2") == "f.json:1:5: found the end of the text, expected a comma or ]; byte 4, at $, near [1,2")
        #expect(
            message("[\"\(String(repeating: "x", count: 30))\"]") { $0.limits.string = 20 }
                == "f.json:1:2: found a string of more than 20 bytes; byte 1, record 1, at $[0], near [\"; raise the string limit to permit it"
        )
    }

    @Test(
        "The path of an error leads to the invalid value",
        arguments: [
            ("[{\"a\":{\"b c\":[1,2,{\"d\":x}]}}]", "$[0].a[\"b c\"][2].d"), ("{\"k\":[1,2,,3]}", "$.k[2]"),
            ("[[1],[2,[}]]]", "$[1][1][0]"), ("{\"a\":1 \"b\":2}", "$"),
            ("{\"a\":{\"b\" 1}}", "$.a.b"), ("{\"\\u0041\":x}", "$.A"), ("[1,2,3", "$"), ("{\"a\":{", "$.a"),
        ])
    func pathsOfErrors(_ text: String, _ path: String) {
        for paths in [nil, []] as [[RecordPath]?] {
            var options = ReadOptions()
            options.format = .json
            options.paths = paths
            let failure = Reading(text, options).failure
            #expect(failure?.path == path, "\(failure as Any)")
        }
    }

    @Test("Terminal control characters are escaped in an error")
    func whatATerminalActsUponIsEscaped() {
        let text = message("[{\"\\u001b[31m\\u202e\\u0007é😀\":x}]", name: "\u{1B}]0;evil\u{7}.json")
        #expect(
            !text.unicodeScalars.contains("\u{1B}") && !text.unicodeScalars.contains("\u{202E}")
                && !text.unicodeScalars.contains("\u{7}"))
        #expect(text.contains("é😀"))
        let bytes = Reading(MemorySource(Array("[\"".utf8) + [0xFF, 0x1B] + Array("\"]".utf8))).failure
        #expect(bytes?.reason == "found the byte \\xFF, expected UTF-8")
        #expect(bytes?.excerpt == "[\"\\xFF")
    }

    @Test("An invalid character of several bytes is named as a whole")
    func smartQuotesAreNamed() {
        #expect(message("[“a”]").hasPrefix("f.json:1:2: found “, expected a value or ]"))
        #expect(Reading(PieceSource(Array("[“a”]".utf8), every: 1)).failure?.reason == "found “, expected a value or ]")
    }

    @Test("A reject is one line of JSON, with base64 for invalid UTF-8")
    func rejectsAsLines() throws {
        let options = ReadOptions { $0.onError = .quarantine }
        let bytes = Array("[{\"a\":1},{\"a\":\"".utf8) + [0xFF] + Array("\"},{\"a\":\"\n\"},{\"a\":4}]".utf8)
        let reading = Reading([MemorySource(bytes, name: "x.json")], options)
        #expect(reading.records == ["{\"a\":1}", "{\"a\":4}"])
        let lines = reading.rejects.map(\.jsonLine)
        #expect(
            lines == [
                #"{"file":"x.json","byte":15,"line":1,"column":16,"record":2,"path":"$[1].a","code":"text.utf8","reason":"found the byte \\xFF, expected UTF-8","start":9,"length":9,"rawBase64":"eyJhIjoi/yJ9"}"#
                    + "\n",
                #"{"file":"x.json","byte":25,"line":1,"column":26,"record":3,"path":"$[2].a","code":"text.control","reason":"found the control character \\n in a string, expected it escaped","start":19,"length":9,"raw":"{\"a\":\"\n\"}"}"#
                    + "\n",
            ])
        for line in lines { #expect(Reading(line).failure == nil) }
    }

    @Test("An error code has a stable name")
    func codesAreStable() {
        #expect(JSONError.Code.syntaxUnexpected.rawValue == "syntax.unexpected")
        #expect("\(JSONError.Code.limitRecord)" == "limit.record")
        #expect(JSONError(.sourceRead, "x", hint: "y").description == "x; y")
    }
}
