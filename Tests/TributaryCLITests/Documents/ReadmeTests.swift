import Foundation
import Testing
import TributaryTestSupport

/// The README, whose snippets are compiled, and the documents, whose paths must exist.
@Suite struct ReadmeTests {
    private func text(_ path: String) throws -> String {
        try String(contentsOf: Tool.package.appending(path: path), encoding: .utf8)
    }

    private func blocks() throws -> [Page.Block] { try Page("README.md").blocks }

    @Test("Every code block of the README is in a language that is tested")
    func everyBlockIsOfAKindThatIsTested() throws {
        let languages = try blocks().map(\.language)
        #expect(Set(languages) == ["console", "swift", "swift-manifest", "sh"])
        #expect(try text("README.md").split(separator: "\n", omittingEmptySubsequences: false).count <= 250)
    }

    @Test("The Swift snippets of the README are the ones that tests compile")
    func snippetsAreCompiled() throws {
        let files = [
            "Tests/TributaryGraphTests/ReadmeGraphTests.swift", "Tests/TributaryTests/ReadmeImportTests.swift",
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
        for page in Page.all {
            for match in page.text.matches(of: pattern) {
                let path = String(page.text[match.range])
                #expect(manager.fileExists(atPath: Tool.package.appending(path: path).path), "\(page.path): \(path)")
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
