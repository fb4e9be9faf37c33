import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributarySQLite

/// Turns records into rows with inferred columns: each JSON key is a column, and each value is stored as it is.
///
///     12 → 12     1.50 → 1.5     true → 1     "007" → "007"     {"a": 1} → {"a":1} as text
///
/// A number that neither 64 bits nor a double holds exactly is stored as its text. Chunks are prepared one after the
/// other, because the order of the columns is that of the feed.
final class InferredRowMaker: Sendable {
    private let columns: Guarded<InferredColumns>
    /// The columns of the key, and the paths of their values in a record.
    let key: [(column: Int, path: [String])]

    /// Rows of a table with the columns `names`, those of the key included.
    init(_ names: [String], key: ImportKey?) {
        columns = Guarded(InferredColumns(names))
        self.key = (key?.parts ?? []).compactMap { part in
            names.firstIndex(of: part.attribute).map { ($0, part.remote.path) }
        }
    }

    /// The names of all columns so far.
    var names: [String] { columns.withLock { $0.names } }

    /// Begins a chunk; chunks are prepared one at a time, in feed order.
    func begin() -> ChunkRows { ChunkRows(self) }

    /// The rows of a chunk in preparation.
    final class ChunkRows {
        let batch = RowBatch(width: 0)
        private let maker: InferredRowMaker
        private var columns: InferredColumns
        private let key: [(column: Int, path: [String])]
        private let keyColumns: [Int]
        /// The values of the current record, by column.
        private var values: [JSON?] = []
        private var text: [UInt8] = []
        private let cells: UnsafeMutableBufferPointer<SQLCell>
        /// The names of the members of the previous record, and their columns.
        private var shape: [(name: String, column: Int?)] = []

        init(_ maker: InferredRowMaker) {
            self.maker = maker
            key = maker.key
            keyColumns = key.map(\.column)
            columns = maker.columns.withLock { $0 }
            cells = .allocate(capacity: (keyColumns.max() ?? 0) + 1)
        }

        deinit { cells.deallocate() }

        /// Keeps the columns of this chunk for later chunks.
        func end() {
            let columns = columns
            maker.columns.withLock { $0 = columns }
            batch.width = columns.names.count
        }

        /// Adds the row of a record; returns why it is rejected, or nil.
        func add(_ record: Record, _ ordinal: Int) -> JSONError? {
            do {
                try add(record, ordinal, to: batch)
                return nil
            } catch {
                return error as? JSONError ?? JSONError(.convertFormat, "\(error)")
            }
        }

        private func add(_ record: Record, _ ordinal: Int, to batch: RowBatch) throws {
            // The key is read first, so that a rejected record adds no columns.
            let found = try key.map { part in try keyValue(part.path, of: record, columns.names[part.column]) }
            for index in values.indices { values[index] = nil }
            var rest: [(name: String, value: JSON)] = []
            if record.value.kind == .object {
                var position = 0
                for (name, value) in record.members {
                    let column = column(of: name, position)
                    position += 1
                    if let column { values[column] = value } else { rest.append((name, value)) }
                }
            } else if let column = column(of: InferredColumns.value, 0) {
                values[column] = record.value
            }
            while values.count < columns.names.count { values.append(nil) }
            for (part, value) in zip(key, found) {
                // A member with the name of the key, whose value has another path.
                if part.path != [columns.names[part.column]], let member = values[part.column] {
                    rest.append((columns.names[part.column], member))
                }
                values[part.column] = value
            }
            let restColumn = rest.isEmpty ? -1 : columns.restIndex()
            while values.count < columns.names.count { values.append(nil) }
            batch.begin(ordinal: ordinal)
            let last = max(restColumn, values.lastIndex { $0 != nil } ?? -1)
            for column in 0..<(last + 1) {
                if column == restColumn {
                    addRest(rest, to: batch)
                } else if let value = values[column] {
                    add(value, to: batch)
                } else {
                    batch.addAbsent()
                }
            }
            batch.finish(key: keyColumns, scratch: cells)
        }

        private func column(of name: String, _ position: Int) -> Int? {
            if position < shape.count, shape[position].name.hasBytes(of: name) { return shape[position].column }
            let column = columns.index(of: name)
            while values.count < columns.names.count { values.append(nil) }
            if position < shape.count {
                shape[position] = (name, column)
            } else if position == shape.count {
                shape.append((name, column))
            }
            return column
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
                    .keyType, "the key \(name) is a number that neither 64 bits nor a double holds exactly",
                    hint: "write it as text in the source", position: record.position)
            case .boolean where key.count == 1:
                // Only in a key of several attributes: alone it would be equal to the key 1 or 0.
                throw JSONError(
                    .keyType, "the key \(name) is true or false, which SQLite stores as 1 and 0",
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

        /// Adds members without a column as one JSON object; of members with one name it has the last.
        private func addRest(_ rest: [(name: String, value: JSON)], to batch: RowBatch) {
            var writer = JSONLineWriter()
            for (index, member) in rest.enumerated()
            where !rest[(index + 1)...].contains(where: { $0.name.hasBytes(of: member.name) }) {
                text.removeAll(keepingCapacity: true)
                member.value.appendCompact(to: &text)
                writer.add(member.name, json: text)
            }
            // The writer ends a line with a line feed, which is no part of the value.
            writer.finish().dropLast().withUnsafeBytes { batch.add(text: $0) }
        }
    }
}
