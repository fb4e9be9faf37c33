import CTributaryTwins
import Foundation
import Tributary

/// Who imports.
enum ImportSide: String, CaseIterable, Codable, Sendable {
    /// The command `tributary import` with a model.
    case command
    /// `StreamImport` with a closure that sets typed objects.
    case closures
    /// The same work in C.
    case twin

    /// One import, in a process of its own.
    struct Job {
        let work: ImportWork
        let file: String
        let model: String
        let database: String
    }

    /// The program and its words.
    func words(_ job: Job, _ programs: Programs) -> [String] {
        switch self {
        case .command:
            var words = [programs.command, "import", job.file, "--into", job.database, "--json", "-q"]
            // The database keeps its model.
            if !job.work.needsBase { words += ["--model", job.model] }
            return words + (job.work == .again ? ["--again"] : [])
        case .closures, .twin:
            return [programs.benchmarks, "import-side", rawValue, job.work.rawValue, job.file, job.database]
        }
    }

    /// The programs that do the work.
    struct Programs {
        let command: String
        let benchmarks: String

        /// This program.
        static var ownPath: String {
            URL(filePath: ProcessInfo.processInfo.arguments[0]).resolvingSymlinksInPath().path
        }

        /// Both lie in one folder.
        init() throws {
            benchmarks = Programs.ownPath
            let folder = URL(filePath: benchmarks).deletingLastPathComponent()
            command = folder.appending(path: "tributary").path
            guard FileManager.default.isExecutableFile(atPath: command) else {
                throw Problem("there is no command beside the benchmarks; run scripts/benchmark, which builds it")
            }
        }
    }

    /// Does the work in this process; prints the books.
    static func run(_ words: [String]) throws {
        guard words.count == 4, let side = ImportSide(rawValue: words[0]), let work = ImportWork(rawValue: words[1])
        else { throw Problem("usage: import-side SIDE WORK FILE DATABASE") }
        let (file, database) = (words[2], words[3])
        switch side {
        case .command: throw Problem("the command is a program of its own")
        case .twin:
            let result = twin_import(file, database, Int32(work.indexCount), 100_000)
            guard result.failed == 0 else { throw Problem("the twin could not import \(file)") }
            print("{\"read\":\(result.records)}")
        case .closures:
            let summary = try MainActor.assumeIsolated {
                work == .indexes
                    ? try ImportUsers.importObjects(of: ImportUsers.IndexedUser.self, file, into: database)
                    : try ImportUsers.importObjects(of: ImportUsers.User.self, file, into: database)
            }
            print(String(decoding: try JSONEncoder().encode(summary), as: UTF8.self))
        }
    }
}
