import Foundation
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// A store into which seats are imported in one of several ways.
struct SeatStore {
    enum Way: CaseIterable, Sendable {
        /// As rows.
        case rows
        /// By a closure.
        case closure
        /// As rows, of which SQL computes an attribute.
        case derived
    }

    let way: Way
    let folder: TemporaryFolder
    let manager: ContextManager

    init(_ way: Way) throws {
        self.way = way
        folder = try TemporaryFolder()
        manager = try ContextManager(
            model: Model(Seat.self, NamedSeat.self), store: .sqlite(folder.path("seats.sqlite")))
    }

    var store: SQLiteStore { manager.stores.stores[0] }
    private var table: String { way == .derived ? "NamedSeat" : "Seat" }
    private var rejects: String { folder.path("rejects.ndjson") }

    /// The route by which records become seats.
    var route: ImportRoute {
        guard way == .closure else { return .rows(table, at: "[]", key: "id") }
        return .objects(Seat.self, at: "[]", key: "id") { record, seat in
            if !record["j"].isMissing { seat.j = record["j"] }
            if !record["s"].isMissing { seat.s = record["s"] }
        }
    }

    /// Imports a text, and keeps the rejects of this import only.
    func take(_ text: String, _ change: (inout ImportOptions) -> Void = { _ in }) throws -> ImportSummary {
        var options = ImportOptions()
        options.jobs = 2
        options.onError = .quarantine
        options.rejects = rejects
        change(&options)
        try? FileManager.default.removeItem(atPath: rejects)
        return try manager.load(.text(text), [route], options)
    }

    /// All rows: number, id, j, s.
    func rows() throws -> [String] {
        try store.read { connection in
            try connection.rows(
                of: "SELECT \"_pk\", \"id\", \"j\", \"s\" FROM \(identifier: table) ORDER BY \"_pk\""
            )
            .map { row in
                row.map { value in
                    switch value {
                    case .integer(let value): "\(value)"
                    case .text(let text): text
                    default: "-"
                    }
                }
                .joined(separator: " ")
            }
        }
    }

    /// The lines of rejects of the latest import.
    func rejectedLines() throws -> [String] { try FeedStore.rejects(rejects) }

    /// The rejected records of the latest import, each with its error code.
    func refused() throws -> [String] {
        var refused: [String] = []
        var reader = RejectsReader(FileSource(rejects))
        guard FileManager.default.fileExists(atPath: rejects) else { return [] }
        while case .reject(let line, _)? = try reader.next() { refused.append("\(line.record ?? 0) \(line.code)") }
        return refused
    }

    /// Faults of the file, and of the values of the derived attribute.
    func faults() throws -> [String] {
        let faults = try FeedStore.faults(store)
        guard way == .derived else { return faults }
        let plain: [SQLValue: SQLValue] = ["Ä": "a", "b": "b", .null: .null]
        let rows = try store.read { try $0.rows(of: "SELECT \"s\", \"plain\" FROM \"NamedSeat\"") }
        return faults + rows.filter { plain[$0[0]] != $0[1] }.map { "\($0[0]) has become \($0[1])" }
    }
}
