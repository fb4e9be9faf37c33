import Foundation
import Testing
import TributaryJSON
import TributaryTestSupport

/// The places of records in sources of any shape.
@Suite struct RecordPlacesTests {
    /// A value of a random text, in which some arrays and objects hold records.
    private indirect enum Value {
        case scalar
        case array(objects: Int, others: Int)
        case object([(key: String, value: Value)])

        /// The text; members have keys of the same name as their first key where records are alike.
        var text: String {
            switch self {
            case .scalar: "1"
            case .array(let objects, let others):
                "["
                    + (Array(repeating: "1", count: others)
                    + Array(repeating: #"{"id":1,"in":{"rows":[{"no":1}]}}"#, count: objects))
                    .joined(separator: ",") + "]"
            case .object(let members):
                "{" + members.map { "\(key($0.key)):\($0.value.text)" }.joined(separator: ", ") + "}"
            }
        }

        private func key(_ name: String) -> String {
            let text = try? JSONEncoder().encode(name)
            return String(decoding: text ?? Data(), as: UTF8.self)
        }

        /// The paths of records at `path` and inside.
        func places(_ path: String) -> [String] {
            switch self {
            case .scalar: return []
            case .array(let objects, let others): return objects > others ? [path + "[]"] : []
            case .object(let members):
                let firsts = members.map { member -> String? in
                    if case .object(let inner) = member.value { inner.first?.key } else { nil }
                }
                if members.count > 1, let first = firsts[0], firsts.allSatisfy({ $0 == first }) { return [path + "{}"] }
                return members.flatMap { $0.value.places(path + Value.step($0.key)) }
            }
        }

        private static func step(_ key: String) -> String {
            let isPlain = key.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
            return isPlain ? ".\(key)" : ".[\"\(key.replacing("\"", with: "\\\""))\"]"
        }
    }

    private func value(_ lots: inout SeededGenerator, _ depth: Int) -> Value {
        switch lots.below(depth > 0 ? 9 : 3) {
        case 0: return .scalar
        case 1: return .array(objects: lots.below(4), others: 0)
        case 2: return .array(objects: 0, others: lots.below(3))
        case 3:
            // An object of records.
            return .object(
                (0..<2 + lots.below(300)).map { ("k\($0)", .object([("id", .scalar), ("in", value(&lots, 0))])) })
        default:
            let names = ["a", "b", "c", "rows", "a b", "q\"x", "é", "[]", "deep", "meta"]
            let members = Set((0..<lots.below(6)).map { _ in lots.pick(names) }).sorted()
            return .object(members.map { ($0, value(&lots, depth - 1)) })
        }
    }

    @Test("All places of records are found in one pass, whatever the shape", arguments: 0..<60)
    func onePass(_ number: Int) throws {
        var lots = SeededGenerator.sampled(5_500, case: UInt64(number))
        // The number keeps the text itself from being an object of records.
        let member = value(&lots, 6)
        let root = Value.object([
            ("version", .scalar), ("m", member), ("z", .object([("rows", .array(objects: 1, others: 0))])),
        ])
        let sources = [PieceSource(Array(root.text.utf8), every: lots.pick([1, 7, 100_000]))]
        var passes = 0
        let found = try RecordPlaces.find(in: sources, ReadOptions()) { _ in passes += 1 }
        #expect(
            found.map(\.description).sorted() == root.places("").sorted(),
            "case \(number), seed \(lots.seed): \(root.text.prefix(2000))")
        #expect(passes == 1)
    }

    @Test("Places after damage are found, and an object of very many records is one place")
    func damageAndSize() throws {
        let options = ReadOptions { $0.onError = .quarantine }
        let users = (0..<50_000).map { "\"u\($0)\":{\"id\":\($0),\"orders\":[{\"no\":1}],\"at\":{\"x\":{\"y\":1}}}" }
        let text = """
            {"version":1,"data":{"list":{"rows":[{"v":1},{"v":},{"v":3}]},"more":[{"v":1}]},
            "users":{\(users.joined(separator: ","))},"last":{"rows":[{"v":1}]}}
            """
        let found = try RecordPlaces.find(in: [MemorySource(text.utf8)], options)
        #expect(found.map(\.description) == [".data.list.rows[]", ".data.more[]", ".users{}", ".last.rows[]"])
    }
}
