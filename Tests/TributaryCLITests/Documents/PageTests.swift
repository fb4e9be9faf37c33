import Foundation
import Testing
import TributaryTestSupport

/// The pages of the documents: their commands are run, their Swift code is compiled and run, their links lead somewhere.
///
/// `scripts/sweep-documents` runs the same with the programs of every page, and with the tools that pages compare with.
@Suite struct PageTests {
    private static let settings = ProcessInfo.processInfo.environment
    /// The folder of other tools, which `scripts/sweep-documents` names.
    private static let tools = settings["TRIBUTARY_DOCUMENT_TOOLS"]
    /// The only page to run, while it is written.
    private static let only = settings["TRIBUTARY_DOCUMENT"] ?? ""

    /// Pages with commands or a program.
    ///
    /// The suite compiles the programs of the guides alone.
    static let pages = Page.all.filter { page in
        let isRun = !page.program.isEmpty || page.blocks.contains { $0.language == "console" && $0.detail.isEmpty }
        guard isRun else { return false }
        if !only.isEmpty { return page.path == only }
        return tools != nil || !page.path.hasPrefix("docs/coming-from/") || page.program.isEmpty
    }

    @Test("A page prints what it shows", arguments: pages)
    func output(_ page: Page) throws {
        let run = try PageRun(page, tools: Self.tools)
        let count = try run.run()
        #expect(count > 0 || !page.program.isEmpty)
    }

    @Test("Every block of code is run, is a file, or says whose it is", arguments: Page.all)
    func languages(_ page: Page) {
        let known: Set = ["console", "swift", "swift-manifest", "sh", "text", "sql"]
        var printsText = false
        for block in page.blocks {
            if block.detail.isEmpty { #expect(known.contains(block.language), "\(page.path): \(block.language)") }
            // Without a program before it, the text would be compared with nothing.
            if block.language == "text", block.detail == "output" {
                #expect(printsText, "\(page.path): \(block.lines)")
            }
            if block.language == "python" || block.language == "swift" && block.detail.isEmpty {
                printsText = page.path != "README.md"
            }
        }
    }

    @Test("Every link of a page leads to a file, and to a heading in it", arguments: Page.all)
    func links(_ page: Page) throws {
        let folder = Tool.package.appending(path: page.path).deletingLastPathComponent()
        for match in Self.prose(page).matches(of: /\]\(([^)\s]+)\)/) {
            let link = String(match.1)
            guard !link.hasPrefix("https://"), !link.hasPrefix("http://") else { continue }
            let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let file = parts[0].isEmpty ? Tool.package.appending(path: page.path) : folder.appending(path: parts[0])
            #expect(FileManager.default.fileExists(atPath: file.standardized.path), "\(page.path): \(link)")
            if parts.count == 2, file.pathExtension == "md" {
                let target = try String(contentsOf: file, encoding: .utf8)
                let anchors = target.components(separatedBy: "\n").filter { $0.hasPrefix("#") }.map(Self.anchor)
                #expect(anchors.contains(parts[1]), "\(page.path): \(link)")
            }
        }
    }

    /// The text outside blocks of code.
    private static func prose(_ page: Page) -> String {
        page.text.components(separatedBy: "\n```").enumerated().filter { $0.offset % 2 == 0 }.map(\.element).joined()
    }

    /// The anchor of a heading, as on GitHub.
    private static func anchor(_ heading: String) -> String {
        heading.drop { $0 == "#" || $0 == " " }.lowercased()
            .filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" || $0 == " " }.replacing(" ", with: "-")
    }

    @Test("Every page is linked from the way in", arguments: Page.all)
    func isLinked(_ page: Page) throws {
        guard page.path.hasPrefix("docs/"), page.path != "docs/README.md" else { return }
        let way = try Page("docs/README.md").text
        #expect(way.contains("(\(page.path.dropFirst(5)))"), "\(page.path)")
    }
}
