import Foundation
import TributaryConcurrency
import TributaryJSON

import Tributary

/// A source of records that blocks in the middle until it is opened, and an import of it on a thread of its own.
final class Gate: Sendable {
    private let reached = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)
    private let done = DispatchSemaphore(value: 0)
    private let result = Guarded<Result<ImportOutcome, any Error>?>(nil)
    let source: FeedSource

    /// Blocks after so many of `records`.
    init(_ records: [String], after place: Int) {
        let (reached, opened) = (reached, opened)
        var source = FeedSource(name: "gate", bytes: Array("[\(records.joined(separator: ","))]".utf8), piece: 64)
        source.event = (
            records[..<place].reduce(1) { $0 + $1.utf8.count + 1 },
            .call {
                reached.signal()
                opened.wait()
            }
        )
        self.source = source
    }

    /// Starts an import of the source, and waits until it is blocked and so many records are committed.
    func begin(_ feed: StreamImport, _ items: ItemStore, committed count: Int) throws {
        let (result, done) = (result, done)
        Thread {
            let outcome = Result { try feed.perform() }
            result.withLock { $0 = outcome }
            done.signal()
        }
        .start()
        reached.wait()
        // A waiting writer makes the import commit its group.
        while feed.summary.read < count, result.withLock({ $0 }) == nil { try items.store.importing { _ in } }
    }

    /// Unblocks the source.
    func open() { opened.signal() }

    /// Waits for the end of the import.
    func end() throws -> ImportSummary {
        done.wait()
        guard let outcome = result.withLock({ $0 }) else { fatalError("an import that is done has a result") }
        return try outcome.get().summary
    }
}
