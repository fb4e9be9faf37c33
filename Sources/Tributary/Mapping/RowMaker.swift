import TributaryGraph
import TributaryJSON
import TributarySQLite

/// Turns records into rows of plain bytes, straight from the bytes of the source.
///
/// `Coercion` defines which values are valid; this class has a fast path for the most frequent ones.
final class RowMaker: Sendable {
    /// The fast path for the values of a column.
    private enum FastPath: Sendable {
        case integer(ClosedRange<Int64>)
        case double
        case text
        case boolean
        case json
        case none
    }

    /// The properties needed for each value; trivial, so that no references are counted.
    private struct Column: Sendable {
        let fastPath: FastPath
        let isKey: Bool
        let isMandatory: Bool
        /// Whether a new row must have a value for it.
        let needsValue: Bool
    }

    /// The properties needed for values outside the fast path.
    private struct Detail: Sendable {
        let coercion: Coercion
        /// The validation rules of the model; nil if it has none.
        let bounds: AttributeBounds?
        let name: String
    }

    let table: BulkTable
    let paths: [[String]]
    private let columns: [Column]
    private let details: [Detail]
    private let projection: Projection

    /// Rows of `table`, with the values at `paths` in a record.
    init(_ table: BulkTable, attributes: [AttributeProperty], paths: [[String]]) {
        self.table = table
        self.paths = paths
        projection = Projection(paths)
        let details = attributes.enumerated().map { index, attribute in
            Detail(
                coercion: Coercion(attribute, isKey: table.key.contains(index)), bounds: AttributeBounds(attribute),
                name: attribute.name)
        }
        columns = attributes.indices.map { index in
            let column = table.columns[index]
            return Column(
                fastPath: details[index].bounds == nil ? RowMaker.fastPath(attributes[index].type) : .none,
                isKey: table.key.contains(index), isMandatory: column.isMandatory,
                needsValue: column.isMandatory && column.defaultValue == .null)
        }
        self.details = details
    }

    private static func fastPath(_ type: AttributeType) -> FastPath {
        switch type {
        case .integer16: .integer(Int64(Int16.min)...Int64(Int16.max))
        case .integer32: .integer(Int64(Int32.min)...Int64(Int32.max))
        case .integer64: .integer(Int64.min...Int64.max)
        case .double: .double
        case .string: .text
        case .boolean: .boolean
        case .json: .json
        default: .none
        }
    }

    /// Buffers that are reused for each record.
    struct Scratch: ~Copyable {
        var values = ProjectedValues()
        var text: [UInt8] = []
        let cells: UnsafeMutableBufferPointer<SQLCell>
        /// For each column whether a record had a value for it, null included.
        let matched: UnsafeMutableBufferPointer<Bool>

        init(_ maker: RowMaker) {
            cells = .allocate(capacity: maker.table.columns.count)
            matched = .allocate(capacity: maker.table.columns.count)
            matched.initialize(repeating: false)
        }

        deinit {
            cells.deallocate()
            matched.deallocate()
        }
    }

    /// For each column whether a record had a value for it.
    func matched(_ scratch: inout Scratch) -> [Bool] { Array(scratch.matched) }

    /// Adds the row of a record to `batch`; returns why the record is rejected, or nil.
    func add(_ record: Record, ordinal: Int, to batch: RowBatch, _ scratch: inout Scratch) -> JSONError? {
        projection.project(record, into: &scratch.values)
        batch.begin(ordinal: ordinal)
        var isIncomplete = false
        for index in columns.indices {
            do {
                if try !add(index, record, to: batch, &scratch) { isIncomplete = true }
            } catch {
                batch.removeLast()
                return error as? JSONError ?? JSONError(.convertFormat, "\(error)")
            }
        }
        if isIncomplete { batch.markIncomplete() }
        batch.finish(key: table.key, scratch: scratch.cells)
        return nil
    }

    /// Adds one value; false if it is missing and a new row must have it.
    @inline(__always)
    private func add(_ index: Int, _ record: Record, to batch: RowBatch, _ scratch: inout Scratch) throws -> Bool {
        let column = columns[index]
        let value = scratch.values.raw(index)
        if case .missing = value {} else { scratch.matched[index] = true }
        switch (value, column.fastPath) {
        case (.missing, _):
            if column.isKey { throw MissingKey.error(details[index].name, paths[index], in: record) }
            batch.addAbsent()
            return !column.needsValue
        case (.null, _):
            if column.isKey { throw lacks(.keyNull, "the key \(details[index].name) is null", record) }
            if column.isMandatory {
                throw lacks(.validateRequired, "\(details[index].name) is required and cannot be null", record)
            }
            batch.addNull()
        case (.text(let text), .text): batch.add(text: UnsafeRawBufferPointer(text))
        case (.escapedText(let text), .text):
            batch.withRoomForText(text.count) { RawValue.decode(text, into: $0) }
        case (.number(let text), .integer(let range)):
            guard let value = RawValue.integer(text), range.contains(value) else {
                return try addSlowly(index, record, to: batch, &scratch)
            }
            batch.add(value)
        case (.number(let text), .double):
            guard let value = RawValue.double(text) else { return try addSlowly(index, record, to: batch, &scratch) }
            batch.add(value)
        case (.boolean(let value), .boolean): batch.add(value ? 1 : 0 as Int64)
        case (.container, .json):
            scratch.values.withCompactBytes(index, &scratch.text) { batch.add(text: $0) }
        default: return try addSlowly(index, record, to: batch, &scratch)
        }
        return true
    }

    private func addSlowly(
        _ index: Int, _ record: Record, to batch: RowBatch, _ scratch: inout Scratch
    ) throws -> Bool {
        let value: JSON = scratch.values[index]
        if value.isMissing {
            // A value on the path is not an object; the record remembers which.
            let failure = record.failure
            record.clearFailure()
            throw failure ?? value.mismatch(expected: "an object")
        }
        let stored: SQLValue
        do {
            stored = try details[index].coercion.value(value)
        } catch let error as JSONError where columns[index].isKey {
            var refusal = JSONError(.keyType, error.reason, hint: error.hint, position: error.position)
            refusal.path = error.path
            throw refusal
        }
        if let fault = details[index].bounds?.faults(stored: stored).first {
            throw JSONError(
                RecordBatch.code(fault.code), "\(details[index].name) \(fault.reason)", position: record.position)
        }
        batch.add(stored)
        return true
    }

    private func lacks(_ code: JSONError.Code, _ reason: String, _ record: Record) -> JSONError {
        JSONError(code, reason, position: record.position)
    }
}
