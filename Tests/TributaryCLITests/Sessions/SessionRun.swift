import Foundation
import TributaryTestSupport

/// Plays the sessions of consecutive seeds, and shrinks the first ones that fail.
struct SessionRun: Codable, Sendable {
    var firstSeed: UInt64
    var count: Int
    /// The path of a command that plays the sessions; nil to play them in this process.
    var command: String?
    /// Whether the databases are schemas of PostgreSQL.
    var isPostgres = false
    /// The number of failing sessions after which it ends.
    var limit = 5
    /// The file that gets what was found.
    var report: String

    func play() throws {
        let runner: any SessionRunner = try command.map { ChildSessionRunner(tool: Tool($0)) } ?? OwnSessionRunner()
        let base = try TemporaryFolder()
        var report: [String] = []
        for seed in firstSeed..<(firstSeed + UInt64(count)) {
            var maker = SessionMaker(seed: seed, isPostgres: isPostgres)
            let session = maker.make()
            guard let difference = play(session, base, runner) else { continue }
            var shrinker = SessionShrinker(session, difference) { play($0, base, runner) }
            shrinker.shrink()
            report.append(
                """
                seed \(seed), \(shrinker.session.steps.count) steps after \(shrinker.attempts) attempts: \
                \(shrinker.difference)
                \(shrinker.session.shellText)
                """)
            try Data(report.joined(separator: "\n\n").utf8).write(to: URL(filePath: self.report))
            if report.count >= limit { break }
        }
    }

    private func play(_ session: Session, _ base: TemporaryFolder, _ runner: any SessionRunner) -> SessionDifference? {
        let folder = base.path("session")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        do {
            let database = session.isPostgres ? try PostgresServer.shared().newSchemaText() : nil
            var player = SessionPlayer(session, in: folder, database: database, runner)
            try player.play()
            return nil
        } catch let difference as SessionDifference {
            return difference
        } catch {
            return SessionDifference("error: \(error)", step: session.steps.count - 1)
        }
    }
}
