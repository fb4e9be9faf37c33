import TributaryTestSupport
import Foundation
import Testing
import TributaryGraph

@Suite struct FilterHostileTests {
    static let tooDeep: [String] = {
        let many = 10_000
        let groups = "(".repeated(many)
        let sums = (0..<150).reduce("a") { text, _ in "(" + text + "+1".repeated(150) + ")" }
        return [
            groups, groups + "a == 1" + ")".repeated(many), groups + "a" + ")".repeated(many) + " == 1",
            "NOT ".repeated(many) + "a == 1", "!".repeated(many) + "a == 1", "a == " + "-".repeated(many) + "b",
            "a == " + "{".repeated(many), "a == 1" + " + 1".repeated(many), "a" + "[0]".repeated(many) + " == 1",
            "a" + "[0].b".repeated(many) + " == 1", "(TERNARY(".repeated(many), "a == " + "length(".repeated(many),
            "SUBQUERY(a, $x, ".repeated(many), "(".repeated(190) + "1" + " + 1)".repeated(190) + " == 1",
            sums + " == 1",
        ]
    }()

    @Test("A filter that is nested too deeply is refused", arguments: tooDeep)
    func depthIsLimited(_ text: String) {
        #expect(filterFailure(text)?.code == .depth)
    }

    @Test("Long lists, long AND chains and moderate nesting are accepted")
    func widthIsNot() throws {
        let list = (0..<20_000).map(String.init).joined(separator: ", ")
        #expect(try filterHolds("19999 IN {\(list)}"))
        let chain = Array(repeating: "1 == 1", count: 20_000).joined(separator: " AND ")
        #expect(try filterHolds(chain))
        #expect(try filterHolds("(".repeated(28) + "1 == 1" + ")".repeated(28)))
        #expect(try filterHolds("(".repeated(28) + "1" + ")".repeated(28) + " == 1"))
    }

    @Test("The deepest accepted filters fit the 512 KB stack of a secondary thread")
    func depthFitsASmallStack() async {
        let deep = [
            "(".repeated(30) + "1" + ")".repeated(30) + " == 1",
            "1 == 0" + " + TERNARY(1 == 1, 0".repeated(12) + ", 2)".repeated(12) + " + 1",
            "NOT (".repeated(14) + "1 == 1" + ")".repeated(14),
            "SUBQUERY({1}, $x, ".repeated(12) + "1 == 1" + ").@count == 1".repeated(12),
            "-".repeated(28) + "(1) == 1",
        ]
        let failures = await withCheckedContinuation { continuation in
            let thread = Thread {
                let failures = deep.filter { text in
                    guard let filter = try? Filter(format: text) else { return true }
                    let isTrue = try? filter.matches(FilterItem("x"))
                    return isTrue != true || (try? Filter(format: filter.description)) != filter
                }
                continuation.resume(returning: failures)
            }
            thread.stackSize = 512 * 1024
            thread.start()
        }
        #expect(failures.isEmpty)
    }

    @Test("Nested ternaries in parentheses do not take exponential time")
    func ternariesInParenthesesTakeNoTime() {
        let open = "(TERNARY((".repeated(10)
        #expect(filterFailure(open + "a")?.code == .syntax)
    }

    @Test("Random text either fails to parse or survives a round trip")
    func rubbishIsAnError() {
        var random = SeededGenerator.fresh()
        let words = [
            "a", "==", "(", ")", "{", "}", "[", "]", "AND", "OR", "NOT", "IN", "'x'", "1", "$x", "@count", ".", ",",
            "-",
            "SUBQUERY", "TERNARY", "CAST", "ANY", "SELF", "#", "\"", "%@", "%K", "%d", "FIRST", "BETWEEN", "length",
            "~",
            "\u{0}", "\u{1F600}", "é", "0x", "1e", "\\", ":",
        ]
        for _ in 0..<50_000 {
            let text = (0..<random.below(12)).map { _ in random.pick(words) }.joined(separator: random.pick(["", " "]))
            guard let filter = try? Filter(format: text, "k", 1, "x") else { continue }
            #expect((try? Filter(format: filter.description)) == filter, "\(text), seed \(random.seed)")
        }
    }

    @Test("LIKE with hundreds of wildcards does not take exponential time")
    func likeTakesNoTime() throws {
        let text = "a".repeated(5_000)
        let pattern = "*a".repeated(200) + "*b"
        let filter: Filter = "\(text) LIKE \(pattern)"
        #expect(try !filter.matches(FilterItem("x")))
    }
}

extension String {
    fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
