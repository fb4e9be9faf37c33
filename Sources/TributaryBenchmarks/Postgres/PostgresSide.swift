import CTributaryTwins
import Foundation
import Tributary
import TributaryGraph
import TributaryModel
import TributaryPostgres

/// The program or API that imports into PostgreSQL.
enum PostgresSide: String, CaseIterable, Sendable {
    /// The command `tributary import` with a model.
    case command
    /// `PostgresImport` with a model.
    case library
    /// The C twin.
    case twin

    /// The users as a model with the types of PostgreSQL.
    static let model = ImportUsers.model(indexed: false, created: .date)

    /// The program that imports a file, with its arguments.
    func words(
        _ work: PostgresWork, _ file: String, model: String, into address: String, _ folder: BenchmarkFolder
    ) -> [String] {
        switch self {
        case .command:
            return [
                folder.command, "import", address, file, "--model", model, "--connections",
                "\(work.connections)", "--json", "-q",
            ] + (work == .again ? ["--again"] : [])
        case .library, .twin:
            return [BenchmarkFolder.ownPath, "postgres-side", rawValue, work.rawValue, file, address]
        }
    }

    /// Imports in this process and prints the summary.
    static func run(_ words: [String]) throws {
        guard words.count == 4, let side = PostgresSide(rawValue: words[0]), let work = PostgresWork(rawValue: words[1])
        else { throw Problem("usage: postgres-side SIDE WORK FILE ADDRESS") }
        let (file, address) = (words[2], words[3])
        switch side {
        case .command: throw Problem("the command is a separate program")
        case .twin:
            let result = twin_postgres(file, address, Int32(work.connections), work.base == nil ? 1 : 0)
            guard result.failed != 2 else { throw Problem("the twin was built without libpq; run scripts/setup") }
            guard result.failed == 0 else { throw Problem("the twin could not import \(file)") }
            let unchanged = result.read - result.inserted - result.updated
            print(
                "{\"inserted\":\(result.inserted),\"updated\":\(result.updated),\"unchanged\":\(unchanged)}")
        case .library:
            var options = ImportOptions()
            if work == .again { options.resuming = .again }
            var settings = PostgresSettings()
            settings.connections = work.connections
            let feed = try PostgresImport(
                into: PostgresAddress(address), from: [.file(file)], routes: [.rows("User")], model: Model(model),
                options: options, settings: settings)
            print(String(decoding: try JSONEncoder().encode(feed.perform().summary), as: UTF8.self))
        }
    }
}
