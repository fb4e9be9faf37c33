import Foundation
import Testing
import TributaryJSON
import TributaryTestSupport

/// Layouts of sources, inferred and given.
@Suite struct ShapeTests {
    private func read(_ text: String, _ format: RecordFormat) -> Reading {
        Reading(text, ReadOptions { $0.format = format })
    }

    @Test(
        "The layout of a text is inferred, however its bytes arrive",
        arguments: [
            ("[1,2]", "an array of records"), ("[]", "an array of records"), (" [ {\"a\":1} ] ", "an array of records"),
            ("{\"a\":1}\n{\"a\":2}\n", "NDJSON, a record a line"),
            ("{\"a\":1}\r\n\r\n{\"a\":2}", "NDJSON, a record a line"),
            ("[1]\n[2]\n", "NDJSON, a record a line"), ("1\n2\n", "NDJSON, a record a line"),
            ("{\n\"a\":1}\n{\n\"a\":2}", "concatenated records"), ("{\"a\":1} {\"a\":2}", "concatenated records"),
            ("{\"a\":1}", "a single record"), ("{\"a\":{\"x\":1},\"b\":2}", "a single record"),
            ("17", "a single record"),
            ("{\"m\":1,\"rows\":[{\"a\":1},{\"a\":2}]}", "records at .rows[]"),
            ("{\"m\":{\"n\":1},\"d\":{\"docs\":[{\"a\":1},{\"a\":2},{\"a\":3}],\"k\":1}}", "records at .d.docs[]"),
            ("{\"u1\":{\"a\":1,\"b\":2},\"u2\":{\"a\":2}}", "an object of records"),
            ("{\"x\":{\"a\":1},\"y\":{\"b\":2}}", "a single record"), ("", "NDJSON, a record a line"),
            ("{\"id\":1,\"long\":\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\",\"t\":[{\"k\":1}]}", "a single record"),
        ])
    func detected(_ text: String, _ shape: String) {
        let reading = Reading(text)
        #expect(reading.shapes == [shape])
        #expect(reading.failure == nil)
        // The result is the same if the bytes arrive one by one.
        #expect(Reading(PieceSource(Array(text.utf8), every: 1)).difference(from: reading) == "")
    }

    @Test("Lines deeper than the default limit are recognized with a higher one")
    func deepLines() {
        let options = ReadOptions { $0.limits.depth = 2000 }
        let line = "{\"id\":1,\"a\":" + String(repeating: "[", count: 900) + String(repeating: "]", count: 900) + "}"
        let reading = Reading("\(line)\n\(line)\n", options)
        #expect(reading.shapes == ["NDJSON, a record a line"])
        #expect(reading.records == [line, line])
        let records = "[{\"id\":1},{\"id\":2,\"deep\":\(line)}]"
        #expect(Reading("{\"meta\":\(line),\"rows\":\(records)}", options).shapes == ["records at .rows[]"])
    }

    @Test("The extension of a file decides that a single line is NDJSON")
    func theNameHelpsWhereTheBytesLeaveADoubt() {
        let line = Array("{\"id\":1,\"items\":[{\"k\":1},{\"k\":2},{\"k\":3}]}\n".utf8)
        #expect(Reading(MemorySource(line)).shapes == ["records at .items[]"])
        for name in ["log.ndjson", "log.JSONL", "log.jsonl.gz", "x.ldjson"] {
            #expect(Reading(MemorySource(line, name: name)).records.count == 1)
        }
    }

    @Test("An object with several arrays of records is an error that names them")
    func severalArraysAreAskedAbout() throws {
        let text = "{\"cards\":[{\"a\":1}],\"lists\":[{\"b\":1}]}"
        let failure = try #require(Reading(text).failure)
        #expect(failure.code == .shapeAmbiguous)
        #expect(failure.reason == "memory has several arrays of records: .cards[], .lists[]")
        #expect(failure.hint == "name one of these paths, or . for the whole text as one record")
    }

    @Test("The records of well-known dumps are found, or several arrays are reported", arguments: Dump.Kind.allCases)
    func famousDumpsAreFound(_ kind: Dump.Kind) throws {
        let dump = Dump(kind, count: 40)
        let reading = Reading(MemorySource(dump.bytes))
        if let path = dump.path {
            #expect(reading.shapes.count == 1)
            if path != "." { #expect(reading.shapes.first == "\(try RecordPath(path))" || reading.records.count == 40) }
            #expect(reading.records.count == 40)
            switch kind {
            case .trace: #expect(reading.failure?.code == .syntaxTruncated)
            case .llm: #expect(reading.failure?.code == .syntaxTruncated)
            default: #expect(reading.failure == nil, "\(reading.failure as Any)")
            }
        } else {
            #expect(reading.failure?.code == .shapeAmbiguous || reading.records.count == 1)
        }
    }

    @Test("The fixtures equal the output of the dump generator")
    func fixturesAreWhatTheScriptMakes() throws {
        let folder = Tool.package.appending(path: "Fixtures/dumps")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.count == Dump.Kind.allCases.count)
        for kind in Dump.Kind.allCases {
            let file = try Data(contentsOf: folder.appending(path: "\(kind.rawValue).json"))
            #expect(Array(file) == Dump(kind, count: 8).bytes, "\(kind)")
        }
    }

    @Test("A given format overrides the inferred one")
    func formatsOverride() {
        #expect(read("[1]\n[2]", .ndjson).records == ["[1]", "[2]"])
        #expect(read("[1][2]", .concat).records == ["[1]", "[2]"])
        #expect(read("[1]", .object).records == ["[1]"])
        #expect(read("[1,2]", .array).records == ["1", "2"])
        #expect(read("{\"a\":[{\"b\":1},{\"b\":2}]}", .json).records == ["{\"b\":1}", "{\"b\":2}"])
        #expect(read("[1]\n[2]", .array).failure?.code == .syntaxTrailing)
    }

    @Test("Only the format concat accepts values without blanks between them")
    func glueIsForConcatAlone() {
        #expect(read("{}{}", .auto).failure?.code == .syntaxGlued)
        #expect(read("[][]", .auto).failure?.code == .syntaxTrailing)
        #expect(
            read("{}{}[]\"a\"\"b\"1\"c\"null{}", .concat).records == [
                "{}", "{}", "[]", "\"a\"", "\"b\"", "1", "\"c\"", "null", "{}",
            ])
        for text in ["01", "-01", "1-2", "truefalse", "1true", "nullnull", "1.5.5"] {
            #expect(read(text, .concat).failure != nil, "\(text)")
        }
        #expect(read("1 2\n3", .concat).records == ["1", "2", "3"])
    }
}
