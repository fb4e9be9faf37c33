import Testing
import TributaryTestSupport

/// The formats of `docs/dumps.md`, whose commands `PageTests` runs on small files in the shape of the dumps.
@Suite struct DumpsTests {
    @Test("The page has twelve formats or more, imports each by one command, and shows each file of the tests")
    func isComplete() throws {
        let page = try Page(DumpFixtures.page)
        let formats = page.text.split(separator: "\n").count { $0.hasPrefix("## ") }
        #expect(formats >= 12 && formats == page.blocks.count)
        for block in page.blocks {
            #expect(block.lines.count { $0.hasPrefix("$ tributary import ") } == 1, "\(block.lines)")
        }
        let shown = page.blocks.flatMap(\.lines).filter { $0.contains(" import ") }.joined(separator: " ")
        for name in DumpFixtures.files.keys {
            #expect(shown.contains(name) || shown.contains(name.prefix { $0 != "0" } + "*"), "\(name)")
        }
    }
}
