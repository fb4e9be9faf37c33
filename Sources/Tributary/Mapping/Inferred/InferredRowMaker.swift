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
final class InferredRowMaker: Sendable {
    private let columns: Guarded<InferredColumns>
    /// The places of the key among the columns, and where its values stand in a record.
    let key: [(place: Int, path: [String])]

    /// Rows of a table that has `names`, in which the parts of the key stand.
    init(_ names: [String], key: ImportKey?) {
        columns = Guarded(InferredColumns(names))
        self.key = (key?.parts ?? []).compactMap { part in
            names.firstIndex(of: part.attribute).map { ($0, part.remote.path) }
        }
    }

    /// The names of all columns so far.
    var names: [String] { columns.withLock { $0.names } }

    /// Begins a chunk: one at a time, in the order of the feed.
    func begin() -> Making { Making(self) }

    /// The making of one chunk.
    final class Making {
        let batch = RowBatch(width: 0)
        private let maker: InferredRowMaker
        private var columns: InferredColumns
        private let key: [(place: Int, path: [String])]
        private let keyPlaces: [Int]
        /// The values of the record at hand, by column.
        private var values: [JSON?] = []
        private var text: [UInt8] = []
        private let cells: UnsafeMutableBufferPointer<SQLCell>
        /// The key of each member of the record before, and the column of it.
        private var shape: [(name: String, place: Int?)] = []

        init(_ maker: InferredRowMaker) {
            self.maker = maker
            key = maker.key
            keyPlaces = key.map(\.place)
            columns = maker.columns.withLock { $0 }
            cells = .allocate(capacity: (keyPlaces.max() ?? 0) + 1)
        }

        deinit { cells.deallocate() }

        /// What was found counts from here on.
        func end() {
            let columns = columns
            maker.columns.withLock { $0 = columns }
            batch.width = columns.names.count
        }

        /// Adds the row of a record; gives back why it is refused, if it is.
        func add(_ record: Record, _ ordinal: Int) -> JSONError? {
            do {
                try add(record, ordinal, to: batch)
                return nil
            } catch {
                return error as? JSONError ?? JSONError(.convertFormat, "\(error)")
            }
        }

        private func add(_ record: Record, _ ordinal: Int, to batch: RowBatch) throws {
            // The key comes first: a record that is refused adds no columns.
            let found = try key.map { part in try keyValue(part.path, of: record, columns.names[part.place]) }
            for index in values.indices { values[index] = nil }
            var rest: [(name: String, value: JSON)] = []
            if record.value.kind == .object {
                var position = 0
                for (name, value) in record.members {
                    let place = place(of: name, position)
                    position += 1
                    if let place { values[place] = value } else { rest.append((name, value)) }
                }
            } else if let place = place(of: InferredColumns.value, 0) {
                values[place] = record.value
            }
            while values.count < columns.names.count { values.append(nil) }
            for (part, value) in zip(key, found) {
                // A member that has the name of the key, which comes from elsewhere.
                if part.path != [columns.names[part.place]], let member = values[part.place] {
                    rest.append((columns.names[part.place], member))
                }
                values[part.place] = value
            }
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

        private func place(of name: String, _ position: Int) -> Int? {
            if position < shape.count, shape[position].name.hasBytes(of: name) { return shape[position].place }
            let place = columns.place(of: name)
            while values.count < columns.names.count { values.append(nil) }
            if position < shape.count {
                shape[position] = (name, place)
            } else if position == shape.count {
                shape.append((name, place))
            }
            return place
        }

        private func keyValue(_ path: [String], of record: Record, _ name: String) throws -> JSON {
            let value = path.reduce(record.value) { $0[$1] }
            record.clearFailure()
            switch value.kind {
            case .missing:
                throw JSONError(.keyMissing, "found no member for the key \(name)", position: record.position)
            case .null: throw JSONError(.keyNull, "the key \(name) is null", position: record.position)
            case .array, .object:
                throw JSONError(
                    .keyType, "the key \(name) is \(value.kind == .array ? "an array" : "an object")",
                    position: record.position)
            case .number where !InferredNumber.isNumber(value):
                throw JSONError(
                    .keyType, "the key \(name) is a number that neither 64 bits nor a double hold",
                    hint: "let it be text", position: record.position)
            case .boolean where key.count == 1:
                // A part of a key may well be one; alone it would be that of the records with 1 and 0.
                throw JSONError(
                    .keyType, "the key \(name) is true or false, which SQLite keeps as 1 and 0",
                    position: record.position)
            case .boolean, .number, .string: return value
            }
        }

        private func add(_ value: JSON, to batch: RowBatch) {
            switch value.kind {
            case .missing, .null: batch.addNull()
            case .boolean: batch.add((value.read() as Bool?) == true ? 1 : 0 as Int64)
            case .string:
                var text: String = value.read() ?? ""
                text.withUTF8 { batch.add(text: UnsafeRawBufferPointer($0)) }
            case .number: InferredNumber.add(value, to: batch)
            case .array, .object:
                text.removeAll(keepingCapacity: true)
                value.appendCompact(to: &text)
                text.withUnsafeBytes { batch.add(text: $0) }
            }
        }

        /// What has no column: an object with each member once, the last one of a name.
        private func addRest(_ rest: [(name: String, value: JSON)], to batch: RowBatch) {
            var writer = JSONLineWriter()
            for (index, member) in rest.enumerated()
            where !rest[(index + 1)...].contains(where: { $0.name.hasBytes(of: member.name) }) {
                text.removeAll(keepingCapacity: true)
                member.value.appendCompact(to: &text)
                writer.add(member.name, json: text)
            }
            // A line of its own ends with a line feed, a value does not.
            writer.finish().dropLast().withUnsafeBytes { batch.add(text: $0) }
        }
    }
}
