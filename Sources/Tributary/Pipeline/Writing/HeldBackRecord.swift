import TributaryGraph
import TributaryJSON
import TributarySQLite

/// A record of a route with a setter that a first load holds back: its bytes as they came, and where they come from.
struct HeldBackRecord {
    let number: Int64
    private let raw: [UInt8]
    private let origin: RowOrigin

    /// Stores a record until the indexes of its table are there.
    static func add(
        _ record: Record, hash: UInt64, number: Int64, keepingBytes limit: Int, table: String, run: Int,
        on connection: Connection
    ) throws {
        try record.withRawBytes { raw in
            try PossibleDuplicatesTable.add(
                raw: raw, hash: hash, number: number, origin: RowOrigin(record, keepingBytes: limit).text,
                table: table, run: run, on: connection)
        }
    }

    /// Takes the next records of a table out of the store, at most so many, and so many bytes.
    static func take(
        _ limit: Int, bytes: Int, of table: String, run: Int, on connection: Connection
    ) throws -> [HeldBackRecord] {
        try PossibleDuplicatesTable.takeRaw(limit, bytes: bytes, of: table, run: run, on: connection).map {
            HeldBackRecord(number: $0.number, raw: $0.raw, origin: try RowOrigin($0.origin))
        }
    }

    /// Reads records again, and calls `body` with some at a time and what was held back of each.
    ///
    /// Each is on a line of its own: in an array, or as the member of an object that gave it its key.
    static func read(
        _ held: [HeldBackRecord], _ options: ReadOptions, _ body: ([Record], ArraySlice<HeldBackRecord>) throws -> Void
    ) throws {
        var rest = held[...]
        while let first = rest.first {
            let isKeyed = first.origin.key != nil
            let alike = rest.prefix { ($0.origin.key != nil) == isKeyed }
            rest = rest[alike.endIndex...]
            var reading = ReadOptions()
            reading.format = .ndjson
            reading.paths = [isKeyed ? .members : .elements]
            (reading.keyName, reading.valueName) = (options.keyName, options.valueName)
            // They were within the limits when they were read, and are wrapped now.
            reading.limits = options.limits.asWideAsPossible
            let lines = MemorySource(alike.flatMap(\.line), name: "records held back")
            let reader = RecordReader(from: [lines], options: reading)
            var next = alike.startIndex
            while let chunk = try reader.next() {
                let slice = alike[next..<next + chunk.count]
                next = slice.endIndex
                try body(Array(chunk), slice)
            }
        }
    }

    private var line: [UInt8] {
        // Between values a line feed is as good as a blank, and none stands in a string.
        let raw = raw.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }
        guard let key = origin.key else { return Array("[".utf8) + raw + Array("]\n".utf8) }
        return Array("{".utf8) + JSONLineWriter.quoted(key) + Array(":".utf8) + raw + Array("}\n".utf8)
    }

    /// A reject of the record as it was read again, with its place in the source.
    func reject(_ reject: Reject, of record: Record) -> Reject {
        let reason = reject.error
        let within = (reason.path ?? "").dropFirst(record.path.jsonPath.count)
        return origin.reject(reason, offset: (reason.position?.byte ?? 0) - record.position.byte, path: within)
    }
}
