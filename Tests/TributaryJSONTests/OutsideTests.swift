import Foundation
import Testing
import TributaryJSON
import TributaryTestSupport

/// What the sources contain besides their records is counted, however they are read.
@Suite struct OutsideTests {
    /// A text with records at `.pages[].items[]`, and the number of values and contents at each other path.
    private struct Drawn {
        var text = ""
        /// By path and kind: values, contents, and objects among them.
        var expected: [String: [Int]] = [:]

        mutating func expect(_ path: String, _ kind: String, _ contents: Int = 0, _ objects: Int = 0) {
            let earlier = expected["\(path) \(kind)"] ?? [0, 0, 0]
            expected["\(path) \(kind)"] = [earlier[0] + 1, earlier[1] + contents, earlier[2] + objects]
        }

        /// A member with any value at a path outside of the records.
        mutating func member(_ name: String, in path: String, _ lots: inout SeededGenerator) -> String {
            let place = "\(path).\(name)"
            let nested = #"{"items":[{"pages":1}],"x":null}"#
            switch lots.below(4) {
            case 0:
                expect(place, "scalar")
                return "\"\(name)\": \(lots.pick(["1", "null", "\"text\"", "true"]))"
            case 1:
                let elements = (0..<lots.below(5)).map { _ in lots.pick(["7", "[1,[2]]", nested, "{}"]) }
                expect(place, "array", elements.count, elements.count { $0.hasPrefix("{") })
                return "\"\(name)\":[\(elements.joined(separator: " , "))]"
            default:
                let members = (0..<lots.below(4)).map { _ in lots.pick(["7", "[{}]", nested]) }
                expect(place, "object", members.count, members.count { $0.hasPrefix("{") })
                return
                    "\"\(name)\":{\(members.enumerated().map { "\"k\($0)\":\($1)" }.joined(separator: ","))}"
            }
        }

        init(_ lots: inout SeededGenerator) {
            func shuffled(_ members: [String]) -> String {
                "{\(members.shuffled(using: &lots).joined(separator: ", "))}"
            }
            let pages = (0..<1 + lots.below(6)).map { _ -> String in
                var members = (0..<lots.below(3)).map { member("side\($0)", in: ".pages[]", &lots) }
                let items = (0..<lots.below(6)).map { "{\"id\":\($0),\"pages\":[{\"a\":{}}]}" }
                members.append("\"items\":[\(items.joined(separator: ",\n"))]")
                return shuffled(members)
            }
            var members = (0..<lots.below(5)).map { member("top\($0)", in: "", &lots) }
            members.append("\"pages\":[\(pages.joined(separator: ","))]")
            text = shuffled(members)
        }
    }

    private static func counts(_ report: OutsideReport) -> [String: [Int]] {
        report.values.reduce(into: [:]) {
            $0["\($1.path) \($1.kind.rawValue)"] = [$1.count, $1.contents, $1.objects]
        }
    }

    @Test("All values outside of the records are counted once, also if reading resumes after any chunk")
    func anyText() throws {
        var lots = SeededGenerator.sampled(6_100)
        for number in 0..<150 {
            let label: Comment = "text \(number), seed \(lots.seed)"
            let drawn = Drawn(&lots)
            var options = ReadOptions()
            options.paths = [".pages[].items[]"]
            options.chunkRecords = 1 + lots.below(4)
            options.bufferBytes = 1 + lots.below(60)
            let source = PieceSource(Array(drawn.text.utf8), every: 1 + lots.below(90))
            let reader = RecordReader(from: [source], options: options)
            var checkpoints: [Checkpoint] = []
            while let chunk = try reader.next() { checkpoints.append(chunk.checkpoint) }
            #expect(Self.counts(reader.report.outside) == drawn.expected, label)
            for checkpoint in checkpoints {
                let stored = try JSONDecoder().decode(Checkpoint.self, from: try JSONEncoder().encode(checkpoint))
                let rest = RecordReader(from: [source], options: options, resumingAt: stored)
                while try rest.next() != nil {}
                #expect(Self.counts(rest.report.outside) == drawn.expected, label)
            }
        }
    }

    @Test("The values of several sources are added, and beyond a hundred paths only their number is kept")
    func manyPaths() throws {
        let members = (0..<150).map { "\"m\($0)\":1" }.joined(separator: ",")
        let options = ReadOptions { $0.paths = [".r[]"] }
        let text = Array("{\(members),\"r\":[{}]}".utf8)
        let reader = RecordReader(
            from: [PieceSource(text, every: 50), PieceSource(text, every: 99)], options: options)
        while try reader.next() != nil {}
        let outside = reader.report.outside
        #expect(outside.values.count == 100 && outside.values.allSatisfy { $0.count == 2 })
        #expect(outside.others == 100)
    }

    @Test("Nothing is outside of records that are whole values, lines or elements")
    func nothing() throws {
        for text in ["[{\"a\":[1]},{}]", "{\"a\":[1]}\n{\"b\":2}\n", "{\"a\":{\"b\":[{}]}}"] {
            let reader = RecordReader(from: [PieceSource(Array(text.utf8), every: 3)])
            while try reader.next() != nil {}
            #expect(reader.report.outside.isEmpty, "\(text)")
        }
    }
}
