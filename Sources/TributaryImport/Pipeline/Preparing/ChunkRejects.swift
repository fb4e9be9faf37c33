import TributaryJSON

/// The rejects of a chunk in feed order: of records, and of text between these that is none.
struct ChunkRejects {
    private(set) var all: [PreparedChunk.RouteReject] = []
    /// The number of parts that could not be read as records.
    private(set) var unreadable = 0
    private var rest: ArraySlice<Reject>
    private let isOneRoute: Bool
    private let keptBytes: Int

    /// For each route how the key of a record is read; empty if no keys are wanted.
    private let keys: [RecordKey?]

    /// The first `unreadable` rejects of a chunk.
    init(
        _ chunk: RecordChunk, unreadable: Int, isOneRoute: Bool, keepingBytes limit: Int, keys: [RecordKey?] = []
    ) {
        self.keys = keys
        rest = chunk.rejects.prefix(unreadable)
        self.isOneRoute = isOneRoute
        keptBytes = limit
    }

    /// Adds the text before a record.
    @inline(__always)
    mutating func addUnreadable(before record: Record) {
        while let reject = rest.first, reject.offset < record.offset { addNext(reject) }
    }

    /// Adds the text after the last record.
    mutating func addUnreadable() { while let reject = rest.first { addNext(reject) } }

    private mutating func addNext(_ reject: Reject) {
        // With several routes, the route of text that is not a record is unknown.
        all.append(.init(reject: reject, route: isOneRoute ? 0 : nil, isUnknown: true))
        unreadable += 1
        rest.removeFirst()
    }

    /// Adds a record.
    mutating func add(_ record: Record, _ error: JSONError, route: Int) {
        let key = keys.isEmpty ? nil : keys[route]?.values(of: record)
        all.append(
            .init(
                reject: record.reject(error, keepingBytes: keptBytes), route: route, key: key,
                isUnknown: !keys.isEmpty && key == nil))
    }
}
