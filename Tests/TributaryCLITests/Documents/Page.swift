import Foundation
import Testing
import TributaryTestSupport

/// A page of the documents, with the code that it shows.
///
/// `docs/README.md` tells what the languages of its blocks mean.
struct Page: Sendable, CustomTestStringConvertible {
    /// A block of code between fences.
    struct Block: Sendable {
        /// The first word after the fence.
        let language: String
        /// The words after it: the name of a file, or whose code it is.
        let detail: String
        let lines: [String]

        /// The file that the block is written to.
        var file: String? { !detail.contains(" ") && detail.contains(".") ? detail : nil }
    }

    /// The path in the package.
    let path: String
    let text: String
    let blocks: [Block]

    init(_ path: String) throws {
        self.path = path
        text = try String(contentsOf: Tool.package.appending(path: path), encoding: .utf8)
        var blocks: [Block] = []
        var open: (words: [Substring], lines: [String])?
        for line in text.components(separatedBy: "\n") {
            if let block = open, line == "```" {
                let words = block.words
                blocks.append(
                    Block(
                        language: String(words.first ?? ""), detail: words.dropFirst().joined(separator: " "),
                        lines: block.lines))
                open = nil
            } else if open != nil {
                open?.lines.append(line)
            } else if line.hasPrefix("```") {
                open = (line.dropFirst(3).split(separator: " "), [])
            }
        }
        self.blocks = blocks
    }

    var testDescription: String { path }

    /// The Swift code of the page, which is one program in the order of its blocks.
    ///
    /// That of the README stands in tests instead, which `ReadmeTests` compares.
    var program: [Block] { path == "README.md" ? [] : blocks.filter { $0.language == "swift" && $0.detail.isEmpty } }

    /// The pages of the reference, which docc reads.
    static let reference: [Page] = {
        let folder = Tool.package.appending(path: "docs/reference").path
        let paths = (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? [])
        return paths.filter { $0.hasSuffix(".md") }.sorted().compactMap { try? Page("docs/reference/\($0)") }
    }()

    /// README and every page below `docs`.
    static let all: [Page] = {
        let docs = FileManager.default.enumerator(atPath: Tool.package.appending(path: "docs").path)
        let paths = (docs?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".md") && !$0.contains(".docc/") }
        return (["README.md", "CONTRIBUTING.md", "CHANGELOG.md"] + paths.sorted().map { "docs/\($0)" })
            .compactMap { try? Page($0) }
    }()
}
