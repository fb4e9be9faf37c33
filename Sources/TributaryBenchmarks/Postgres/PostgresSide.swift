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

    /// One import, which runs in a child process.
    struct Job {
        let file: String
        let model: String
        let address: String
        let connections: Int
        /// Whether there is no table yet.
        let isFirst: Bool
        /// Whether the same file was imported before.
        let isAgain: Bool
    }

    /// The users as a model with the types of PostgreSQL.
    static let model = ImportUsers.model(indexed: false, created: .date)

    /// The program with its arguments.
    func words(_ job: Job, _ folder: BenchmarkFolder) -> [String] {
        switch self {
        case .command:
            return [
                folder.command, "import", job.file, "--into", job.address, "--model", job.model, "--connections",
                "\(job.connections)", "--json", "-q",
            ] + (job.isAgain ? ["--again"] : [])
        case .library, .twin:
            return [
                BenchmarkFolder.ownPath, "postgres-side", rawValue, job.file, job.address, "\(job.connections)",
                job.isFirst ? "first" : job.isAgain ? "again" : "more",
            ]
        }
    }

    /// Imports in this process and prints the summary.
    static func run(_ words: [String]) throws {
        guard words.count == 5, let side = PostgresSide(rawValue: words[0]), let connections = Int(words[3]),
            ["first", "more", "again"].contains(words[4])
        else { throw Problem("usage: postgres-side SIDE FILE ADDRESS CONNECTIONS first|more|again") }
        let (file, address) = (words[1], words[2])
        switch side {
        case .command: throw Problem("the command is a separate program")
        case .twin:
            let result = twin_postgres(file, address, Int32(connections), words[4] == "first" ? 1 : 0)
            guard result.failed != 2 else { throw Problem("the twin was built without libpq; run scripts/setup") }
            guard result.failed == 0 else { throw Problem("the twin could not import \(file)") }
            let unchanged = result.read - result.inserted - result.updated
            print(
                "{\"inserted\":\(result.inserted),\"updated\":\(result.updated),\"unchanged\":\(unchanged)}")
        case .library:
            var options = ImportOptions()
            if words[4] == "again" { options.resuming = .again }
            var settings = PostgresSettings()
            settings.connections = connections
            let feed = try PostgresImport(
                into: PostgresAddress(address), from: [.file(file)], routes: [.rows("User")], model: Model(model),
                options: options, settings: settings)
            print(String(decoding: try JSONEncoder().encode(feed.perform().summary), as: UTF8.self))
        }
    }
}
