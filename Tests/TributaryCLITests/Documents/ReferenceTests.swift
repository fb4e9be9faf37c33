import Foundation
import Testing
import TributaryTestSupport

/// The pages of `docs/reference`, and the comments of the public declarations that `scripts/docs` makes pages of.
///
/// `scripts/docs` checks every link; this checks what can be known without docc.
@Suite struct ReferenceTests {
    /// The targets whose public declarations the page of a library shows.
    private static let libraries = [
        "TributaryJSON": ["TributaryJSON"], "TributarySQLite": ["TributarySQLite"],
        "TributaryModel": ["TributaryModel"], "TributaryGraph": ["TributaryGraph", "TributaryStore"],
        "Tributary": ["Tributary", "TributaryImport"], "TributaryPostgres": ["TributaryPostgres"],
        "TributaryHTTP": ["TributaryHTTP"],
    ]

    private static let settings = ProcessInfo.processInfo.environment

    /// The files of each library, read once.
    private static let sources = Result {
        try libraries.mapValues { targets in
            try targets.flatMap { target in
                let folder = Tool.package.appending(path: "Sources/\(target)")
                return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
                    .filter { $0.hasSuffix(".swift") }.sorted().map { try PublicSource("Sources/\(target)/\($0)") }
            }
        }
    }

    private static func sources(of library: String) throws -> [PublicSource] { try sources.get()[library] ?? [] }

    private static let names = Result { Set(try sources.get().values.joined().flatMap(\.names)) }

    /// The names between two pairs of backticks.
    private static func links(in text: String) -> [String] {
        text.matches(of: /``([^`\n]+)``/).map { String($0.output.1) }
    }

    @Test("Every library of the package has a page in the reference")
    func everyLibraryHasAPage() throws {
        let manifest = try String(contentsOf: Tool.package.appending(path: "Package.swift"), encoding: .utf8)
        let products = manifest.matches(of: /\.library\(name: "(\w+)"/).map { String($0.output.1) }
        #expect(Set(products) == Set(Self.libraries.keys))
        let script = try String(contentsOf: Tool.package.appending(path: "scripts/docs"), encoding: .utf8)
        for (library, targets) in Self.libraries {
            #expect(script.contains("\n" + targets.joined(separator: " ") + "\n"), "\(library)")
        }
    }

    @Test("Every public declaration, case and requirement has a doc comment", arguments: libraries.keys.sorted())
    func everyDeclarationIsDocumented(_ library: String) throws {
        let sources = try Self.sources(of: library)
        #expect(sources.reduce(0) { $0 + $1.declarations.count } > 5)
        for source in sources {
            for declaration in source.declarations where !declaration.isDocumented {
                Issue.record("\(source.path):\(declaration.line): \(declaration.text)")
            }
        }
    }

    @Test("Every public type stands among the topics of its library", arguments: libraries.keys.sorted())
    func everyTypeIsAmongTheTopics(_ library: String) throws {
        let page = try Page("docs/reference/\(library).docc/\(library).md")
        let topics = Set(Self.links(in: page.text.components(separatedBy: "## Topics")[1]))
        let types = try Self.sources(of: library).flatMap(\.types)
        #expect(topics.symmetricDifference(types).isEmpty)
    }

    @Test("What a page links to is declared", arguments: Page.reference)
    func linksLeadToDeclarations(_ page: Page) throws {
        let names = try Self.names.get()
        for link in Self.links(in: page.text) {
            for part in link.split(separator: "/") {
                let name = part.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                let isModule = Self.libraries.keys.contains(String(name)) || page.text.hasPrefix("# ``\(link)``")
                #expect(isModule || names.contains(name), "\(page.path): \(link)")
            }
        }
    }

    @Test("The articles and files that a page names exist, and its code is a program", arguments: Page.reference)
    func pathsExist(_ page: Page) {
        let folder = Tool.package.appending(path: page.path).deletingLastPathComponent()
        for match in page.text.matches(of: /<doc:(\w+)>/) {
            let file = folder.appending(path: "\(match.output.1).md")
            #expect(FileManager.default.fileExists(atPath: file.path), "\(page.path): \(match.output.1)")
        }
        for match in page.text.matches(of: /`(docs\/[\w\/-]+\.md)`/) {
            let file = Tool.package.appending(path: String(match.output.1))
            #expect(FileManager.default.fileExists(atPath: file.path), "\(page.path): \(match.output.1)")
        }
        for block in page.blocks {
            #expect(block.language == "swift" || block.detail == "output", "\(page.path): \(block.language)")
        }
    }

    /// They are compiled by `scripts/sweep-documents` only, or one while it is written.
    @Test(
        "The program of a page of the reference prints what the page shows",
        arguments: Page.reference.filter { page in
            guard !page.program.isEmpty else { return false }
            let only = settings["TRIBUTARY_DOCUMENT"] ?? ""
            return only.isEmpty ? settings["TRIBUTARY_DOCUMENT_TOOLS"] != nil : page.path == only
        })
    func output(_ page: Page) throws {
        _ = try PageRun(page).run()
    }
}
