import Foundation
import Testing
import TributaryTestSupport

/// `docs/ARCHITECTURE.md`, its pictures and `docs/adding.md`, compared with the package that they describe.
@Suite struct ArchitectureTests {
    private static let sources = Tool.package.appending(path: "Sources")
    private static let tests = Tool.package.appending(path: "Tests")

    private let document: String

    init() throws { document = try Self.text("docs/ARCHITECTURE.md") }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Tool.package.appending(path: path), encoding: .utf8)
    }

    private static func isFolder(_ url: URL) -> Bool {
        (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? false
    }

    /// The paths of the Swift files in a folder and its subfolders.
    private static func swiftFiles(in folder: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
    }

    // MARK: Targets

    /// The dependencies of the targets in `Package.swift` that have sources.
    private static func packageTargets(tests: Bool = false) throws -> [String: Set<String>] {
        let manifest = try text("Package.swift")
        let compressions = manifest.matches(of: /\("\w+", "(\w+)", "[^"]+", "\w+"\)/).map { String($0.output.1) }
        var targets: [String: Set<String>] = [:]
        let pattern = tests ? /\.testTarget\(\s*name: "(\w+)"/ : /\.(?:target|executableTarget)\(\s*name: "(\w+)"/
        for match in manifest.matches(of: pattern) {
            var depth = 1
            let rest = manifest[match.range.upperBound...].prefix { character in
                if character == "(" { depth += 1 }
                if character == ")" { depth -= 1 }
                return depth > 0
            }
            var dependencies = Set(rest.matches(of: /"(\w+)"/).map { String($0.output.1) })
            if rest.contains("compressions.map") { dependencies.formUnion(compressions) }
            targets[String(match.output.1)] = dependencies
        }
        return targets
    }

    /// The lines of the diagram, each a target and its dependencies, in their order.
    private func diagram() throws -> [(target: String, dependencies: [String])] {
        let blocks = document.components(separatedBy: "```").map { $0.drop { $0 != "\n" } }
        try #require(blocks.count > 2)
        return try blocks[1].replacing(/\n +/, with: " ").split(separator: "\n").map { line in
            let sides = line.components(separatedBy: "->")
            try #require(sides.count == 2, "\(line)")
            let names = sides[1].components(separatedBy: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            return (sides[0].trimmingCharacters(in: .whitespaces), names.filter { !$0.isEmpty })
        }
    }

    @Test("The diagram of targets equals Package.swift")
    func diagramEqualsPackage() throws {
        let (lines, expected) = (try diagram(), try Self.packageTargets())
        #expect(expected.count > 10 && lines.count == expected.count)
        for line in lines {
            #expect(expected[line.target] == Set(line.dependencies), "\(line.target)")
        }
    }

    @Test("Each target of the diagram depends only on targets above it")
    func lowerTargetsComeFirst() throws {
        let lines = try diagram()
        var earlier: Set<String> = []
        for line in lines {
            for dependency in line.dependencies where lines.contains(where: { $0.target == dependency }) {
                #expect(earlier.contains(dependency), "\(line.target) depends on \(dependency)")
            }
            earlier.insert(line.target)
        }
    }

    @Test("The picture of targets has every target, and an arrow for each dependency between targets of Swift")
    func pictureEqualsPackage() throws {
        let picture = try Self.text("docs/targets.svg")
        let targets = try Self.packageTargets()
        let words = Set(picture.split { !($0.isLetter || $0.isNumber) })
        let names = targets.reduce(into: Set(targets.keys)) { $0.formUnion($1.value) }
        for name in names { #expect(words.contains(Substring(name)), "\(name)") }
        let arrows = picture.matches(of: /id="(\w+-\w+)"/).map { String($0.output.1) }
        let expected = targets.flatMap { target, dependencies in
            dependencies.filter { !$0.hasPrefix("C") && !target.hasPrefix("C") }.map { "\(target)-\($0)" }
        }
        #expect(arrows.sorted() == expected.sorted())
    }

    @Test("Every imported module of the package is within the reach of the dependencies", arguments: [false, true])
    func importsAreDeclared(_ tests: Bool) throws {
        let folder = tests ? Self.tests : Self.sources
        let targets = try Self.packageTargets()
        func reach(_ dependencies: Set<String>) -> Set<String> {
            dependencies.reduce(into: dependencies) { $0.formUnion(reach(targets[$1] ?? [])) }
        }
        for (target, dependencies) in try Self.packageTargets(tests: tests) {
            let directory = folder.appending(path: target)
            var imported: Set<String> = []
            for path in try Self.swiftFiles(in: directory) {
                let text = try String(contentsOf: directory.appending(path: path), encoding: .utf8)
                let pattern = /(?m)^ {0,4}(?:(?:@\w+|package|public|internal) )*import (?:\w+ )?(C?Tributary\w*)/
                imported.formUnion(text.matches(of: pattern).map { String($0.output.1) })
            }
            #expect(imported.subtracting(reach(dependencies)).isEmpty, "\(target)")
        }
    }

    @Test("The architecture document names every target")
    func everyTargetIsNamed() throws {
        let words = Set(document.split { !($0.isLetter || $0.isNumber) })
        for target in try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
        where Self.isFolder(Self.sources.appending(path: target)) {
            #expect(words.contains(Substring(target)), "\(target)")
        }
    }

    // MARK: Names

    @Test("The architecture document has at most 900 words")
    func documentIsShort() {
        #expect(document.split(whereSeparator: \.isWhitespace).count <= 900)
    }

    @Test(
        "Every folder and file that the documents name exists",
        arguments: [("docs/ARCHITECTURE.md", 40), ("docs/adding.md", 60)])
    func pathsExist(_ document: String, _ least: Int) throws {
        let pattern = /\w+(?:\/[\w+]+)+(?:\.(?:swift|md|schema\.json))?/
        let paths = try Self.text(document).matches(of: pattern).map { String($0.output) }
        #expect(paths.count > least)
        for path in paths {
            let isWhole = ["Sources/", "Tests/", "docs/"].contains { path.hasPrefix($0) }
            let url = (isWhole ? Tool.package : Self.sources).appending(path: path)
            if [".swift", ".md", ".json"].contains(where: path.hasSuffix) {
                #expect(FileManager.default.fileExists(atPath: url.path), "\(path)")
            } else {
                #expect(Self.isFolder(url), "\(path)")
            }
        }
    }

    @Test("Every type that the architecture document and its pictures name has a file")
    func typesExist() throws {
        // The database has the form of a name.
        var known: Set<Substring> = ["PostgreSQL"]
        for folder in [Self.sources, Self.tests] {
            for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
                known.formUnion(path.split { "/+.".contains($0) })
            }
        }
        let pattern = /\b[A-Z][a-z]+[A-Z]\w*/
        let types = document.matches(of: pattern).map { $0.output }
        #expect(types.count > 60)
        let pictures = try Self.text("docs/targets.svg") + Self.text("docs/threads.svg")
        for type in types + pictures.matches(of: pattern).map(\.output) { #expect(known.contains(type), "\(type)") }
    }

    @Test("The test of every invariant exists")
    func testsOfInvariantsExist() throws {
        var known: Set<Substring> = []
        for path in try Self.swiftFiles(in: Self.tests) {
            let text = try String(contentsOf: Self.tests.appending(path: path), encoding: .utf8)
            var isTest = false
            for line in text.split(separator: "\n") {
                if line.contains("@Test") { isTest = true }
                guard isTest, let start = line.firstRange(of: "func ") else { continue }
                known.insert(line[start.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
                isTest = false
            }
        }
        let section = try #require(document.components(separatedBy: "## Invariants").last)
        let names = section.matches(of: /\| `(\w+)`\n/).map { $0.output.1 }
        #expect(names.count == 8)
        for name in names { #expect(known.contains(name), "\(name)") }
    }

    // MARK: SQL

    @Test("SQL text is only in the folders that the architecture document names")
    func sqlIsInItsFolders() throws {
        let start = try #require(document.firstRange(of: "SQL text is in these folders only:"))
        let sentence = document[start.upperBound...].prefix { $0 != ";" }
        let stated = Set(sentence.matches(of: /`([\w\/]+)`/).map { String($0.output.1) })
        let words = ["SELECT ", "INSERT ", "UPDATE ", "DELETE FROM ", "CREATE ", "DROP ", "ALTER ", "PRAGMA "]
        var found: Set<String> = []
        let executing = ["TributarySQLite", "TributaryStore", "TributaryPostgres"]
        for path in try Self.swiftFiles(in: Self.sources)
        where !executing.contains(where: { path.hasPrefix($0 + "/") }) {
            let text = try String(contentsOf: Self.sources.appending(path: path), encoding: .utf8)
            let lines = text.split(separator: "\n").filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }
            guard lines.contains(where: { line in words.contains { line.contains($0) } }) else { continue }
            #expect(executing.contains { text.contains("import \($0)") }, "\(path)")
            found.insert(path.split(separator: "/").dropLast().joined(separator: "/"))
        }
        #expect(found == stated)
    }

    // MARK: Limits

    @Test("Every error code of the limits document exists")
    func codesOfLimitsExist() throws {
        var sources = ""
        for path in try Self.swiftFiles(in: Self.sources) {
            sources += try String(contentsOf: Self.sources.appending(path: path), encoding: .utf8)
        }
        let pattern = /`([a-z]+\.[a-z-]+)`/
        let codes = Set(try Self.text("docs/limits.md").matches(of: pattern).map { String($0.output.1) })
        #expect(codes.count > 30)
        for code in codes { #expect(sources.contains("\"\(code)\""), "\(code)") }
    }
}
