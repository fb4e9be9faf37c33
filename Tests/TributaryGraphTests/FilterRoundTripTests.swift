import TributaryTestSupport
import Foundation
import Testing
import TributaryGraph

@Suite struct FilterRoundTripTests {
    @Test("A random filter parses back from its own text")
    func randomTreesReadBack() throws {
        var trees = FilterTrees(random: .fresh())
        for round in 0..<12_000 {
            let filter = trees.filter(depth: 1 + round % 3)
            let text = filter.description
            let again: Filter
            do {
                again = try Filter(format: text)
            } catch {
                Issue.record("seed \(trees.random.seed), round \(round): \(error)\n\(text)")
                return
            }
            if again != filter || again.description != text || again.hashValue != filter.hashValue {
                Issue.record("seed \(trees.random.seed), round \(round):\n\(text)\n\(again)")
                return
            }
        }
    }
}
