import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributarySQLite

/// Turns records into rows whose columns are found from the records: each key is a column, and each value stays what it is.
///
///     12 → 12     1.50 → 1.5     true → 1     "007" → "007"     {"a": 1} → {"a":1} as text
///
/// A number that neither 64 bits nor a double hold exactly stays the text that it was. Chunks are made one after the other,
/// since which column comes first depends on the order of the feed.
final class FoundMaker: Sendable {
    private let columns: Guarded<FoundColumns>
    /// The places of the key among the columns, and where its values stand in a record.
    let key: [(place: Int, path: [String])]

    /// Rows of a table that has `names`, in which the parts of the key stand.
    init(_ names: [String], key: ImportKey?) {
        columns = Guarded(FoundColumns(names))
        self.key = (key?.parts ?? []).compactMap { part in
            names.firstIndex(of: part.attribute).map { ($0, part.remote.path) }
        }
    }

    /// The names of all columns so far.
    var names: [String] { columns.withLock { $0.names } }

    /// Makes the rows of a chunk: one call at a time, in the order of the feed.
    func make(_ records: [(record: Record, ordinal: Int)], refuse: (Int, JSONError) -> Bool) -> RowBatch {
        let batch = RowBatch(width: 0)
        batch.reserve(rows: records.count)
        let cells = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: (key.map(\.place).max() ?? 0) + 1)
        defer { cells.deallocate() }
        columns.withLock { columns in
            var work = Work(columns: columns, key: key, cells: cells)
            for (index, item) in records.enumerated() {
                do {
                    try work.add(item.record, item.ordinal, to: batch)
                } catch {
                    let error = error as? JSONError ?? JSONError(.convertFormat, "\(error)")
                    if refuse(index, error) { break }
                }
            }
            columns = work.columns
            batch.width = columns.names.count
        }
        return batch
    }

    /// The making of one chunk.
    private struct Work {
        var columns: FoundColumns
        let key: [(place: Int, path: [String])]
        private let keyPlaces: [Int]
        /// The values of the record at hand, by column.
        private var values: [JSON?] = []
        private var text: [UInt8] = []
        private let cells: UnsafeMutableBufferPointer<SQLCell>
        /// The key of each member of the record before, and the column of it.
        private var shape: [(name: String, place: Int?)] = []

        init(columns: FoundColumns, key: [(place: Int, path: [String])], cells: UnsafeMutableBufferPointer<SQLCell>) {
            self.columns = columns
            self.key = key
            keyPlaces = key.map(\.place)
            self.cells = cells
        }

        mutating func add(_ record: Record, _ ordinal: Int, to batch: RowBatch) throws {
            for index in values.indices { values[index] = nil }
            var rest: [(name: String, value: JSON)] = []
            if record.value.kind == .object {
                var position = 0
                for (name, value) in record.members {
                    let place = place(of: name, position)
                    position += 1
                    if let place { values[place] = value } else { rest.append((name, value)) }
                }
            } else if let place = place(of: FoundColumns.value, 0) {
                values[place] = record.value
            }
            for part in key where part.path != [columns.names[part.place]] {
                values[part.place] = part.path.reduce(record.value) { $0[$1] }
            }
            try checkKey(record)
            let restPlace = rest.isEmpty ? -1 : columns.restPlace()
            while values.count < columns.names.count { values.append(nil) }
            batch.begin(ordinal: ordinal)
            let last = max(restPlace, values.lastIndex { $0 != nil } ?? -1)
            for place in 0..<(last + 1) {
                if place == restPlace {
                    addRest(rest, to: batch)
                } else if let value = values[place] {
                    add(value, to: batch)
                } else {
                    batch.addAbsent()
                }
            }
            batch.finish(key: keyPlaces, scratch: cells)
        }

        private mutating func place(of name: String, _ position: Int) -> Int? {
            if position < shape.count, shape[position].name == name { return shape[position].place }
            let place = columns.place(of: name)
            while values.count < columns.names.count { values.append(nil) }
            if position < shape.count {
                shape[position] = (name, place)
            } else if position == shape.count {
                shape.append((name, place))
            }
            return place
        }

        private func checkKey(_ record: Record) throws {
            for place in keyPlaces {
                let name = columns.names[place]
                guard place < values.count, let value = values[place], !value.isMissing else {
                    throw JSONError(.keyMissing, "found no member for the key \(name)", position: record.position)
                }
                if value.isNull { throw JSONError(.keyNull, "the key \(name) is null", position: record.position) }
                guard value.kind != .object, value.kind != .array else {
                    throw JSONError(
                        .keyType, "the key \(name) is \(value.kind == .array ? "an array" : "an object")",
                        position: record.position)
                }
            }
        }

        private mutating func add(_ value: JSON, to batch: RowBatch) {
            switch value.kind {
            case .missing, .null: batch.addNull()
            case .boolean: batch.add((value.read() as Bool?) == true ? 1 : 0 as Int64)
            case .string:
                var text: String = value.read() ?? ""
                text.withUTF8 { batch.add(text: UnsafeRawBufferPointer($0)) }
            case .number: FoundNumber.add(value, to: batch)
            case .array, .object:
                text.removeAll(keepingCapacity: true)
                value.appendCompact(to: &text)
                text.withUnsafeBytes { batch.add(text: $0) }
            }
        }

        /// What has no column: an object with each member once, the last one of a name.
        private mutating func addRest(_ rest: [(name: String, value: JSON)], to batch: RowBatch) {
            var writer = JSONLineWriter()
            for (index, member) in rest.enumerated()
            where !rest[(index + 1)...].contains(where: { $0.name == member.name }) {
                text.removeAll(keepingCapacity: true)
                member.value.appendCompact(to: &text)
                writer.add(member.name, json: text)
            }
            // A line of its own ends with a line feed, a value does not.
            writer.finish().dropLast().withUnsafeBytes { batch.add(text: $0) }
        }
    }
}
