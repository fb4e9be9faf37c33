import Testing
import TributaryJSON
import TributaryTestSupport

/// A member is found in whatever order members are asked for: where the search begins does not matter.
@Suite struct MemberOrderTests {
    /// A tree of objects, its members in their order; the numbers are all different.
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

    private static func object(_ lots: inout SeededGenerator, depth: Int, next: inout Int) -> Node {
        let names = ["a", "b", "ab", "ba", "name", "\\u0061", "long name of a member", ""].shuffled(using: &lots)
        var members = names.prefix(lots.below(names.count + 1)).map { key -> (key: String, value: Node) in
            next += 1
            if depth > 0, lots.once(in: 3) { return (key, object(&lots, depth: depth - 1, next: &next)) }
            return (key, .number(next))
        }
        // Here and there a key stands twice, and the last one counts.
        if lots.once(in: 4), let first = members.first { members.append((first.key, .number(-next))) }
        return .object(members)
    }

    private func compare(_ json: JSON, _ node: Node, _ lots: inout SeededGenerator) -> Bool {
        guard case .object(let members) = node else {
            if case .number(let number) = node { return json.read(as: Int.self) == number }
            return false
        }
        // Escaped and plain, it is one name.
        func isSame(_ one: String, _ other: String) -> Bool { plain(one) == plain(other) }
        func plain(_ key: String) -> String { key == "\\u0061" ? "a" : key }
        let asked = ["a", "b", "ab", "ba", "name", "nothing", "long name of a member", ""]
        for _ in 0..<3 {
            for key in lots.once(in: 2) ? asked : asked.shuffled(using: &lots) {
                let value = json[key]
                guard let last = members.last(where: { isSame($0.key, key) })?.value else {
                    if !value.isMissing { return false }
                    continue
                }
                if !compare(value, last, &lots) { return false }
            }
        }
        return true
    }

    @Test func inAnyOrder() throws {
        var lots = SeededGenerator.fresh()
        var next = 0
        let nodes = (0..<200).map { _ in MemberOrderTests.object(&lots, depth: 2, next: &next) }
        let chunk = try records("[\(nodes.map(\.text).joined(separator: ","))]")
        #expect(chunk.count == nodes.count)
        for _ in 0..<400 {
            let index = lots.below(nodes.count)
            #expect(compare(chunk[index].value, nodes[index], &lots), "seed \(lots.seed), \(nodes[index].text)")
        }
    }
}
