import Foundation
import Testing
import TributaryTestSupport

/// Compiles Swift files with the modules of the running test build, and links them with its objects.
struct SwiftProgram {
    let folder: TemporaryFolder
    private let flags: [String]

    init(_ folder: TemporaryFolder) throws {
        self.folder = folder
        let sources = Tool.package.appending(path: "Sources")
        let modules = try FileManager.default.contentsOfDirectory(atPath: sources.path).sorted()
            .map { sources.appending(path: "\($0)/module.modulemap").path }
            .filter { FileManager.default.fileExists(atPath: $0) }
        let maps =
            modules
            + ["CTributaryThread", "CTributaryStructure"].map {
                Self.products.appending(path: "\($0).build/module.modulemap").path
            }
        flags =
            ["-swift-version", "6", "-enable-upcoming-feature", "MemberImportVisibility"]
            + [
                "-I", Self.products.appending(path: "Modules").path, "-I", folder.url.path, "-package-name",
                "generated",
            ]
            + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] } + Self.sanitizer
    }

    /// The folder of the products of the running test build.
    private static let products = URL(filePath: Tool.tributary.path).deletingLastPathComponent()

    /// The sanitizer of the test build, which `scripts/sweep-sanitizers` keeps in a folder with its name.
    private static var sanitizer: [String] {
        ["address", "thread"].filter { products.path.contains("/sanitize-\($0)/") }.map { "-sanitize=\($0)" }
    }

    /// Compiles in the folder; warnings fail.
    func compile(_ arguments: [String]) throws {
        let outcome = try Tool("/usr/bin/env").run(["swiftc"] + flags + arguments, in: folder.url)
        try #require(outcome.code == 0 && !outcome.error.contains("warning:"), "\(outcome.error)\n\(outcome.text)")
    }

    /// Links objects with the library into a program, and returns it.
    func link(_ objects: [String]) throws -> Tool {
        func list(_ product: String) throws -> [Substring] {
            let list = Self.products.appending(path: "\(product).product/Objects.LinkFileList")
            return try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
        }
        // The command has no objects, which the tests have.
        let library =
            try list("tributary").filter { !$0.contains("/TributaryCLI.build/") }
            + list("tributaryPackageTests").filter {
                $0.contains("/TributaryGraph.build/") || $0.contains("/Tributary.build/")
            }
        _ = try folder.write(library.joined(separator: "\n").utf8, to: "objects")
        try compile(objects + ["@objects", "-o", "program"])
        return Tool(folder.path("program"))
    }
}
