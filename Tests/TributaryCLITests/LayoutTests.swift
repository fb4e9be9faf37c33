import Foundation
import Testing
import TributaryTestSupport

/// Dumps of many layouts, compared with what Python reads.
@Suite struct LayoutTests {
    @Test("The plain command stores every value of each layout, and tells what it leaves out")
    func sweep() throws {
        let script = Tool.package.appending(path: "scripts/sweep-shapes").path
        let seed = SeededGenerator.sampled(6_000).seed
        let outcome = try Tool("/usr/bin/env").run(
            ["python3", script, "--tool", Tool.tributary.path, "--seed", "\(seed % 100_000)"]).expect(
                0, text: "layouts, 0 differences")
        print(outcome.text)
    }
}
