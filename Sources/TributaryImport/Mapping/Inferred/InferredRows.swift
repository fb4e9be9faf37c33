import Foundation
import TributaryStore
import TributaryJSON
import TributarySQLite

/// The rows with inferred columns of a chunk in preparation, or of a part of it.
final class InferredRows {
    let batch: RowBatch
    let columns: InferredRowMaker.ChunkColumns
    let key: [(column: Int, path: [String])]
    private let keyColumns: [Int]
    // One thread prepares a chunk, and no access to a field overlaps another.
    /// Where the values of the current record are, by column; -1 for none.
    @exclusivity(unchecked) var places: [Int] = []
    @exclusivity(unchecked) var text: [UInt8] = []
    /// The keys of the members of the previous record, as in the source, and their columns.
    @exclusivity(unchecked) private var shape: [(key: [UInt8], column: Int?)] = []
    private let cells: UnsafeMutableBufferPointer<SQLCell>
    /// The kinds of values of each possible column.
    private let kinds: UnsafeMutableBufferPointer<ValueKinds>
    /// What became of values that could not be stored as they are.
    @exclusivity(unchecked) var report = InferenceReport()
    /// For each of the chosen columns whether a record had a value for it.
    @exclusivity(unchecked) var matchedPaths: [Bool]
    /// For each column the number of its objects that were looked at.
    @exclusivity(unchecked) var inspected: [UInt8] = []
    /// Why the current record is rejected.
    @exclusivity(unchecked) var refusal: JSONError?
    let numbers: ColumnInference.Numbers
    let types: [String: ColumnInference.ColumnType]
    let hasTypes: Bool
    /// What becomes of the values of columns, by their names with small letters.
    let columnRules: [String: ColumnRule]
    /// Whether a column has a stated type or a rule.
    let hasRules: Bool
    let shaping: ColumnShaping?
    /// Whether another program made the table.
    let isFixed: Bool
    /// The path of the records, if it leads to a member.
    private let memberPath: RecordPath?
    /// The stated types by column.
    @exclusivity(unchecked) private(set) var rules: [ColumnInference.ColumnType?] = []
    /// The conversions by column.
    @exclusivity(unchecked) private(set) var conversions: [[ColumnConversion]] = []
    /// The columns that have a default or need a value.
    let absences: [Absence]

    init(_ maker: InferredRowMaker, _ columns: InferredRowMaker.ChunkColumns, expecting count: Int, bytes: Int) {
        batch = RowBatch(width: 0, capacity: bytes)
        batch.reserve(rows: count)
        self.columns = columns
        numbers = maker.inference.numbers
        types = maker.inference.types
        hasTypes = !types.isEmpty
        isFixed = maker.isFixed
        memberPath = maker.path.flatMap { $0.leadsToMember ? $0 : nil }
        columnRules = maker.rules
        hasRules = hasTypes || !columnRules.isEmpty
        absences = InferredRows.absences(of: maker)
        shaping = maker.inference.shaping?.ofPlaces
        matchedPaths = (maker.inference.shaping?.columns ?? []).map { _ in false }
        // A table of another program may have more columns than are inferred, and may get one for other members.
        kinds = .allocate(capacity: max(InferredColumns.maximumCount, columns.columns.names.count) + 1)
        kinds.initialize(repeating: [])
        key = maker.key
        keyColumns = key.map(\.column)
        cells = .allocate(capacity: (keyColumns.max() ?? 0) + 1)
    }

    deinit {
        cells.deallocate()
        kinds.deallocate()
    }

    /// Ends the batch.
    func end() {
        batch.width = columns.columns.names.count
        batch.kinds = Array(kinds[..<batch.width])
    }

    /// Notes that a column has values of a kind.
    @inline(__always)
    func note(_ kind: ValueKinds, _ column: Int) { kinds[column].formUnion(kind) }

    /// Adds the row of a record; returns why it is rejected, or nil.
    func add(_ record: Record, _ ordinal: Int) -> JSONError? {
        do {
            if let memberPath, record.value.kind == .array {
                throw JSONError(
                    .shapePath, "the value at \(memberPath) is an array",
                    hint: "import its elements with the path \(memberPath)[]", position: record.position)
            }
            // The key is read first, so that a rejected record adds no columns.
            let found = try key.map { part in
                try keyValue(part.path, of: record, columns.columns.names[part.column])
            }
            add(record, ordinal, key: found)
            guard var refused = refusal else { return nil }
            refusal = nil
            batch.removeLast()
            refused.position = record.position
            return refused
        } catch {
            return error as? JSONError ?? JSONError(.convertFormat, "\(error)")
        }
    }

    /// Adds a row of the values of the key alone; returns why the record has no key, or nil.
    func addKey(of record: Record) -> JSONError? {
        do {
            let found = try key.map { part in
                try keyValue(part.path, of: record, columns.columns.names[part.column])
            }
            addPlaces(columns.columns.names.count)
            let members = RawMembers(record)
            batch.width = key.count
            batch.begin(ordinal: batch.count)
            for (part, value) in zip(key, found) { add(members, members.place(of: value), part.column) }
            guard let refused = refusal else { return nil }
            refusal = nil
            batch.removeLast()
            return refused.recoded(.keyType)
        } catch {
            return error as? JSONError ?? JSONError(.keyType, "\(error)")
        }
    }

