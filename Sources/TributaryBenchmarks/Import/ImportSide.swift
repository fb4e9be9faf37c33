import CTributaryTwins
import Foundation
import Tributary

/// The program or API that imports.
enum ImportSide: String, CaseIterable, Codable, Sendable {
    /// The command `tributary import` with a model.
    case command
    /// `StreamImport` with a closure that sets typed objects.
    case closures
    /// The C twin.
    case twin

    /// The program that imports a file, with its arguments.
    func words(
        _ work: ImportWork, _ file: String, model: String, into database: String, _ folder: BenchmarkFolder
    ) -> [String] {
        switch self {
        case .command:
            var words = [folder.command, "import", database, file, "--json", "-q"]
            // The database already has its model.
            if !work.needsBase { words += ["--model", model] }
            return words + (work == .again ? ["--again"] : [])
        case .closures, .twin:
            return [BenchmarkFolder.ownPath, "import-side", rawValue, work.rawValue, file, database]
        }
    }

    /// Imports in this process and prints the summary.
    static func run(_ words: [String]) throws {
        guard words.count == 4, let side = ImportSide(rawValue: words[0]), let work = ImportWork(rawValue: words[1])
        else { throw Problem("usage: import-side SIDE WORK FILE DATABASE") }
        let (file, database) = (words[2], words[3])
        switch side {
        case .command: throw Problem("the command is a separate program")
        case .twin:
            let result = twin_import(file, database, Int32(work.indexCount), 100_000)
            guard result.failed == 0 else { throw Problem("the twin could not import \(file)") }
            print("{\"read\":\(result.records)}")
        case .closures:
            let summary = try MainActor.assumeIsolated {
                try ImportUsers.importObjects(indexed: work == .indexes, file, into: database)
            }
            print(String(decoding: try JSONEncoder().encode(summary), as: UTF8.self))
        }
    }
}
