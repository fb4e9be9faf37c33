import Testing
import TributaryJSON
import TributaryTestSupport

/// Duplicate keys within one object.
@Suite struct DuplicateKeyTests {
    @Test(
        "Duplicate keys are counted within each object of a record",
        arguments: [
            ("{\"a\":1,\"a\":2}", 1), ("{\"a\":1,\"b\":{\"a\":2},\"c\":[{\"a\":1},{\"a\":2}]}", 0),
            ("{\"a\":1,\"\\u0061\":2}", 1), ("{\"a\":1,\"a\":2,\"a\":3}", 2),
            ("{\"x\":{\"k\":1,\"k\":2,\"l\":{\"m\":1,\"m\":1}}}", 2),
            ("{\"\":1,\"\":2}", 1), ("{\"a\":[1,2],\"a\":{}}", 1),
            ("{}", 0), ("{\"é\":1,\"e\u{301}\":2}", 0),
            ("{\"aaaaaaaaaaaaaaaab\":1,\"aaaaaaaaaaaaaaaac\":2}", 0),
            ("{\"aaaaaaaaaaaaaaaab\":1,\"aaaaaaaaaaaaaaaab\":2}", 1),
        ])
    func counted(_ text: String, _ count: Int) throws {
        let chunk = try records("[" + text + ",{\"a\":1}]")
        #expect(chunk[0].duplicateKeys == count)
        #expect(chunk[1].duplicateKeys == 0)
        #expect(chunk.duplicateKeys == count)
    }

    @Test("The count of duplicate keys agrees with a set of the keys")
    func agreesWithASet() throws {
        var random = SeededGenerator.fresh()
        for _ in 0..<500 {
            let keys = (0..<random.below(60)).map { _ in
                String(repeating: random.pick(["k", "x"]), count: random.below(20)) + "\(random.below(30))"
            }
            let text = "{" + keys.map { "\"\($0)\":[\($0.count)]" }.joined(separator: ",") + "}"
            let record = try record(text)
            #expect(record.duplicateKeys == keys.count - Set(keys).count, "seed \(random.seed)")
            for key in Set(keys) {
                #expect(record[key].rawText == "[\(key.count)]")
            }
        }
    }

    @Test("90,000 keys with the same first and last bytes are distinguished")
    func manyKeysTakeTimeInProportion() throws {
        // Keys with the same first and last bytes must not collide in the table.
        let keys = (0..<90_000).map { "aaaaaaaa\($0 + 100_000)bbbbbbbb" }
        let text = "{" + keys.map { "\"\($0)\":1" }.joined(separator: ",") + "}"
        #expect(try record(text).duplicateKeys == 0)
        let again = "{" + (keys + keys.prefix(5_000)).map { "\"\($0)\":1" }.joined(separator: ",") + "}"
        #expect(try record(again).duplicateKeys == 5_000)
    }

    @Test("The report of a reader has the number of duplicate keys")
    func reported() throws {
        let reader = RecordReader(from: [MemorySource("[{\"a\":1,\"a\":2},{\"b\":1,\"b\":2}]".utf8)])
        while try reader.next() != nil {}
        #expect(reader.report.duplicateKeys == 2)
    }
}