    private func add(_ record: Record, _ ordinal: Int, key values: [JSON]) {
        for index in places.indices { places[index] = -1 }
        addPlaces(columns.columns.names.count)
        var members = RawMembers(record)
        var found = Placement()
        if let shaping, record.value.kind == .object {
            place(record, members, shaping, &found)
        } else if record.value.kind == .object {
            var position = 0
            while let member = members.next() {
                if let column = column(of: member, position, members) {
                    if isFixed, places[column] >= 0 { checkName(of: member, column, record) }
                    // Of members with one name the last one counts.
                    places[column] = member.place
                    found.last = max(found.last, column)
                } else {
                    let name = members.name(member)
                    found.rest.append((name, members.value(member.place)))
                    report.addRest(name, columns.columns.reason(for: name))
                }
                position += 1
            }
        } else if let column = columns.columns.index(of: InferredColumns.value) {
            addPlaces(column + 1)
            places[column] = members.place(of: record.value)
            found.last = column
        } else {
            found.rest.append((InferredColumns.value, record.value))
            report.addRest(InferredColumns.value, columns.columns.reason(for: InferredColumns.value))
        }
        for (part, value) in zip(key, values) {
            let name = columns.columns.names[part.column]
            // A member with the name of the key, whose value has another path.
            if part.path != [name], places[part.column] >= 0, !isWrapped(value, in: places[part.column], members) {
                found.rest.append((name, members.value(places[part.column])))
                report.addRest(name, isFixed ? .noColumn : .keyColumn)
            }
            places[part.column] = members.place(of: value)
            found.last = max(found.last, part.column)
        }
        if let name = shaping?.source { placeSource(name, members, &found) }
        if !absences.isEmpty { checkAbsences(members) }
        if isFixed {
            // Where members without a column are not stored, the writer reports them as an error.
            found.rest.removeAll { !columns.columns.hasRest || columns.columns.reason(for: $0.name) == .generated }
        }
        let restColumn = found.rest.isEmpty ? -1 : columns.columns.restIndex()
        addPlaces(restColumn + 1)
        batch.begin(ordinal: ordinal)
        for column in 0..<(max(found.last, restColumn) + 1) {
            if column == restColumn {
                RestMembers.add(found.rest, to: batch, unwraps: unwraps, &text)
                note(.text, column)
            } else if places[column] >= 0 {
                add(members, places[column], column)
            } else if places[column] == InferredRows.sourcePlace {
                addText(record.sourceName, column)
            } else {
                batch.addAbsent()
            }
        }
        batch.finish(key: keyColumns, scratch: cells)
    }

    /// Rejects the record if another member, whose name differs in case, has the column of `member`.
    private func checkName(of member: RawMembers.Member, _ column: Int, _ record: Record) {
        var members = RawMembers(record)
        while let other = members.next() {
            guard other.place == places[column] else { continue }
            let names = (members.name(other), members.name(member))
            guard !names.0.hasBytes(of: names.1) else { return }
            refusal = JSONError(
                .convertFormat, "its members \(names.0) and \(names.1) have the same column",
                hint: "choose one of them with --columns")
        }
    }

    func addPlaces(_ count: Int) {
        while places.count < count {
            if hasRules { addRules(of: columns.columns.names[places.count]) }
            places.append(-1)
        }
    }

    private func addRules(of column: String) {
        rules.append(types[column])
        conversions.append(columnRules[column.lowercasedASCII]?.conversions ?? [])
    }

    @inline(__always)
    private func column(of member: RawMembers.Member, _ position: Int, _ members: RawMembers) -> Int? {
        if position < shape.count, shape[position].key.hasBytes(member.key) { return shape[position].column }
        return newColumn(of: member, position, members)
    }

    private func newColumn(of member: RawMembers.Member, _ position: Int, _ members: RawMembers) -> Int? {
        let column = columns.columns.index(of: members.name(member))
        addPlaces(columns.columns.names.count)
        if position < shape.count {
            shape[position] = (Array(member.key), column)
        } else if position == shape.count {
            shape.append((Array(member.key), column))
        }
        return column
    }

    private func keyValue(_ path: [String], of record: Record, _ name: String) throws -> JSON {
        var value = path.reduce(record.value) { $0[$1] }
        record.clearFailure()
        if unwraps, let plain = ExtendedJSON.plain(value), plain != .null { return value }
        // An identifier of MongoDB is its text, also where others stay as they are.
        if value.kind == .object, let inner = ExtendedJSON.scalar(in: value) { value = inner }
        if isFixed, value.kind == .missing, path.count == 1 { value = member(path[0], of: record) ?? value }
        let isConverted = columnRules[name.lowercasedASCII]?.conversions.isEmpty == false
        switch value.kind {
        case .missing:
            throw MissingKey.error(name, path, in: record.value, record)
        case .null: throw JSONError(.keyNull, "the key \(name) is null", position: record.position)
        case .array, .object:
            throw JSONError(
                .keyType, "the key \(name) is \(value.kind == .array ? "an array" : "an object")",
                position: record.position)
        case .number where !isConverted && !InferredNumber.isExact(value):
            throw JSONError(
                .keyType, "the key \(name) is a number that neither 64 bits nor a double holds exactly",
                hint: "write it as text in the source", position: record.position)
        case .boolean where key.count == 1 && !isConverted:
            // Only in a key of several attributes: alone it would be equal to the key 1 or 0.
            throw JSONError(
                .keyType, "the key \(name) is true or false, which SQLite stores as 1 and 0",
                position: record.position)
        case .boolean, .number, .string: return value
        }
    }

    /// The value of a member whose name differs from a column's only in case.
    private func member(_ name: String, of record: Record) -> JSON? {
        var members = RawMembers(record)
        var found: JSON?
        while let member = members.next() {
            if members.name(member).lowercased() == name.lowercased() { found = members.value(member.place) }
        }
        return found
    }
}

extension [UInt8] {
    /// Whether both have the same bytes.
    @inline(__always)
    fileprivate func hasBytes(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count, let start = other.baseAddress else { return isEmpty && other.isEmpty }
        return memcmp(self, start, count) == 0
    }
}
