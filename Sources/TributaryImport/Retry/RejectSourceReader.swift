import TributaryStore
import TributaryJSON

/// Reads rejects from the store or from a file, in their order.
struct RejectSourceReader {
    /// A reject as the reader sees it.
    enum Entry {
        /// A record that can be imported again, with its bytes if they differ from those in the store.
        case record(RejectedRecord, edited: [UInt8]?)
        /// The reject has no row: it was imported since, or forgotten.
        case gone
        /// Only the first bytes of the record are kept, or the line is not JSON.
        case unusable
        /// The ID of the line belongs to another reject here, so the line comes from another store.
        case foreign
    }

    private let store: any ImportStore
    private var file: RejectsReader?
    private var run: Int?
    private var page: ArraySlice<RejectedRecord> = []
    private var last: Int64 = 0

    init(_ source: RejectSource, _ store: any ImportStore) {
        self.store = store
        switch source {
        case .store(let run): self.run = run
        case .file(let file): self.file = RejectsReader(file)
        }
    }

    /// The next one; nil at the end.
    mutating func next() throws -> Entry? {
        guard file != nil else {
            if page.isEmpty { page = try store.rejects(after: last, run: run) }
            guard let record = page.popFirst() else { return nil }
            last = record.id
            return record.canBeRetried ? .record(record, edited: nil) : .unusable
        }
        switch try file?.next() {
        case nil: return nil
        case .unreadable: return .unusable
        case .reject(let record):
            guard record.canBeRetried else { return .unusable }
            guard record.id > 0 else { return .record(record, edited: nil) }
            guard let known = try store.reject(record.id) else { return .gone }
            guard known.isSame(as: record) else { return .foreign }
            return .record(record, edited: known.raw == record.raw ? nil : record.raw)
        }
    }
}
