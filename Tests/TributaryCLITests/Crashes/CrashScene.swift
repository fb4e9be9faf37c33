import Foundation
import Testing
import TributaryTestSupport

/// A command, and the files that it finds in its folder.
struct CrashScene: Sendable, CustomTestStringConvertible {
    /// The folder of a command, which begins with the feeds of `world` outside of it.
    struct Place {
        let world: ImportWorld
        var folder: URL { world.folder.url.appending(path: "work") }
        var database: String { folder.appending(path: "app.sqlite").path }

        func run(_ words: [String], code: Int32 = 0) throws {
            let outcome = try CrashScene.command.run(words, in: folder)
            try #require(outcome.code == code && outcome.error.isEmpty, "\(words): \(outcome.error)")
        }
    }

    /// The command that is killed at moments, and run again after each kill.
    static let command = ProcessInfo.processInfo.environment["TRIBUTARY_COMMAND"].map { Tool($0) } ?? .tributary

    let name: String
    let words: [String]
    /// Whether a command that is repeated after its end does more, or fails, instead of leaving everything as it is.
    var isRepeated = false
    /// Whether each repetition is a run of its own in the journal, with the counts of what it has done.
    var hasOwnRuns = false
    /// Whether files are renamed or written without SQLite, of which simulated power cuts know nothing.
    var isDirect = false
    /// Files of SQLite that stay if the command was killed after its commit, since it does not write again.
    var leftovers: Set<String> = []
    let prepare: @Sendable (Place) throws -> Void

    var testDescription: String { name }

    /// A number for the seed.
    var number: UInt64 { name.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) } }
}
