import TributaryStore
import TributaryJSON
import TributarySQLite

/// Turns records, and objects inside of records, into rows of plain bytes, straight from the bytes of the source.
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
        /// A date as ISO 8601.
        case date
        /// A value that is stored as it is, if it is of one of these kinds.
        case inferred(ValueKinds)
        /// The members without a column of their own, as one JSON object.
        case rest
        /// The name of the source of the record.
        case source
        /// The key of the object in a dictionary.
        case key
        /// A value of a dictionary, as it is.
        case whole
        case none
    }

    /// The properties needed for each value; trivial, so that no references are counted.
    private struct Column: Sendable {
        let fastPath: FastPath
        let isKey: Bool
        let isMandatory: Bool
        /// Whether a new row must have a value for it.
        let needsValue: Bool
        /// Whether null leaves the value as it is.
        let keepsNull: Bool
        /// The first of the paths after its own one, and their number.
        let firstFurtherPath: Int
        let furtherPathCount: Int
    }

    /// The properties needed for values outside the fast path.
    private struct Detail: Sendable {
        let mapped: MappedAttribute
        /// The validation rules of the model; nil if it has none.
        let bounds: AttributeBounds?
    }

    let table: BulkTable
    let mapping: EntityMapping
    /// For each attribute the path at which its value is looked for first.
    let paths: [[String]]
    /// The index of the first column of an attribute, after those of relationships.
    let firstColumn: Int
    private let columns: [Column]
    private let details: [Detail]
    private let projection: Projection
    /// For each path of the projection the index of its property, relationships after attributes.
    private let propertyOfPath: [Int]
    /// The members with a place of their own; nil if the table has no column for others.
    private let namedMembers: Set<[UInt8]>?
    /// For each relationship the indexes of its paths in the projection.
    let relationPaths: [Range<Int>]

    /// The path of the column for members without one; a member with this name would be among those.
    private static let restPath = ["\u{0}\(InferredColumns.rest)"]

    /// The path of the column for the name of the source; a member of that name is among those without a column.
    private static let sourcePath = ["\u{0}source"]

    /// The paths of the columns for the key and the value of a dictionary, beside which members of these names have none.
    private static let entryPaths = [["\u{0}key"], ["\u{0}value"]]

    /// Rows of `table`, which has the columns of the mapping after `firstColumn` columns of relationships.
    init(_ table: BulkTable, _ mapping: EntityMapping, firstColumn: Int = 0) {
        self.table = table
        self.mapping = mapping
        self.firstColumn = firstColumn
        let attributes = mapping.attributes
        let source = mapping.complete.shaping?.source
        paths = attributes.map {
            switch $0.name {
            case InferredColumns.rest: RowMaker.restPath
            case source: RowMaker.sourcePath
            case mapping.keyColumn: RowMaker.entryPaths[0]
            case mapping.valueColumn: RowMaker.entryPaths[1]
            default: $0.paths[0]
            }
        }
        var (paths, owners) = (paths, Array(attributes.indices))
        var columns: [Column] = []
        let details = attributes.map { Detail(mapped: $0, bounds: AttributeBounds($0.attribute)) }
        for (index, detail) in details.enumerated() {
            let (mapped, column) = (detail.mapped, table.columns[firstColumn + index])
            columns.append(
                Column(
                    fastPath: mapped.name == source
                        ? .source
                        : mapped.name == mapping.keyColumn
                            ? .key
                            : mapped.name == mapping.valueColumn
                                ? .whole : detail.bounds == nil ? RowMaker.fastPath(mapped) : .none,
                    isKey: mapped.isKey, isMandatory: column.isMandatory,
                    needsValue: column.isMandatory && column.defaultValue == .null,
                    keepsNull: mapped.policy == .keepNull,
                    firstFurtherPath: paths.count, furtherPathCount: mapped.paths.count - 1))
            paths += mapped.paths.dropFirst()
            owners += Array(repeating: index, count: mapped.paths.count - 1)
        }
        var aliases: [Projection.Alias] = []
        /// The spellings of a property's name, beside its paths of which `first` and `further` are the places.
        func addAliases(_ members: MemberNames.Members, _ first: Int, further: Int) {
            guard let index = members.nameIndex else { return }
            aliases += members.aliases.map { Projection.Alias($0, path: index == 0 ? first : further + index - 1) }
        }
        for (index, mapped) in attributes.enumerated() {
            addAliases(mapped.members, index, further: columns[index].firstFurtherPath)
        }
        var relationPaths: [Range<Int>] = []
        for (index, relation) in mapping.relations.enumerated() {
            relationPaths.append(paths.count..<paths.count + relation.paths.count)
            addAliases(relation.members, paths.count, further: paths.count + 1)
            paths += relation.paths
            owners += Array(repeating: attributes.count + index, count: relation.paths.count)
        }
        self.columns = columns
        let names = (paths.filter { $0 != RowMaker.restPath } + mapping.ignored).compactMap(\.first)
        namedMembers =
            paths.contains(RowMaker.restPath)
            ? Set((names + aliases.map(\.name)).map { Array($0.utf8) }) : nil
        self.details = details
        self.relationPaths = relationPaths
        propertyOfPath = owners
        projection = Projection(paths, aliases: aliases, ignored: mapping.ignored, listsOthers: true)
    }

    private static func fastPath(_ mapped: MappedAttribute) -> FastPath {
        switch mapped.attribute.type {
        case .integer16: .integer(Int64(Int16.min)...Int64(Int16.max))
        case .integer32: .integer(Int64(Int32.min)...Int64(Int32.max))
        case .integer64: .integer(Int64.min...Int64.max)
        case .double: .double
        case .string: .text
        case .boolean: .boolean
        case .json where mapped.name == InferredColumns.rest: .rest
        case .json: .json
        case .date where mapped.coercion.dates.isEmpty: .date
        case .undefined: .inferred(mapped.coercion.kinds)
        default: .none
        }
    }

    /// Buffers that are reused for each record.
    struct Scratch: ~Copyable {
        var values = ProjectedValues()
        var text: [UInt8] = []
        let cells: UnsafeMutableBufferPointer<SQLCell>
        /// For each attribute whether a record had a value for it, null included.
        let matched: UnsafeMutableBufferPointer<Bool>
        let notes = MappingNotes()
        /// The name of the object's member, which is its key if it has none.
        var name: String?

        init(_ maker: RowMaker) {
            cells = .allocate(capacity: maker.table.columns.count)
            matched = .allocate(capacity: maker.columns.count)
            matched.initialize(repeating: false)
        }

        deinit {
            cells.deallocate()
            matched.deallocate()
        }
    }

    /// For each attribute whether a record had a value for it.
    func matched(_ scratch: borrowing Scratch) -> [Bool] { Array(scratch.matched) }

    /// What became of members without a property, and of values that did not fit.
    func report(_ scratch: borrowing Scratch) -> MappingReport {
        scratch.notes.report(
            mapping.attributes.map(\.name) + mapping.relations.map(\.name), propertyOfPath: propertyOfPath)
    }

    /// Adds the row of a record to `batch`; returns why the record is rejected, or nil.
    func add(_ record: Record, ordinal: Int, to batch: RowBatch, _ scratch: inout Scratch) -> JSONError? {
        project(record.value, into: &scratch)
        batch.begin(ordinal: ordinal)
        return finish(record.value, record, to: batch, isIncomplete: false, &scratch)
    }

    /// Finds the values of a record, or of an object inside of one.
    func project(_ object: JSON, into scratch: inout Scratch) {
        // What is inside of a value that is kept as it is has no columns.
        guard mapping.valueColumn == nil else { return }
        projection.project(object, into: &scratch.values)
        scratch.notes.add(scratch.values, countsOthers: namedMembers == nil)
    }

    /// Adds the values of a projected object to the row begun last, and finishes it; returns why the record is rejected.
    ///
    /// `isIncomplete` says whether a new row lacks another value that it must have.
    func finish(
        _ object: JSON, _ record: Record, to batch: RowBatch, isIncomplete: Bool, _ scratch: inout Scratch
    ) -> JSONError? {
        var isIncomplete = isIncomplete
        for index in columns.indices {
            do {
                if try !add(index, object, record, to: batch, &scratch) { isIncomplete = true }
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
    private func add(
        _ index: Int, _ object: JSON, _ record: Record, to batch: RowBatch, _ scratch: inout Scratch
    ) throws -> Bool {
        let column = columns[index]
        if case .rest = column.fastPath {
            addRest(of: object, to: batch, index, &scratch)
            return true
        }
        if case .source = column.fastPath {
            scratch.matched[index] = true
            batch.add(.text(record.sourceName))
            return true
        }
        if case .key = column.fastPath {
            scratch.matched[index] = true
            if let name = scratch.name { batch.add(.text(name)) } else { batch.addAbsent() }
            return true
        }
        if case .whole = column.fastPath {
            scratch.matched[index] = true
            batch.add(try details[index].mapped.coercion.value(object))
            return true
        }
        let value = scratch.values.raw(index)
        if case .missing = value {} else { scratch.matched[index] = true }
        switch (value, column.fastPath) {
        case (.missing, _):
            if column.furtherPathCount > 0, try addFromFurtherPath(index, object, record, to: batch, &scratch) {
                return true
            }
            if column.isKey {
                guard let name = scratch.name, mapping.key.count == 1 else {
                    throw MissingKey.error(details[index].mapped.name, paths[index], in: object, record)
                }
                batch.add(try details[index].mapped.coercion.key(name, object))
                return true
            }
            batch.addAbsent()
            return !column.needsValue
        case (.null, _):
            if column.keepsNull, !column.isKey {
                batch.addAbsent()
                return !column.needsValue
            }
            try addNull(index, object, record, to: batch)
        case (.text(let text), .text): batch.add(text: UnsafeRawBufferPointer(text))
        case (.escapedText(let text), .text):
            batch.withRoomForText(text.count) { RawValue.decode(text, into: $0) }
        case (.number(let text), .integer(let range)):
            guard let value = RawValue.integer(text), range.contains(value) else {
                return try addSlowly(index, path: index, record, to: batch, &scratch)
            }
            batch.add(value)
        case (.number(let text), .double):
            guard let value = RawValue.double(text) else {
                return try addSlowly(index, path: index, record, to: batch, &scratch)
            }
            batch.add(value)
        case (.boolean(let value), .boolean): batch.add(value ? 1 : 0 as Int64)
        case (.text(let text), .date):
            guard let seconds = RawValue.date(text) else {
                return try addSlowly(index, path: index, record, to: batch, &scratch)
            }
            batch.add(seconds)
        case (.container, .json):
            scratch.values.withCompactBytes(index, &scratch.text) { batch.add(text: $0) }
        case (.text(let text), .inferred(let kinds)) where kinds.contains(.text):
            batch.add(text: UnsafeRawBufferPointer(text))
        case (.number(let text), .inferred(let kinds)):
            guard kinds.isSuperset(of: InferredNumber.kind(of: text)) else {
                return try addSlowly(index, path: index, record, to: batch, &scratch)
            }
            _ = InferredNumber.add(text, to: batch, .exact)
        default: return try addSlowly(index, path: index, record, to: batch, &scratch)
        }
        return true
    }

    /// Adds the members without a column of their own as one JSON object.
    private func addRest(of object: JSON, to batch: RowBatch, _ index: Int, _ scratch: inout Scratch) {
        scratch.matched[index] = true
        if case .missing = scratch.values.raw(index), !scratch.values.mayHaveOthers { return batch.addAbsent() }
        guard let namedMembers else { return batch.addAbsent() }
        let rest = object.members.filter { !namedMembers.contains(Array($0.key.utf8)) }
        guard !rest.isEmpty else { return batch.addAbsent() }
        RestMembers.add(
            rest.map { ($0.key, $0.value) }, to: batch, unwraps: mapping.unwrapsExtendedJSON, &scratch.text)
    }

    private func addNull(_ index: Int, _ object: JSON, _ record: Record, to batch: RowBatch) throws {
        let (column, mapped) = (columns[index], details[index].mapped)
        if column.isKey { throw lacks(.keyNull, "the key \(mapped.name) is null", object, record) }
        if column.isMandatory {
            guard let value = mapped.coercion.valueForNull else {
                throw lacks(.validateRequired, "\(mapped.name) is required and cannot be null", object, record)
            }
            return batch.add(value)
        }
        batch.addNull()
    }

    /// Adds the value at the first of the further paths that has one; false if there is none.
    private func addFromFurtherPath(
        _ index: Int, _ object: JSON, _ record: Record, to batch: RowBatch, _ scratch: inout Scratch
    ) throws -> Bool {
        let first = columns[index].firstFurtherPath
        for path in first..<first + columns[index].furtherPathCount {
            switch scratch.values.raw(path) {
            case .missing: continue
            case .null:
                scratch.matched[index] = true
                if columns[index].keepsNull { return false }
                try addNull(index, object, record, to: batch)
            default:
                scratch.matched[index] = true
                return try addSlowly(index, path: path, record, to: batch, &scratch)
            }
            return true
        }
        return false
    }

    /// Adds a value outside of the fast path, or what a value that does not fit becomes.
    private func addSlowly(
        _ index: Int, path: Int, _ record: Record, to batch: RowBatch, _ scratch: inout Scratch
    ) throws -> Bool {
        let mapped = details[index].mapped
        do {
            batch.add(try stored(index, path, record, &scratch))
            return true
        } catch  where mapped.mismatch != .reject && !mapped.isKey {
            let canBeNull = !columns[index].isMandatory
            guard mapped.mismatch == .keep || canBeNull else { throw error }
            scratch.notes.addUnfit(index)
            if mapped.mismatch == .null {
                batch.addNull()
                return true
            }
            batch.addAbsent()
            return !columns[index].needsValue
        }
    }

    private func stored(_ index: Int, _ path: Int, _ record: Record, _ scratch: inout Scratch) throws -> SQLValue {
        let value: JSON = scratch.values[path]
        if value.isMissing {
            // A value on the path is not an object; the record remembers which.
            let failure = record.failure
            record.clearFailure()
            throw failure ?? value.mismatch(expected: "an object")
        }
        let detail = details[index]
        let stored: SQLValue
        do {
            stored = try detail.mapped.coercion.value(value)
        } catch let error as JSONError where columns[index].isKey {
            var refusal = JSONError(.keyType, error.reason, hint: error.hint, position: error.position)
            refusal.path = error.path
            throw refusal
        }
        if let fault = detail.bounds?.faults(stored: stored).first {
            throw JSONError(
                .init(fault.bound), "\(detail.mapped.name) \(fault.reason)", position: record.position)
        }
        return stored
    }

    private func lacks(_ code: JSONError.Code, _ reason: String, _ object: JSON, _ record: Record) -> JSONError {
        // The path of a record is known from its position.
        object.isRecord ? JSONError(code, reason, position: record.position) : object.failure(code, reason)
    }
}

extension JSONError.Code {
    /// The code of a violated bound.
    fileprivate init(_ bound: AttributeBounds.Bound) {
        self =
            switch bound {
            case .minimum, .maximum: .validateRange
            case .minimumLength, .maximumLength: .validateLength
            case .pattern: .validatePattern
            }
    }
}
