import Foundation
import Testing
import TributaryTestSupport

/// Runs the blocks of a page one after the other in one folder, and compares what they print with what the page shows.
struct PageRun {
    let page: Page
    let folder: TemporaryFolder
    /// The folder of the programs of other tools, if their commands are run too.
    let tools: String?
    /// The address that stands for the one of the page.
    private let postgres: String?

    private static let shownAddress = "postgres://app@db.example.com/app"

    init(_ page: Page, tools: String? = nil) throws {
        self.page = page
        self.tools = tools
        folder = try TemporaryFolder()
        postgres =
            try page.text.contains("$ tributary import " + PageRun.shownAddress)
            ? PostgresServer.shared().newSchemaText() : nil
        let manager = FileManager.default
        if page.path == DumpFixtures.page {
            for (name, text) in DumpFixtures.files { _ = try folder.write(text.utf8, to: name) }
        }
        for name in ["Fixtures", "Examples"] {
            try manager.createSymbolicLink(
                atPath: folder.path(name), withDestinationPath: Tool.package.appending(path: name).path)
        }
    }

    /// Runs the commands, Python programs if there are tools, and the Swift program where its last block stands.
    ///
    /// A block `text output` shows what the program before it prints; those of the Swift program are one text.
    ///
    /// - Returns: How many commands were run.
    func run() throws -> Int {
        var (count, swift) = (0, page.program.count)
        var (printed, shown): ([String]?, [String]) = (nil, [])
        var python: [String]?
        var isPython = false
        for block in page.blocks {
            if let file = block.file {
                _ = try folder.write((block.lines.joined(separator: "\n") + "\n").utf8, to: file)
            } else if block.language == "console", block.detail.isEmpty || tools != nil {
                count += try run(block)
            } else if block.language == "swift", block.detail.isEmpty, swift > 0 {
                (swift, isPython) = (swift - 1, false)
                if swift == 0 { printed = try runProgram() }
            } else if block.language == "python" {
                isPython = true
                python = try tools.map { try run(block, with: "\($0)/python") }
            } else if block.language == "text", block.detail == "output" {
                if !isPython { shown += block.lines } else if let python { expect(python, block.lines, "Python") }
            }
        }
        if let printed { expect(printed, shown, "the Swift program") }
        return count
    }

    /// Runs a program of another language.
    private func run(_ block: Page.Block, with program: String) throws -> [String] {
        let outcome = try Tool(program).run(["-c", block.lines.joined(separator: "\n")], in: folder.url)
        #expect(outcome.code == 0, "\(page.path): \(outcome.error)")
        return outcome.lines
    }

    /// Runs a block of commands in one shell, each after `$ ` and before its output.
    private func run(_ block: Page.Block) throws -> Int {
        let path = tools.map { "PATH=\"$PATH:\($0)\"\n" } ?? ""
        var (script, expected, count) = (path + "scripts/tributary() { tributary \"$@\"; }\n", [String](), 0)
        var isContinued = false
        for line in block.lines {
            if isContinued || line.hasPrefix("$ ") {
                let command = isContinued ? line : String(line.dropFirst(2))
                if !isContinued {
                    // The marker must not change `$?` for the next command.
                    script += "code=$?; echo '#'; (exit $code); "
                    expected.append("#")
                    count += 1
                }
                script += command + "\n"
                isContinued = command.hasSuffix("\\")
            } else if !line.isEmpty {
                expected.append(line)
            }
        }
        if let postgres { script = script.replacing(PageRun.shownAddress, with: postgres) }
        let outcome = try Tool.shell("exec 2>&1\n" + script, in: URL(filePath: folder.path("")))
        var text = outcome.text
        if let postgres { text = text.replacing(postgres, with: PageRun.shownAddress) }
        expect(text.split(separator: "\n").map(String.init), expected, block.lines.first ?? "")
        return count
    }

    /// Compiles the program of the page, and runs it in the folder.
    private func runProgram() throws -> [String] {
        let program = try SwiftProgram(folder)
        let source = page.program.map { $0.lines.joined(separator: "\n") }.joined(separator: "\n\n")
        _ = try folder.write((source + "\n").utf8, to: "main.swift")
        try program.compile(["-wmo", "-c", "-module-name", "Page", "-o", "page.o", folder.path("main.swift")])
        let outcome = try program.link(["page.o"]).run([], in: folder.url)
        #expect(outcome.code == 0, "\(page.path): \(outcome.error)")
        return (outcome.text + outcome.error).split(separator: "\n").map(String.init)
    }

    /// Expects lines like those of the page, where `…` stands for any number of lines.
    private func expect(_ found: [String], _ shown: [String], _ place: String) {
        var rest = found.map(PageRun.masked)[...]
        let parts = shown.filter { !$0.isEmpty }.map(PageRun.masked).split(
            separator: "…", omittingEmptySubsequences: false)
        var isEqual = true
        for (index, part) in parts.enumerated() {
            if index == 0 {
                isEqual = rest.starts(with: part)
                rest = rest.dropFirst(part.count)
            } else if index == parts.count - 1 {
                isEqual = isEqual && rest.count >= part.count && Array(rest.suffix(part.count)) == Array(part)
                rest = []
            } else if let start = rest.indices.first(where: { rest[$0...].starts(with: part) }) {
                rest = rest[(start + part.count)...]
            } else {
                isEqual = false
            }
            guard isEqual else { break }
        }
        isEqual = isEqual && rest.isEmpty
        #expect(isEqual, "\(page.path), after \(place): found\n\(found.joined(separator: "\n"))")
    }

    /// The line without times and rates, which differ between runs.
    private static func masked(_ line: String) -> String {
        line.replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "TIME")
            .replacing(/(less than a second|\d+ [kM]B in [\d.,]+ s, [\d,]+ records a second), \d+ MiB/, with: "TIME")
    }
}
