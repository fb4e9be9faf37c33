import Testing
import TributaryJSON
import TributaryTestSupport

/// Records whose keys repeat: what a projection finds, and what it says stands in the way, is what the last ones of each
/// name say alone.
@Suite struct RepeatedKeyProjectionTests {
    private static let names = ["a", "b", "c", "é", "a.b"]
    /// Values that do not count, as others of their name follow.
    private static let earlier = ["1", "null", "\"x\"", "[1]", "{\"b\":3}", "{\"a\":{\"b\":2},\"c\":null}"]
    private static let scalars = ["5", "-0.5", "null", "\"text\"", "true", "[1,{\"a\":2}]", "[]"]

    /// An object written twice: each key once, and some of them more than once.
    private func object(depth: Int, _ lots: inout SeededGenerator) -> (plain: String, repeated: String) {
        var (plain, repeated): ([String], [String]) = ([], [])
        let keys = Self.names.filter { _ in lots.once(in: 2) }.shuffled(using: &lots)
        for key in keys where lots.once(in: 3) { repeated.append("\"\(key)\":\(lots.pick(Self.earlier))") }
        if lots.once(in: 3) { repeated += ["\"other\":1", "\"other\":{\"a\":2}"] }
        for key in keys {
            let scalar = lots.pick(Self.scalars)
            var value = (plain: scalar, repeated: scalar)
            if depth > 0, lots.once(in: 2) { value = object(depth: depth - 1, &lots) }
            plain.append("\"\(key)\":\(value.plain)")
            repeated.append("\"\(key)\":\(value.repeated)")
        }
        return ("{" + plain.joined(separator: ",") + "}", "{" + repeated.joined(separator: ",") + "}")
    }

    /// For each value what it is, or why there is none.
    private func values(_ projection: Projection, _ record: Record) -> [String] {
        var found = ProjectedValues()
        projection.project(record, into: &found)
        return (0..<projection.count).map { index in
            record.clearFailure()
            let value: JSON = found[index]
            // Objects may be written differently.
            let text = value.kind == .object || value.isMissing ? "" : value.rawText
            let failure = record.failure.map { "\($0.code) \($0.path ?? "") \($0.reason)" } ?? ""
            return "\(value.kind) \(text) \(failure)"
        }
    }

    @Test func theLastOnesCount() throws {
        var lots = SeededGenerator.sampled(6_100)
        var obstacles = 0
        for round in 0..<1000 {
            let (plain, repeated) = object(depth: 3, &lots)
            let paths = (0..<1 + lots.below(6)).map { _ in (0..<1 + lots.below(4)).map { _ in lots.pick(Self.names) } }
            let projection = Projection(paths)
            let single = try record(plain)
            #expect(single.duplicateKeys == 0)
            let expected = values(projection, single)
            obstacles += expected.count { $0.contains("an object") }
            let found = values(projection, try record(repeated))
            #expect(found == expected, "seed \(lots.seed), round \(round): \(paths) of \(repeated)")
        }
        #expect(obstacles > 100)
    }

    /// Records in which something stands in the way to `a.b`, and others where nothing does.
    private static let obstructed = [
        "{\"a\":5}", "{\"x\":1,\"x\":2,\"a\":5}", "{\"a\":5,\"x\":1,\"x\":2}", "{\"a\":{\"b\":1},\"a\":5}",
        "{\"a\":{\"b\":1,\"b\":2},\"a\":5}", "{\"x\":{\"y\":1,\"y\":1},\"a\":5}",
    ]
    private static let free = [
        "{\"x\":1,\"x\":2}", "{\"x\":1,\"x\":2,\"a\":null}", "{\"a\":5,\"a\":null}", "{\"a\":5,\"a\":{}}",
        "{\"a\":{\"b\":1},\"a\":{\"b\":null}}",
    ]

    @Test func whatStandsInTheWayIsNamed() throws {
        for text in Self.obstructed + Self.free {
            let record = try record(text)
            var found = ProjectedValues()
            Projection(["a.b"]).project(record, into: &found)
            let value: Int? = found[0]
            #expect(value == nil, "\(text)")
            let isFree = Self.free.contains(text)
            #expect(record.failure?.code == (isFree ? nil : .convertType), "\(text)")
            #expect(record.failure?.path == (isFree ? nil : "$[0].a"), "\(text)")
            #expect(record.failure?.reason == (isFree ? nil : "found 5, expected an object"), "\(text)")
        }
    }
}
