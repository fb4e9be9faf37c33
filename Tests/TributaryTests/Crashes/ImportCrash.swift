import CTributaryFaults
import Foundation
import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary
import TributaryPlatform

/// An import with an injected fault, run in a process of its own.
struct ImportCrash: Codable, Sendable, CustomStringConvertible {
    /// The fault, and the time at which it occurs.
    enum Fault: Codable, Sendable {
        /// The process dies at this call that changes files, or after the store is closed if there are fewer calls.
        case call(mode: Int, number: Int, seed: UInt64)
        /// The process is killed when so many statements have begun.
        case statement(Int)
        /// The process is killed at a random moment, when a thread has counted this far.
        case moment(Int)
        /// The disk is full from this call on, until the import has failed.
        case full(mode: Int, number: Int)
        /// No file can grow beyond so many bytes, until the import has failed.
        case fileSize(Int)
    }

    var fault: Fault
    /// The database.
    var path: String
    var source: String
    var usesLog = true
    /// Whether an empty table is filled page by page.
    var isDirect = false
    /// Whether the database gets its name at the end.
    var isUnpublished = false
    /// Whether to count the statements and calls of an import without a fault.
    var counts = false

    var rejects: String { path + "-rejects.ndjson" }
    var description: String { "\(usesLog ? "WAL" : "DELETE"), \(isDirect ? "direct" : "in groups"), \(fault)" }

    /// Opens the database.
    func manager(_ trace: (@Sendable (TraceEvent) -> Void)? = nil) throws -> ContextManager {
        var options = StoreOptions()
        options.usesWriteAheadLog = usesLog
        options.trace = trace
        options.creation = isUnpublished ? .afterFirstImport : .whenOpened
        return try ContextManager(model: Model(FeedItem.self), store: .sqlite(path), options: options)
    }

    /// Imports, or resumes an earlier import.
    func perform(_ manager: ContextManager) throws -> ImportOutcome {
        var options = ImportOptions.batches(of: 20, rejects: rejects)
        options.resuming = .resume
        options.firstLoad = isDirect ? .direct : .inGroups
        // Soon more keys than the filter can tell apart.
        options.loadBytes = usesLog ? nil : 64
        // It marks all rows of the feed, and deletes none.
        options.sync = SyncOptions(feed: "feed")
        let feed = StreamImport(
            into: manager, from: [FileSource(source)],
            routes: [.rows("FeedItem", at: "[]")], options: options)
        return try feed.perform()
    }

    /// A feed with repeated keys, missing values, values of the wrong type, and damage.
    static func feed(_ count: Int, _ lots: inout SeededGenerator) -> [UInt8] {
        let records = (0..<count).map { number -> String in
            let id = lots.once(in: 4) ? lots.below(max(1, number)) : number
            let padding = String(repeating: "x", count: lots.below(120))
            if lots.once(in: 15) { return "{\"id\":\(id),\"score\":\(number).5}" }
            if lots.once(in: 20) { return "{\"id\":\(id),\"name\":\(number)}" }
            if number > 0, lots.once(in: 20) { return "{\"id\":\(id),\"name\" \"\(padding)\"}" }
            return "{\"id\":\(id),\"name\":\"\(number) \(padding)\",\"score\":\(lots.below(100))}"
        }
        return Array("[\(records.joined(separator: ",\n"))]".utf8)
    }

    // MARK: In a process of its own

    /// Runs the import; the process dies if the fault demands it, and exits normally otherwise.
    func work() async throws {
        guard faults_install() == 0 else { exit(3) }
        let due = Guarded<Int?>(nil)
        let begun = Guarded(0)
        // Another writer asks for the store at every 40th statement, so that the import commits many groups.
        let store = Guarded<SQLiteStore?>(nil)
        let manager = try manager { event in
            guard event.duration == nil else { return }
            let number = begun.next()
            if let point = due.withLock({ $0 }), number == point { die() }
            if number % 40 == 0, let store = store.withLock({ $0 }) {
                try? WorkerThread.start { try? store.importing { _ in } }
            }
        }
        store.withLock { $0 = manager.stores.stores[0] }
        begun.withLock { $0 = 0 }
        switch fault {
        case .call(let mode, let number, let seed): faults_arm(Int32(mode), number, 0, seed)
        case .statement(let number): due.withLock { $0 = number }
        case .moment(let count):
            Thread {
                var lots = SeededGenerator(seed: 1)
                var sum: UInt64 = 0
                for _ in 0..<count { sum &+= lots.next() }
                if sum != 1 { die() }
            }
            .start()
        case .full(let mode, let number):
            faults_arm(Int32(mode), number, 1, 0)
            if (try? perform(manager)) == nil { try Data().write(to: URL(filePath: path + "-failed")) }
            _ = faults_disarm()
            // An error while a new database gets its name closes it; it is opened again by the test.
            do { _ = try perform(manager) } catch { if !isUnpublished { throw error } }
            exit(0)
        case .fileSize(let bytes):
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit()
            getrlimit(fileSizeLimit, &limit)
            let free = limit.rlim_cur
            limit.rlim_cur = rlim_t(bytes)
            setrlimit(fileSizeLimit, &limit)
            let failed = (try? perform(manager)) == nil
            limit.rlim_cur = free
            setrlimit(fileSizeLimit, &limit)
            if failed { try Data().write(to: URL(filePath: path + "-failed")) }
            _ = try perform(manager)
            exit(0)
        }
        _ = try perform(manager)
        let calls = counts ? faults_disarm() : 0
        let statements = begun.withLock { $0 }
        await MainActor.run { manager.close() }
        let all = counts ? faults_disarm() : 0
        if counts { try Data("\(calls) \(all) \(statements)".utf8).write(to: URL(filePath: path + "-counts")) }
        faults_strike()
    }
}

private func die() {
    kill(getpid(), SIGKILL)
    while true { pause() }
}

#if canImport(Glibc)
    private let fileSizeLimit = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
#else
    private let fileSizeLimit = RLIMIT_FSIZE
#endif
