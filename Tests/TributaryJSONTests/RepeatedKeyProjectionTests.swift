import Testing
import TributaryJSON
import TributaryTestSupport

/// A projection of a record with duplicate keys finds the same values and failures as one of the last duplicates alone.
@Suite struct RepeatedKeyProjectionTests {
    private static let names = ["a", "b", "c", "é", "a.b"]
    /// Values that do not count, because a duplicate key follows.
    private static let earlier = ["1", "null", "\"x\"", "[1]", "{\"b\":3}", "{\"a\":{\"b\":2},\"c\":null}"]
    private static let scalars = ["5", "-0.5", "null", "\"text\"", "true", "[1,{\"a\":2}]", "[]"]

    /// An object in two forms: without and with duplicate keys.
    private func object(depth: Int, _ random: inout SeededGenerator) -> (plain: String, repeated: String) {
        var (plain, repeated): ([String], [String]) = ([], [])
        let keys = Self.names.filter { _ in random.once(in: 2) }.shuffled(using: &random)
        for key in keys where random.once(in: 3) { repeated.append("\"\(key)\":\(random.pick(Self.earlier))") }
        if random.once(in: 3) { repeated += ["\"other\":1", "\"other\":{\"a\":2}"] }
        for key in keys {
            let scalar = random.pick(Self.scalars)
            var value = (plain: scalar, repeated: scalar)
            if depth > 0, random.once(in: 2) { value = object(depth: depth - 1, &random) }
            plain.append("\"\(key)\":\(value.plain)")
            repeated.append("\"\(key)\":\(value.repeated)")
        }
        return ("{" + plain.joined(separator: ",") + "}", "{" + repeated.joined(separator: ",") + "}")
    }

    /// The kind, text and failure of each projected value.
    private func values(_ projection: Projection, _ record: Record) -> [String] {
        var found = ProjectedValues()
        projection.project(record, into: &found)
        return (0..<projection.count).map { index in
            record.clearFailure()
            let value: JSON = found[index]
            // The text of an object differs if it has duplicate keys.
            let text = value.kind == .object || value.isMissing ? "" : value.rawText
            let failure = record.failure.map { "\($0.code) \($0.path ?? "") \($0.reason)" } ?? ""
            return "\(value.kind) \(text) \(failure)"
        }
    }

    @Test("A projection finds the last ones of duplicate keys at each level")
    func theLastOnesCount() throws {
        var random = SeededGenerator.sampled(6_100)
        var obstacles = 0
        for round in 0..<1000 {
            let (plain, repeated) = object(depth: 3, &random)
            let paths = (0..<1 + random.below(6)).map { _ in
                (0..<1 + random.below(4)).map { _ in random.pick(Self.names) }
            }
            let projection = Projection(paths)
            let single = try record(plain)
            #expect(single.duplicateKeys == 0)
            let expected = values(projection, single)
            obstacles += expected.count { $0.contains("an object") }
            let found = values(projection, try record(repeated))
            #expect(found == expected, "seed \(random.seed), round \(round): \(paths) of \(repeated)")
        }
        #expect(obstacles > 100)
    }

    /// Records in which `a` is not an object, so `a.b` cannot be reached.
    private static let obstructed = [
        "{\"a\":5}", "{\"x\":1,\"x\":2,\"a\":5}", "{\"a\":5,\"x\":1,\"x\":2}", "{\"a\":{\"b\":1},\"a\":5}",
        "{\"a\":{\"b\":1,\"b\":2},\"a\":5}", "{\"x\":{\"y\":1,\"y\":1},\"a\":5}",
    ]
    /// Records in which `a.b` is missing or null.
    private static let free = [
        "{\"x\":1,\"x\":2}", "{\"x\":1,\"x\":2,\"a\":null}", "{\"a\":5,\"a\":null}", "{\"a\":5,\"a\":{}}",
        "{\"a\":{\"b\":1},\"a\":{\"b\":null}}",
    ]

    @Test("A projection names the value on a path that is not an object")
    func whatStandsInTheWayIsNamed() throws {
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
