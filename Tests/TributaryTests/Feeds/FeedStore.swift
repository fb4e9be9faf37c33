import Foundation
import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// A store into which feeds are imported, and queries of its state.
final class FeedStore {
    /// Closures to call, and a list to fill, while the store executes statements.
    private struct Hooks {
        var countdown: (left: Int, body: @Sendable () -> Void)?
        var nudge: (every: Int, left: Int, body: @Sendable () -> Void)?
        var statements: [String]?
    }

    let model: FeedModel
    let folder: TemporaryFolder
    private(set) var manager: ContextManager
    private let hooks = Guarded(Hooks())
    private let path: String
    private let creation: StoreOptions.Creation

    init(_ model: FeedModel, creation: StoreOptions.Creation = .whenOpened) throws {
        (self.model, self.creation) = (model, creation)
        folder = try TemporaryFolder()
        path = folder.path("feed.sqlite")
        manager = try FeedStore.open(model, path, creation, hooks)
    }

    private static func open(
        _ model: FeedModel, _ path: String, _ creation: StoreOptions.Creation, _ hooks: Guarded<Hooks>
    ) throws -> ContextManager {
        var options = StoreOptions()
        options.creation = creation
        options.trace = { event in
            guard event.duration == nil else { return }
            let due = hooks.withLock { hooks -> [@Sendable () -> Void] in
                var due: [@Sendable () -> Void] = []
                hooks.statements?.append(event.sql)
                if let (left, body) = hooks.countdown {
                    hooks.countdown = left > 1 ? (left - 1, body) : nil
                    if left <= 1 { due.append(body) }
                }
                if let (every, left, body) = hooks.nudge {
                    hooks.nudge = (every, left > 1 ? left - 1 : every, body)
                    if left <= 1 { due.append(body) }
                }
                return due
            }
            for body in due { body() }
        }
        return try ContextManager(model: model.model(), store: .sqlite(path), options: options)
    }

    var store: SQLiteStore { manager.stores.stores[0] }

    /// Closes the store and opens it again.
    func reopen() async throws {
        let old = manager
        await MainActor.run { old.close() }
        manager = try FeedStore.open(model, path, creation, hooks)
    }

    // MARK: Importing

    /// Calls `body` when so many statements have begun.
    func after(_ count: Int, _ body: @escaping @Sendable () -> Void) {
        hooks.withLock { $0.countdown = (max(1, count), body) }
    }

    /// Lets another thread ask for the writer's lock, each time when so many statements have begun.
    func nudge(every count: Int) {
        let store = store
        hooks.withLock { hooks in
            hooks.nudge = (count, count, { try? WorkerThread.start { try? store.importing { _ in } } })
        }
    }

    /// Removes the closures that `after` and `nudge` have set.
    func calm() {
        hooks.withLock { ($0.countdown, $0.nudge) = (nil, nil) }
    }

    /// An import that is ready to begin.
    func makeImport(_ sources: [any ByteSource], _ options: ImportOptions, at path: RecordPath?) -> StreamImport {
        let feed = StreamImport(
            into: manager, from: sources,
            routes: [.rows(FeedModel.entity, at: path, key: ImportKey(model.keyNames))], options: options)
        return feed
    }

    /// The statements that begin while `body` runs.
    func statements(_ body: () throws -> Void) rethrows -> [String] {
        hooks.withLock { $0.statements = [] }
        defer { hooks.withLock { $0.statements = nil } }
        try body()
        return hooks.withLock { $0.statements ?? [] }
    }

    // MARK: Results

    func rows() throws -> [String] { try model.rows(store) }

    /// The version of each row, by the number of the row.
    func versions() throws -> [Int: Int] {
        try store.read { connection in
            var versions: [Int: Int] = [:]
            try connection.forEachRow(of: "SELECT \"_pk\", \"_version\" FROM \"Item\"") { row in
                versions[Int(row.integer(at: 0))] = Int(row.integer(at: 1))
            }
            return versions
        }
    }

    /// Faults that the file must not have after any import: damage, missing indexes, deferred records.
    func faults() throws -> [String] {
        try FeedStore.faults(store)
    }

    static func faults(_ store: SQLiteStore) throws -> [String] {
        try store.read { connection in
            var faults = try connection.rows(of: "PRAGMA integrity_check").filter { $0 != ["ok"] }.map { "\($0)" }
            faults += try LoadRow.all(on: connection).map { "the load of \($0.table) is left" }
            for ending in ["-load", "-new"] where FileManager.default.fileExists(atPath: store.name + ending) {
                faults.append("a file \(ending) is left")
            }
            if try connection.hasRows("SELECT 1 FROM sqlite_master WHERE \"name\" = '_duplicate'") {
                faults.append("deferred records are left")
            }
            return faults
        }
    }

    /// The lines of a file of rejects without the number of the run and the name of the file.
    func rejects(_ name: String) throws -> [String] { try FeedStore.rejects(folder.path(name)) }

    static func rejects(_ path: String) throws -> [String] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return text.split(separator: "\n").map { line in
            String(line).replacing(/"reject":[0-9]+,"run":[0-9]+/, with: "\"run\":0").replacing(
                /"file":"[^"]*"/, with: "\"file\":\"\"")
        }
    }
}

extension ImportSummary {
    /// The counts alone.
    var tally: [Int] {
        [read, counts.inserted, counts.updated, counts.unchanged, counts.duplicate, counts.skipped, counts.rejected]
    }
}
