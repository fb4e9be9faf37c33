import Foundation
import Testing
import TributaryTestSupport

/// A program of generated classes, a module for each model, linked with the objects of the running test build.
///
/// The program prints a line for each model: `OK`, or the first difference between the model that the classes declare
/// and the one in the file.
struct GeneratedProgram {
    private let folder: TemporaryFolder
    private let program: SwiftProgram
    private var names: [(module: String, source: String)] = []

    init(_ folder: TemporaryFolder) throws {
        self.folder = folder
        program = try SwiftProgram(folder)
    }

    /// Generates the classes of a model, and compiles them as a module of their own.
    mutating func add(_ source: String, _ access: String, change: (URL) throws -> Void = { _ in }) throws {
        let module = "Model\(names.count)"
        let classes = folder.url.appending(path: module)
        let outcome = try Tool.tributary.run(
            ["generate", source, "--output", classes.path, "--access", access, "--quiet"])
        try #require(outcome.code == 0, "\(outcome.error)")
        try change(classes)
        let files = try FileManager.default.contentsOfDirectory(atPath: classes.path).sorted()
        let main = try #require(files.first { $0.hasPrefix("Model+") })
        let text = try String(contentsOf: classes.appending(path: main), encoding: .utf8)
        let function = try #require(text.firstMatch(of: /static func (\S+)\(\)/)).output.1
        try """
        public import Tributary

        public func declared() throws -> Model { try .\(function)() }
        """.write(to: classes.appending(path: "Own.swift"), atomically: true, encoding: .utf8)
        try program.compile(
            ["-parse-as-library", "-wmo", "-c", "-module-name", module, "-emit-module", "-emit-module-path"]
                + ["\(module).swiftmodule", "-o", "\(module).o"] + (files + ["Own.swift"]).map { "\(module)/\($0)" })
        names.append((module, source))
    }

    /// Compiles and runs the program.
    ///
    /// - Returns: A line for each model.
    func run() throws -> [String] {
        let calls = names.map { "compare(\($0.module).declared, #\"\($0.source)\"#)" }
        let text = """
            import Tributary
            \(names.map { "import \($0.module)" }.joined(separator: "\n"))

            \(Self.comparison)
            \(calls.joined(separator: "\n"))
            """
        _ = try folder.write(text.utf8, to: "main.swift")
        try program.compile(["-c", "main.swift", "-module-name", "Program", "-o", "main.o"])
        let outcome = try program.link(names.map { "\($0.module).o" } + ["main.o"]).run([])
        try #require(outcome.code == 0, "\(outcome.error)")
        return outcome.lines
    }

    /// The names of classes are those of the program, so they are not compared.
    private static let comparison = """
        @MainActor func compare(_ declared: () throws -> Model, _ path: String) {
            do {
                var source = try ModelFile.read(path)
                let model = try declared()
                var made = model.declaration
                for index in source.entities.indices { source.entities[index].className = nil }
                for index in made.entities.indices { made.entities[index].className = nil }
                let manager = try ContextManager(model: model, store: .memory)
                for entity in model.entities where !entity.isAbstract {
                    _ = try manager.mainContext.insert(entity: entity.name)
                }
                manager.close()
                let (one, other) = (ModelFile.write(source), ModelFile.write(made))
                if source == made, one == other, try model.versionHashes() == Model(source).versionHashes() {
                    return print("OK")
                }
                let lines = zip(one.split(separator: "\\n"), other.split(separator: "\\n")).first { $0 != $1 }
                print(lines.map { "expected \\($0), found \\($1)" } ?? "differs where XML does not: \\(source) \\(made)")
            } catch {
                print("\\(error)".split(separator: "\\n").joined(separator: " "))
            }
        }
        """
}
