import Foundation
import Testing
import TributaryTestSupport

/// `scripts/install` with the built command, and what the packages need.
@Suite struct InstallTests {
    private let folder: TemporaryFolder
    private static let files = [
        "bin/tributary", "share/bash-completion/completions/tributary",
        "share/fish/vendor_completions.d/tributary.fish",
        "share/man/man1/tributary.1", "share/tributary/installed", "share/zsh/site-functions/_tributary",
    ]

    init() throws { folder = try TemporaryFolder() }

    /// Runs the script with the prefix `usr` in the folder.
    private func install(_ arguments: String...) throws -> Tool.Outcome {
        let script = Tool.package.appending(path: "scripts/install").path
        return try Tool("/usr/bin/env").run(
            ["TRIBUTARY_PROGRAM=\(Tool.tributary.path)", script] + arguments + ["--prefix", "usr"], in: folder.url)
    }

    /// The paths of all files below the prefix, and those of folders.
    private func found() -> (files: [String], folders: [String]) {
        let paths = FileManager.default.enumerator(atPath: folder.path("usr"))?.compactMap { $0 as? String } ?? []
        let isFolder = { (path: String) in
            (try? FileManager.default.contentsOfDirectory(atPath: folder.path("usr/\(path)"))) != nil
        }
        return (paths.filter { !isFolder($0) }.sorted(), paths.filter(isFolder))
    }

    @Test("An installation is removed without a trace, and removing it again changes nothing")
    func removal() throws {
        try install().expect(0, text: "installed \(folder.path("usr/bin/tributary"))")
        #expect(found().files.filter { !$0.hasPrefix("share/man/man1/tributary-") } == Self.files)
        #expect(found().files.contains("share/man/man1/tributary-import.1"))
        let command = Tool(folder.path("usr/bin/tributary"))
        #expect(try command.run(["--version"]).text == Tool.tributary.run(["--version"]).text)
        // An update replaces what is there.
        try install().expect(0)
        try install("--uninstall").expect(0, text: "removed \(folder.path("usr/bin/tributary"))")
        #expect(!FileManager.default.fileExists(atPath: folder.path("usr")))
        try install("--uninstall").expect(0, text: "nothing to remove")
    }

    @Test("Folders that were there before, and files of others, stay")
    func others() throws {
        let manager = FileManager.default
        for name in ["bin", "share/man/man1"] {
            try manager.createDirectory(atPath: folder.path("usr/\(name)"), withIntermediateDirectories: true)
        }
        _ = try folder.write("mine".utf8, to: "usr/bin/other")
        try install().expect(0)
        try install("--uninstall").expect(0)
        #expect(found().files == ["bin/other"])
        #expect(Set(found().folders) == ["bin", "share", "share/man", "share/man/man1"])
    }

    @Test("A file that was changed is neither removed nor replaced")
    func changedFile() throws {
        try install().expect(0)
        _ = try folder.write("changed".utf8, to: "usr/share/man/man1/tributary.1")
        try install().expect(1, error: "man1/tributary.1 is there, and is not as scripts/install left it")
        try install("--uninstall").expect(0, error: "man1/tributary.1 was changed after the installation; it stays")
        #expect(found().files == ["share/man/man1/tributary.1"])
        try install().expect(1, error: "man1/tributary.1 is there")
        #expect(found().files == ["share/man/man1/tributary.1"])
    }

    @Test("The changelog begins with the version of the command")
    func version() throws {
        let version = try Tool.tributary.run(["--version"]).text.dropFirst("tributary ".count).dropLast()
        let changelog = try String(contentsOf: Tool.package.appending(path: "CHANGELOG.md"), encoding: .utf8)
        let heading = try #require(changelog.split(separator: "\n").first { $0.hasPrefix("## ") })
        #expect(heading.split(separator: " ").dropFirst().first == version)
    }

    private static let shellcheck = [
        "/usr/bin/shellcheck", "/usr/local/bin/shellcheck", "/opt/homebrew/bin/shellcheck",
    ]
    .first(where: FileManager.default.isExecutableFile)

    @Test("shellcheck has no warning for the scripts", .enabled(if: shellcheck != nil))
    func scripts() throws {
        let scripts = Tool.package.appending(path: "scripts")
        let paths = try FileManager.default.contentsOfDirectory(atPath: scripts.path).sorted()
            .map { scripts.appending(path: $0).path }
            .filter { try String(contentsOfFile: $0, encoding: .utf8).prefix(16).contains(/^#!\/bin\/(ba)?sh\n/) }
        #expect(paths.count > 20)
        try Tool(#require(Self.shellcheck)).run(["--severity=warning"] + paths).expect(0, output: "")
    }
}
