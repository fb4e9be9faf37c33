import Foundation
import TributarySQLite
import TributaryTestSupport

/// Exports the database of a session, runs the printed commands, and compares the tables of both databases.
struct SessionExport {
    let session: Session
    let place: SessionPlace
    let check: SessionCheck
    let runner: any SessionRunner

    /// - Throws: `SessionDifference` if rows differ, or there is no export.
    func play() throws {
        let folder = "\(place.folder).export"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let outcome = try runner.run(["export", place.database, "--to", folder])
        guard outcome.code == 0 else {
            // Only a first import that was interrupted has no database yet.
            if outcome.error.contains("first import has not finished") { return }
            throw SessionDifference("export: \(outcome.code) \(outcome.error)")
        }
        let copy = "\(folder)/copy.sqlite"
        for line in outcome.output.split(separator: "\n") where line.hasPrefix("tributary ") {
            var words = line.replacing("'", with: "").split(separator: " ").dropFirst().map(String.init)
            if words.count > 1 { words[1] = copy }
            let made = try runner.run(words + ["-q"])
            guard made.code == 0 else { throw SessionDifference("\(line): \(made.code) \(made.error)") }
        }
        let before = try check.tables(of: place.database)
        let after = FileManager.default.fileExists(atPath: copy) ? try check.tables(of: copy) : [:]
        // Tables of other programs are exported by their names where there are entities.
        let isOwn = session.definitions.contains { !$0.isForeign && before[$0.name] != nil }
        for definition in session.definitions where !(isOwn && definition.isForeign) {
            // An inferred table has no room for so many columns: the last ones are in `_rest`.
            if definition.columns.count > 990 { continue }
            var left = after[definition.name] ?? []
            for row in before[definition.name] ?? [] {
                guard let found = left.firstIndex(of: row) else {
                    throw SessionDifference("row of \(definition.name): \(row), and its export made \(left)")
                }
                left.remove(at: found)
            }
            guard left.isEmpty else { throw SessionDifference("an export of \(definition.name) made \(left)") }
        }
    }
}
