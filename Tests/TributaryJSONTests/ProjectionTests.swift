import Testing
import TributaryJSON
import TributaryTestSupport

/// Several values found in one pass are the same as found one by one.
@Suite struct ProjectionTests {
    @Test("A projection finds the same values as subscripts do")
    func findsWhatLookingUpFinds() throws {
        var generator = JSONGenerator(SeededGenerator.fresh())
        let names = [
            "", "a", "bc", "key", "a.b", "é", "null", "\u{0}", "日本", " ", "{", "abcdefgh", "abcdefghi",
            "keykeykeykeykeykey",
        ]
        for _ in 0..<2000 {
            let paths = (0..<(1 + generator.random.below(6))).map { _ in
                (0..<(1 + generator.random.below(3))).map { _ in generator.random.pick(names) }
            }
            var text = generator.object(depth: 3)
            if generator.random.once(in: 2) {
                let key = generator.random.pick(names.filter { $0 != "\u{0}" })
                text = "{\"\(key)\":\(text),\"key\":{\"a\":\(generator.value(depth: 2))}}"
            }
            let record = try record(text)
            let projection = Projection(paths)
            var values = ProjectedValues()
            projection.project(record, into: &values)
            for (index, path) in paths.enumerated() {
                let expected = path.reduce(record.value) { $0[$1] }
                #expect(
                    values[index].kind == expected.kind && values[index].rawText == expected.rawText,
                    "\(text) \(path), seed \(generator.random.seed)")
            }
        }
    }

    @Test("A projection finds dotted paths, also duplicate and nested ones")
    func pathsWithPoints() throws {
        let projection = Projection(["id", "address.street", "id", "tags", "address"])
        #expect(projection.count == 5)
        var values = ProjectedValues()
        for text in [#"{"id":7,"address":{"street":"Elm","zip":1},"tags":[1]}"#, #"{"address":5}"#] {
            let record = try record(text)
            projection.project(record, into: &values)
            #expect(
                (0..<5).map { values[$0].rawText }
                    == (text.hasPrefix("{\"id")
                        ? ["7", "\"Elm\"", "7", "[1]", "{\"street\":\"Elm\",\"zip\":1}"] : ["", "", "", "", "5"]))
        }
    }
}
