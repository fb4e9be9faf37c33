import Foundation
import Testing
import TributaryTestSupport

/// The documents, whose commands are run, whose snippets are compiled, and whose paths must exist.
@Suite struct ReadmeTests {
    private struct Block {
        let language: String
        let lines: [String]
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Tool.package.appending(path: path), encoding: .utf8)
    }

    private func blocks() throws -> [Block] {
        var blocks: [Block] = []
        for (index, part) in try text("README.md").components(separatedBy: "```").enumerated() where index % 2 == 1 {
            let lines = part.components(separatedBy: "\n")
            blocks.append(Block(language: lines[0], lines: Array(lines.dropFirst().dropLast())))
        }
        return blocks
    }

    @Test("Every code block of the README is in a language that is tested")
    func everyBlockIsOfAKindThatIsTested() throws {
        let languages = try blocks().map(\.language)
        #expect(Set(languages) == ["console", "swift", "swift-manifest", "sh"])
        #expect(try text("README.md").split(separator: "\n", omittingEmptySubsequences: false).count < 300)
    }

    @Test("The commands of the README print the output that it shows")
    func commandsPrintWhatItSays() throws {
        let folder = try TemporaryFolder()
        let manager = FileManager.default
        try manager.createSymbolicLink(
            atPath: folder.path("Fixtures"), withDestinationPath: Tool.package.appending(path: "Fixtures").path)
        var count = 0
        for block in try blocks() where block.language == "console" {
            // One shell for each block; a line with a marker separates the output of its commands.
            var script = "scripts/tributary() { tributary \"$@\"; }\n"
            var expected: [String] = []
            for line in block.lines {
                if line.hasPrefix("$ ") {
                    // The marker must not change `$?` for the next command.
                    script += "code=$?; echo '#'; (exit $code); " + line.dropFirst(2) + "\n"
                    expected.append("#")
                    count += 1
                } else if !line.isEmpty {
                    expected.append(line)
                }
            }
            let outcome = try Tool.shell("exec 2>&1\n" + script, in: URL(filePath: folder.path("")))
            let lines = outcome.text.split(separator: "\n").map { masked(String($0)) }
            #expect(lines == expected.map(masked))
        }
        #expect(count >= 6)
    }

    /// The line without times and rates, which differ between runs.
    private func masked(_ line: String) -> String {
        line.replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "TIME")
            .replacing(/(less than a second|\d+ [kM]B in [\d.,]+ s, [\d,]+ records a second), \d+ MiB/, with: "TIME")
    }

    @Test("The Swift snippets of the README are the ones that tests compile")
    func snippetsAreCompiled() throws {
        let files = [
            "Tests/TributaryJSONTests/ReadmeExampleTests.swift", "Tests/TributaryGraphTests/ReadmeGraphTests.swift",
            "Tests/TributaryTests/ReadmeImportTests.swift",
        ]
        let sources = try files.map(text).joined().components(
            separatedBy: "// README\n")
        var compiled: Set<String> = []
        for index in stride(from: 1, to: sources.count, by: 2) { compiled.insert(squeezed(sources[index])) }
        let shown = try blocks().filter { $0.language == "swift" }.map { squeezed($0.lines.joined(separator: "\n")) }
        #expect(!shown.isEmpty && Set(shown).symmetricDifference(compiled).isEmpty)
    }

    /// The text without indentation and blank lines, which depend on the place of the snippet.
    private func squeezed(_ text: String) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
            .joined(separator: "\n")
    }

    @Test("The scripts and files that the documents name exist")
    func scriptsAndFilesExist() throws {
        let manager = FileManager.default
        let pattern = try Regex(#"scripts/[a-z-]+|docs/[A-Za-z-]+\.md|Fixtures/[a-z/.-]+"#)
        for paper in [
            "README.md", "CONTRIBUTING.md", "docs/ARCHITECTURE.md", "docs/journal.md", "docs/performance.md",
            "docs/postgres.md", "docs/other-tools.md",
        ] {
            for match in try text(paper).matches(of: pattern) {
                let path = String(try text(paper)[match.range])
                #expect(manager.fileExists(atPath: Tool.package.appending(path: path).path), "\(paper): \(path)")
            }
        }
        for script in try manager.contentsOfDirectory(atPath: Tool.package.appending(path: "scripts").path) {
            #expect(manager.isExecutableFile(atPath: Tool.package.appending(path: "scripts/\(script)").path))
        }
        #expect(try text(".ci/run").contains("scripts/test"))
    }

    @Test("The products in the README's manifest are those of the package")
    func theManifestHasTheProducts() throws {
        let manifest = try text("Package.swift")
        for block in try blocks() where block.language == "swift-manifest" {
            for match in block.lines.joined().matches(of: /name: "(\w+)", package: "(\w+)"/) {
                #expect(manifest.contains(".library(name: \"\(match.1)\""))
                #expect(manifest.contains("name: \"\(match.2)\","))
            }
        }
    }
}
