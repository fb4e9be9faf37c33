import Testing
import TributaryJSON
import TributaryTestSupport

/// Members are found in any order of access, wherever the search starts.
@Suite struct MemberOrderTests {
    /// A tree of objects with ordered members and distinct numbers.
    private indirect enum Node {
        case number(Int)
        case object([(key: String, value: Node)])

        var text: String {
            switch self {
            case .number(let number): "\(number)"
            case .object(let members): "{\(members.map { "\"\($0.key)\":\($0.value.text)" }.joined(separator: ","))}"
            }
        }
    }

    private static func object(_ random: inout SeededGenerator, depth: Int, next: inout Int) -> Node {
        let names = ["a", "b", "ab", "ba", "name", "\\u0061", "long name of a member", ""].shuffled(using: &random)
        var members = names.prefix(random.below(names.count + 1)).map { key -> (key: String, value: Node) in
            next += 1
            if depth > 0, random.once(in: 3) { return (key, object(&random, depth: depth - 1, next: &next)) }
            return (key, .number(next))
        }
        // Some objects have a duplicate key, of which the last one counts.
        if random.once(in: 4), let first = members.first { members.append((first.key, .number(-next))) }
        return .object(members)
    }

    private func compare(_ json: JSON, _ node: Node, _ random: inout SeededGenerator) -> Bool {
        guard case .object(let members) = node else {
            if case .number(let number) = node { return json.read(as: Int.self) == number }
            return false
        }
        // An escaped key and a plain key are the same name.
        func isSame(_ one: String, _ other: String) -> Bool { plain(one) == plain(other) }
        func plain(_ key: String) -> String { key == "\\u0061" ? "a" : key }
        let asked = ["a", "b", "ab", "ba", "name", "nothing", "long name of a member", ""]
        for _ in 0..<3 {
            for key in random.once(in: 2) ? asked : asked.shuffled(using: &random) {
                let value = json[key]
                guard let last = members.last(where: { isSame($0.key, key) })?.value else {
                    if !value.isMissing { return false }
                    continue
                }
                if !compare(value, last, &random) { return false }
            }
        }
        return true
    }

    @Test("Members are found in any order of access, and the last duplicate counts")
    func inAnyOrder() throws {
        var random = SeededGenerator.fresh()
        var next = 0
        let nodes = (0..<200).map { _ in MemberOrderTests.object(&random, depth: 2, next: &next) }
        let chunk = try records("[\(nodes.map(\.text).joined(separator: ","))]")
        #expect(chunk.count == nodes.count)
        for _ in 0..<400 {
            let index = random.below(nodes.count)
            #expect(compare(chunk[index].value, nodes[index], &random), "seed \(random.seed), \(nodes[index].text)")
        }
    }
}
