import TributaryJSON
import TributaryTestSupport

/// A random valid text with an array of records, whose strings look like structure.
struct HostileArray {
    var bytes: [UInt8] = []
    let path: RecordPath
    let count: Int
    /// The offset of the bracket of the array, and its depth.
    private(set) var begin = 0
    let depth: Int

    init(_ random: inout SeededGenerator) {
        let layout = random.pick([0, 0, 1, 2])
        path = [.elements, ".a.b[]", "/a/b"][layout]
        depth = layout == 0 ? 1 : 3
        count = random.pick([0, 1, 2, 10, 60, 60])
        if random.once(in: 8) { bytes = [0xEF, 0xBB, 0xBF] }
        if depth == 3 { add("{\"x\":[{\"b\":[1,2]},\"]\\\"\"], \"a\":{\"c\\\\\":[],\n\"b\":") }
        begin = bytes.count
        add("[" + Self.blank(&random))
        for index in 0..<count {
            add((index > 0 ? "," + Self.blank(&random) : "") + Self.value(&random, 3) + Self.blank(&random))
        }
        add("]" + Self.blank(&random))
        if depth == 3 { add(",\"d\":[1,[2,3],4]}, \"e\":{\"b\":[5,6,7]}}\n") }
        // A byte order mark is not a part of the text for the other tokenizers.
        if bytes.first == 0xEF { bytes.replaceSubrange(0..<3, with: [0x20, 0x0A, 0x20]) }
    }

    private mutating func add(_ text: String) { bytes += text.utf8 }

    private static func blank(_ random: inout SeededGenerator) -> String {
        switch random.below(12) {
        case 0: String(repeating: random.pick([" ", "\n", "\r\n", "\t"]), count: random.below(150))
        case 1: "\r\n"
        case 2: "\n\n \n"
        case 3, 4: "\n"
        case 5: " "
        default: ""
        }
    }

    static func value(_ random: inout SeededGenerator, _ depth: Int) -> String {
        switch random.below(depth > 0 ? 10 : 6) {
        case 0: return random.pick(["0", "-1.5e3", "true", "null", "12345678901234567890"])
        case 1...5: return string(&random)
        case 6, 7:
            let values = (0..<random.below(4)).map { _ in value(&random, depth - 1) + blank(&random) }
            return "[" + values.joined(separator: ",") + "]"
        default:
            let members = (0..<random.below(4)).map { _ in "\(string(&random)):\(value(&random, depth - 1))" }
            return "{" + blank(&random) + members.joined(separator: ",") + "}"
        }
    }

    private static func string(_ random: inout SeededGenerator) -> String {
        let parts = ["\\\"", "\\\\", "},{", "],[", ",", "[", "]", "{", "}", "\":", "é", "\\u005c", "\\n", "a", " "]
        var text = "\""
        for _ in 0..<random.below(12) {
            let part = random.pick(parts)
            text += part == "\":" ? "\\\":" : part
            if random.once(in: 12) { text += String(repeating: "\\\\", count: random.below(80)) }
        }
        return text + "\""
    }
}
