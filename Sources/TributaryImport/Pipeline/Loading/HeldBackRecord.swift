import TributaryStore
import TributaryJSON
import TributarySQLite

/// A record that a load holds back: its original bytes, and its origin.
struct HeldBackRecord {
    /// The primary key of its object, if it inserts one.
    let primaryKey: Int64
    let origin: RecordOrigin
    /// Its key, if it was a member of an object of records.
    let key: String?
    let raw: ArraySlice<UInt8>
    /// What its load has noted with it.
    var note = ""
    /// The name of the source from which the records are read again.
    private static let source = "records held back"

    /// Stores a record until the rows of the load are in their table.
    static func insert(
        _ record: Record, hash: UInt64 = 0, primaryKey: Int64 = 0, note: String = "", table: String, run: Int,
        on connection: Connection
    ) throws {
        try bytes(of: record).withUnsafeBytes { bytes in
            try PossibleDuplicatesTable.insert(
                bytes, hash: hash, primaryKey: primaryKey, origin: note, table: table, run: run, on: connection)
        }
    }

    /// Removes and returns the next records of a table, limited in number and bytes.
    static func removeNext(
        _ limit: Int, bytes: Int, of table: String, run: Int, on connection: Connection
    ) throws -> [HeldBackRecord] {
        try PossibleDuplicatesTable.removeNext(limit, bytes: bytes, of: table, run: run, on: connection).map { row in
            guard var record = HeldBackRecord(primaryKey: row.primaryKey, row.bytes) else {
                throw ImportError(
                    .journal, "\(connection.name): a record that run \(run) has held back cannot be read",
                    hint: "begin again with resuming set to .restart")
            }
            record.note = row.origin
            return record
        }
    }

    /// Parses records again, and calls `body` with some of them at a time.
    ///
    /// Each record is on a line of its own: in an array, or as the member of an object if a member name is its key.
    static func read(
        _ held: [HeldBackRecord], _ options: ReadOptions, _ body: ([Record], ArraySlice<HeldBackRecord>) throws -> Void
    ) throws {
        var rest = held[...]
        while let first = rest.first {
            let isKeyed = first.key != nil
            let alike = rest.prefix { ($0.key != nil) == isKeyed }
            rest = rest[alike.endIndex...]
            var reading = ReadOptions()
            reading.format = .ndjson
            reading.paths = [isKeyed ? .members : .elements]
            (reading.keyName, reading.valueName) = (options.keyName, options.valueName)
            // The records were within the limits when they were read; the array or object around them may exceed these.
            reading.limits = options.limits.asWideAsPossible
            let lines = MemorySource(alike.flatMap(\.line), name: source)
            let reader = RecordReader(from: [lines], options: reading)
            var next = alike.startIndex
            while let chunk = try reader.next() {
                let slice = alike[next..<next + chunk.count]
                next = slice.endIndex
                let records = Array(chunk)
                for (record, held) in zip(records, slice) { record.setOrigin(held.origin) }
                try body(records, slice)
            }
        }
    }

    private var line: [UInt8] {
        // A line feed in JSON is always white space, never part of a string.
        let raw = raw.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }
        guard let key else { return Array("[".utf8) + raw + Array("]\n".utf8) }
        return Array("{".utf8) + JSONLineWriter.quoted(key) + Array(":".utf8) + raw + Array("}\n".utf8)
    }

    /// A reject of the parsed record, with its position in the original source.
    func reject(_ reject: Reject, of record: Record, keepingBytes limit: Int) -> Reject {
        let reason = reject.error
        let path = reason.path ?? ""
        // A failed conversion has its path and position in the copy.
        let within = path == record.path.jsonPath ? "" : path.dropFirst(record.pathInText.jsonPath.count)
        let isOfCopy = reason.position?.file == HeldBackRecord.source
        let offset = isOfCopy ? (reason.position?.byte ?? 0) - record.offset : 0
        return RowOrigin(origin, length: raw.count, raw: raw.prefix(limit), key: key)
            .reject(reason, offset: offset, path: within)
    }
}
