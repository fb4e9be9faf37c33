import CTributaryTwins
import Foundation
import Tributary
import TributaryConcurrency

/// Measures the delay of the main queue while an import changes objects that the main context shows.
///
/// It also measures the delay while the C twin does the same work, because on a busy machine any thread has to wait.
enum ImportFrames {
    /// The measured delays, in milliseconds.
    struct Waits: Codable {
        var count = 0
        var median = 0.0
        var ninetyNinth = 0.0
        /// The delay that 999 of 1,000 do not exceed.
        var thousandth = 0.0
        var longest = 0.0

        init(_ seconds: [Double]) {
            let sorted = seconds.sorted().map { $0 * 1000 }
            guard let last = sorted.last else { return }
            count = sorted.count
            median = sorted[count / 2]
            ninetyNinth = sorted[min(count - 1, count * 99 / 100)]
            thousandth = sorted[min(count - 1, count * 999 / 1000)]
            longest = last
        }
    }

    /// The number of objects in the main context.
    private static let shown = 1000

    /// The number of rows of the controller.
    private static let followed = 100_000

    /// What the main context shows during the import.
    enum Show: String, CaseIterable {
        /// Nothing, during an import of the C twin.
        case twin
        /// Objects that were fetched.
        case objects
        /// The results of a controller.
        case controller

        /// The program that makes the database.
        var side: ImportSide { self == .twin ? .twin : .command }

        /// The text for the report.
        var text: String {
            switch self {
            case .twin: "C twin, no main context"
            case .objects: "StreamImport, \(shown) objects shown"
            case .controller: "StreamImport, a controller on \(followed) rows"
            }
        }
    }

    /// Measures in this process and prints the delays; `words` are `SHOW FILE DATABASE`, a database with the users.
    static func run(_ words: [String]) throws {
        guard words.count == 3, let show = Show(rawValue: words[0]) else {
            throw Problem("usage: import-frames \(Show.allCases.map(\.rawValue).joined(separator: "|")) FILE DATABASE")
        }
        let waits = try MainActor.assumeIsolated {
            switch show {
            case .twin:
                try watch {
                    guard twin_import(words[1], words[2], 1, 100_000).failed == 0 else {
                        throw Problem("the twin failed")
                    }
                }
            case .objects: try ours(words[1], words[2])
            case .controller: try controller(words[1], words[2])
            }
        }
        print(String(decoding: try JSONEncoder().encode(waits), as: UTF8.self))
    }

    @MainActor private static func ours(_ file: String, _ database: String) throws -> Waits {
        let manager = try ContextManager(model: Model(ImportUsers.model(indexed: false)), store: .sqlite(database))
        var request = FetchRequest<ManagedObject>(entity: "User", sort: [SortKey("id")])
        request.limit = shown
        let users = try manager.mainContext.fetch(request)
        let before = users.map { $0["name"] }
        let feed = StreamImport(into: manager, from: [.file(file)], routes: [.rows("User")])
        let waits = try watch { _ = try feed.perform() }
        guard zip(users, before).contains(where: { $0["name"] != $1 }) else {
            throw Problem("the main context did not receive the changes of the import")
        }
        manager.close()
        return waits
    }

    @MainActor private static func controller(_ file: String, _ database: String) throws -> Waits {
        let manager = try ContextManager(model: Model(ImportUsers.model(indexed: false)), store: .sqlite(database))
        let request = FetchRequest<ManagedObject>(
            entity: "User", where: "id <= \(followed)", sort: [SortKey("city"), SortKey("name")])
        let results = try FetchedResultsController(request, in: manager.mainContext, sectionKeyPath: "city")
        let (seconds, _) = try Duration.measure { try results.performFetch() }
        FileHandle.standardError.write(Data("the first fetch took \(seconds) s\n".utf8))
        var reloads = 0
        let observation = results.observe { reloads += $0.isReload ? 1 : 0 }
        let feed = StreamImport(into: manager, from: [.file(file)], routes: [.rows("User")])
        let waits = try watch { _ = try feed.perform() }
        while !results.isUpToDate { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.01)) }
        guard reloads > 0, results.count == followed, try results.ids == manager.mainContext.ids(request) else {
            throw Problem("the controller has \(results.count) rows after \(reloads) reloads")
        }
        withExtendedLifetime(observation) {}
        manager.close()
        return waits
    }

    /// Runs `body` on another thread, and measures the delay of the main queue every 4 milliseconds.
    @MainActor private static func watch(_ body: @escaping @Sendable () throws -> Void) throws -> Waits {
        let seconds = Guarded<[Double]>([])
        let result = Guarded<Result<Void, any Error>?>(nil)
        let isOver = Monitor(false)
        try WorkerThread.start {
            let outcome = Result { try body() }
            result.withLock { $0 = outcome }
        }
        try WorkerThread.start {
            while isOver.wait(milliseconds: 4, until: { $0 ? true : nil }) == nil {
                let asked = ContinuousClock.now
                DispatchQueue.main.async {
                    let waited = (ContinuousClock.now - asked).seconds
                    seconds.withLock { $0.append(waited) }
                }
            }
        }
        while result.withLock({ $0 == nil }) { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.005)) }
        isOver.update { $0 = true }
        // The blocks that are already in the main queue are run before the end.
        RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.05))
        try result.withLock { $0 }?.get()
        return Waits(seconds.withLock { $0 })
    }
}
