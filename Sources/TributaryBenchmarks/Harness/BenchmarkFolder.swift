import CTributaryTwins
import Foundation
import TributaryJSON
import TributaryModel
import TributarySQLite

/// The files of a benchmark, and the programs that it runs in child processes, so that their time and memory are measured
/// separately.
struct BenchmarkFolder {
    /// The path of this program.
    static var ownPath: String { URL(filePath: ProcessInfo.processInfo.arguments[0]).resolvingSymlinksInPath().path }

    /// The path of the command.
    let command: String
    private let folder: URL

    /// Makes a folder, and finds the command in the folder of this program.
    init(_ name: String) throws {
        command = URL(filePath: Self.ownPath).deletingLastPathComponent().appending(path: "tributary").path
        guard FileManager.default.isExecutableFile(atPath: command) else {
            throw Problem("there is no command beside the benchmarks; run scripts/benchmark, which builds it")
        }
        folder = FileManager.default.temporaryDirectory.appending(path: "tributary-benchmarks/\(name)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// The path of a file.
    func path(_ name: String) -> String { folder.appending(path: name).path }

    /// Removes the files whose names begin with `name`.
    func clear(_ name: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for found in names where found.hasPrefix(name) { try? FileManager.default.removeItem(atPath: path(found)) }
    }

    // MARK: Children

    /// Runs a program to its end.
    func run(_ words: [String]) throws -> twin_child { try Self.run(words, output: path("output")) }

    /// What the last program has printed.
    func output() throws -> Data { try Data(contentsOf: URL(filePath: path("output"))) }

    /// Runs a program to its end, with its standard output in a file.
    static func run(_ words: [String], output: String) throws -> twin_child {
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { word in strdup(word) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        let child = twin_run_child(words[0], &arguments, output)
        guard child.code == 0 else { throw Problem("\(words.joined(separator: " ")) ended with code \(child.code)") }
        return child
    }

    /// Checks the summary that the last program has printed: all records have an outcome.
    func checkSummary(_ outcome: String, _ count: Int) throws {
        let summary = try JSONSerialization.jsonObject(with: output())
        let members = summary as? [String: Any]
        let counts = members?["counts"] as? [String: Any] ?? members
        guard counts?[outcome] as? Int == count else {
            throw Problem("instead of \(count) \(outcome), the summary is \(summary)")
        }
    }

    /// Checks the ids of a table.
    func check(_ database: String, _ table: String, ids: ClosedRange<Int>) throws {
        var options = Connection.Options()
        options.isReadOnly = true
        let connection = try Connection(.file(database), options: options)
        let found = try connection.rows(of: "SELECT count(*), sum(id) FROM \(identifier: table)")
        let sum = (ids.lowerBound + ids.upperBound) * ids.count / 2
        guard found == [[.integer(Int64(ids.count)), .integer(Int64(sum))]] else {
            throw Problem("the table \(table) has \(found)")
        }
    }

    // MARK: Files

    /// The path of a file that a command of this program makes, if it does not exist.
    ///
    /// A child process makes it, because memory of this process would count for its children.
    func file(_ name: String, _ report: Report, by words: (_ path: String) -> [String]) throws -> String {
        let path = path(name)
        if !FileManager.default.fileExists(atPath: path) {
            report.say("making \(name) …")
            _ = try run([Self.ownPath] + words(path))
        }
        return path
    }

    /// Films with the ids from 1, with or without nested objects.
    func films(_ count: Int, _ form: String, _ report: Report) throws -> String {
        try file("\(form)-\(count).ndjson", report) { ["import-films", "\(count)", form, $0] }
    }

    /// The path of a model.
    func model(_ name: String, _ model: ModelDescription) throws -> String {
        try ModelFile.write(model).write(toFile: path(name), atomically: true, encoding: .utf8)
        return path(name)
    }

    /// The line above the measurements of a file.
    func heading(_ count: Int, _ file: String, _ rounds: Int) -> String {
        "\(count) records, \((FileSource(file).byteCount ?? 0) / 1_000_000) MB; median of \(rounds) rounds, each in a child process"
    }

    /// Writes a file under another name first, so that an interrupted run leaves no incomplete one.
    static func write(to path: String, _ body: ((String) throws -> Void) throws -> Void) throws {
        let draft = path + ".draft"
        _ = FileManager.default.createFile(atPath: draft, contents: nil)
        let file = try FileHandle(forWritingTo: URL(filePath: draft))
        try body { try file.write(contentsOf: Data($0.utf8)) }
        try file.close()
        try FileManager.default.moveItem(atPath: draft, toPath: path)
    }
}
