import Foundation
import TributaryConcurrency
package import TributarySQLite

/// Sorts the entries of an index in the store's order, in bounded memory.
///
/// Entries are sorted in memory by the first eight bytes of their order, then by their values. If they exceed the memory,
/// each sorted part goes to an unlinked file, and the parts are merged at the end. Another thread sorts and writes a part
/// while further entries are added.
package final class KeySorter {
    /// What the thread that sorts uses, one part at a time.
    private struct Work {
        var parts: [SortedPart] = []
        var file: UnlinkedFile?
        var failure: (any Error)?
        /// The entries of the part that was sorted last, to be filled again.
        var idle: KeyBatch?
        var isSorting = false
    }

    private let byteLimit: Int
    private let folder: String
    // One thread adds entries, and no access to a field overlaps another: the check for each row would cost time.

    @exclusivity(unchecked) private var batch: KeyBatch
    /// `work` is used by one thread at a time: the one that sorts, and then, after a wait, the one that adds.
    private let work: Monitor<Work>

    /// A sorter for entries of `columnCount` columns and a row, that uses about `byteLimit` bytes of memory, and files in `folder`.
    package init(columnCount: Int, byteLimit: Int, folder: String) {
        self.byteLimit = max(byteLimit, 1 << 10)
        self.folder = folder
        batch = KeyBatch(columnCount: columnCount)
        work = Monitor(Work(idle: KeyBatch(columnCount: columnCount)))
    }

    /// Adds an entry, the record of its columns and its row, whose first column is `first`; rows ascend.
    package func add(_ record: UnsafeRawBufferPointer, first: SQLCell) throws {
        batch.add(record, first: first)
        // Another part is sorted meanwhile.
        if batch.byteCount >= byteLimit / 2 { try endPart() }
    }

    /// Sorts and writes the entries so far on another thread.
    private func endPart() throws {
        let idle = try waitForPart() ?? KeyBatch(columnCount: batch.columnCount)
        let full = UncheckedTransfer(batch)
        batch = idle
        work.update { $0.isSorting = true }
        let (work, folder) = (work, folder)
        do {
            try WorkerThread.start(named: "index") { KeySorter.write(full.value, to: work, folder) }
        } catch {
            KeySorter.write(full.value, to: work, folder)
        }
    }

    /// Waits for the part that is being written; returns a batch to fill.
    private func waitForPart() throws -> KeyBatch? {
        let (failure, idle) = work.wait { work -> (failure: (any Error)?, idle: UncheckedTransfer<KeyBatch?>)? in
            guard !work.isSorting else { return nil }
            defer { work.idle = nil }
            return (work.failure, UncheckedTransfer(work.idle))
        }
        if let failure { throw failure }
        return idle.value
    }

    private static func write(_ batch: KeyBatch, to work: Monitor<Work>, _ folder: String) {
        batch.sort()
        // Nothing else uses the parts until the part is written.
        let (last, known) = work.read { (UncheckedTransfer($0.parts.last), UncheckedTransfer($0.file)) }
        let result = Result {
            let file = try known.value ?? UnlinkedFile(in: folder)
            let part = try SortedPart(in: file, at: last.value?.range.upperBound ?? 0) { try batch.forEach($0) }
            return UncheckedTransfer((file, part))
        }
        batch.removeAll()
        let idle = UncheckedTransfer(batch)
        work.update { work in
            switch result {
            case .success(let written):
                work.file = written.value.0
                work.parts.append(written.value.1)
            case .failure(let error): work.failure = error
            }
            work.idle = idle.value
            work.isSorting = false
        }
    }

    /// Sorts all entries, and returns them as at most `count` ranges, in order; the sorter is empty then.
    package func ranges(_ count: Int) throws -> [SortedRange] {
        _ = try waitForPart()
        defer {
            batch = KeyBatch(columnCount: batch.columnCount)
            work.update { $0 = Work() }
        }
        let isWhole = work.read { $0.parts.isEmpty }
        guard !isWhole else {
            batch.sort()
            return [SortedRange(batch)]
        }
        if !batch.entries.isEmpty {
            try endPart()
            _ = try waitForPart()
        }
        let parts = work.read { UncheckedTransfer($0.parts) }
        return SortedRange.divide(parts.value, into: count, byteLimit: byteLimit / max(1, count))
    }
}
