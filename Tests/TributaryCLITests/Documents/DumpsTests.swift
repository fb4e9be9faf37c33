import Foundation
import Testing
import TributaryTestSupport

/// The commands of `docs/dumps.md`, on small files in the shape of the dumps.
@Suite struct DumpsTests {
    /// A format, with the lines of its commands and their output.
    struct Section: Sendable, CustomTestStringConvertible {
        let title: String
        let lines: [String]

        var testDescription: String { title }
    }

    static let sections: [Section] = {
        let page = try? String(contentsOf: Tool.package.appending(path: "docs/dumps.md"), encoding: .utf8)
        return (page ?? "").components(separatedBy: "\n## ").dropFirst().map { text in
            let parts = text.components(separatedBy: "```")
            let block = parts.count == 3 ? parts[1].split(separator: "\n").dropFirst().map(String.init) : []
            return Section(title: String(text.prefix { $0 != "\n" }), lines: block)
        }
    }()

    @Test("The commands for a public dump print what the page shows", arguments: sections)
    func commands(_ section: Section) throws {
        let folder = try TemporaryFolder()
        for (name, text) in DumpFixtures.files { _ = try folder.write(text.utf8, to: name) }
        let commands = section.lines.filter { $0.hasPrefix("$ ") }.map { $0.dropFirst(2) }
        // One command imports the dump.
        #expect(commands.count { $0.hasPrefix("tributary import ") } == 1)
        let outcome = try Tool.shell(commands.joined(separator: "\n") + "\n", in: folder.url).expect(0)
        // Blank lines stand between tables.
        let found = outcome.text.split(separator: "\n").map(String.init)
        #expect(found == section.lines.filter { !$0.hasPrefix("$ ") })
    }

    @Test("The page has twelve formats or more, and shows each file of the tests")
    func isComplete() {
        #expect(DumpsTests.sections.count >= 12)
        let shown = DumpsTests.sections.flatMap(\.lines).filter { $0.contains(" import ") }.joined(separator: " ")
        for name in DumpFixtures.files.keys {
            #expect(shown.contains(name) || shown.contains(name.prefix { $0 != "0" } + "*"), "\(name)")
        }
    }
}
