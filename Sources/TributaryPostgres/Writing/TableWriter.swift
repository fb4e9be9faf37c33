import Tributary
import TributaryGraph
import TributaryJSON
import TributarySQLite

/// Writes the rows of a group into one table, through one connection.
final class TableWriter {
    /// What became of rows.
    struct Outcome {
        var counts = RecordCounts()
        /// Rows that the table refuses, and why.
        var refused: [(place: RowGroup.Place, error: JSONError)] = []
    }

    let target: TargetTable
    let mode: ImportMode
    private let route: Int
    private let staging: StagingTable
    private let buffer = CopyBuffer()
    private let cells: UnsafeMutableBufferPointer<SQLCell>
    /// Bytes are sent when there are so many.
    private static let flushBytes = 64 << 10
    /// How many rows ahead the memory of a row is asked for: in the order of keys it is anywhere.
    private static let distance = 6

    /// A writer; `number` differs for each table of a connection.
    init(_ target: TargetTable, mode: ImportMode, route: Int) {
        (self.target, self.mode, self.route) = (target, mode, route)
        staging = StagingTable(target, mode: mode, number: route)
        cells = .allocate(capacity: target.columns.count)
    }

    deinit { cells.deallocate() }

    /// Prepares a connection, once.
    ///
    /// - Throws: `PostgresError`.
    func prepare(_ connection: PostgresConnection) throws {
        try connection.execute(staging.removal)
        if !target.key.isEmpty || target.hasConvertedValues || target.hasServerDefaults {
            try connection.execute(staging.creation)
        }
    }

    // MARK: Tables without an index

    /// Appends rows to the table, whose keys it does not have; one that lacks a mandatory value is refused.
    ///
    /// - Throws: `PostgresError`.
    func append(
        _ places: [RowGroup.Place], of group: RowGroup, isCareful: Bool, on connection: PostgresConnection
    ) throws -> Outcome {
        var outcome = Outcome()
        var complete: [RowGroup.Place] = []
        complete.reserveCapacity(places.count)
        for place in places {
            if let fault = missingValue(place, group, isNew: true) {
                outcome.refused.append((place, fault))
            } else {
                complete.append(place)
            }
        }
        var shape = StagingTable.Shape()
        shape.isMasked = target.hasServerDefaults && hasAbsentValues(group)
        let isStaged = target.hasConvertedValues || shape.isMasked
        func append(
            _ part: ArraySlice<RowGroup.Place>, _ outcome: inout Outcome
        ) throws {
            let inserted: Int
            if isStaged {
                if isCareful { try connection.execute(staging.truncation) }
                _ = try copy(part, of: group, staging.copy(shape), shape, on: connection)
                inserted = try connection.execute(staging.appending(shape)).affectedRows
            } else {
                inserted = try copy(
                    part, of: group,
                    "COPY \(target.reference) (\(names: target.columns.map(\.name))) FROM STDIN (FORMAT binary)",
                    shape, on: connection)
            }
            outcome.counts.inserted += inserted
            // A trigger may leave rows out.
            outcome.counts.skipped += part.count - inserted
        }
        if isCareful {
            try writeCarefully(complete[...], &outcome, on: connection, append)
        } else {
            try append(complete[...], &outcome)
        }
        return outcome
    }

    /// Why a new or replaced row cannot be without the values that its record does not have; nil if it can.
    private func missingValue(_ place: RowGroup.Place, _ group: RowGroup, isNew: Bool) -> JSONError? {
        guard let batch = group.batch(place.chunk, route: route), batch.entries[Int(place.row)].isIncomplete else {
            return nil
        }
        batch.read(Int(place.row), into: cells)
        let column = target.columns.indices.first { index in
            cells[index].kind == .absent && target.isMandatory[index] && target.defaults[index] == .null
                && (isNew || !target.rules[index].isKept)
        }
        guard isNew || column != nil else { return nil }
        return BulkOutcome.Fault.incomplete(column.map { target.columns[$0].name } ?? "a value").error
    }

    // MARK: Tables with an index

    /// Writes rows by their keys, in the order of these.
    ///
    /// - Parameters:
    ///   - places: The rows, in feed order.
    ///   - group: Their group.
    ///   - isCareful: Whether a refused row is searched, after one has failed the whole group.
    ///   - connection: The connection, in a transaction.
    /// - Returns: What became of them.
    /// - Throws: `PostgresError`.
    func write(
        _ places: [RowGroup.Place], of group: RowGroup, isCareful: Bool, on connection: PostgresConnection
    ) throws -> Outcome {
        var outcome = Outcome()
        guard !places.isEmpty else { return outcome }
        if isCareful {
            // In feed order: keys that are equal only for the server are found by the search as well.
            try writeCarefully(places[...], &outcome, on: connection) { part, outcome in
                try connection.execute(staging.truncation)
                try write(part, of: group, mayRepeat: true, &outcome, on: connection)
            }
            return outcome
        }
        let sorted = sort(places, group)
        var start = 0
        while start < sorted.count {
            let end = sorted[start...].firstIndex { $0.round != sorted[start].round } ?? sorted.count
            if start > 0 { try connection.execute(staging.truncation) }
            try write(sorted[start..<end], of: group, mayRepeat: target.hasLooseKey, &outcome, on: connection)
            start = end
        }
        return outcome
    }

    /// The rows by rounds, in each of them in the order of their keys: so that no two processes wait for one another.
    ///
    /// Where keys may be equal only for the server, the order is that of the feed.
    private func sort(_ places: [RowGroup.Place], _ group: RowGroup) -> [RowGroup.Place] {
        struct Sortable {
            let place: RowGroup.Place
            let prefix: UInt64
            let hash: UInt64
        }
        var sortable: [Sortable] = []
        sortable.reserveCapacity(places.count)
        var (chunk, batch): (Int32, RowBatch?) = (-1, nil)
        for place in places {
            if place.chunk != chunk { (chunk, batch) = (place.chunk, group.batch(place.chunk, route: route)) }
            guard let entry = batch?.entries[Int(place.row)] else { continue }
            sortable.append(Sortable(place: place, prefix: entry.prefix, hash: entry.hash))
        }
        let isLoose = target.hasLooseKey
        sortable.sort { one, other in
            if one.place.round != other.place.round { return one.place.round < other.place.round }
            if isLoose { return (one.place.chunk, one.place.row) < (other.place.chunk, other.place.row) }
            if one.prefix != other.prefix { return one.prefix < other.prefix }
            if one.hash != other.hash { return one.hash < other.hash }
            return (one.place.chunk, one.place.row) < (other.place.chunk, other.place.row)
        }
        return sortable.map(\.place)
    }

    /// Writes rows; on an error searches those that the table refuses.
    private func writeCarefully(
        _ part: ArraySlice<RowGroup.Place>, _ outcome: inout Outcome, on connection: PostgresConnection,
        _ body: (ArraySlice<RowGroup.Place>, inout Outcome) throws -> Void
    ) throws {
        guard let first = part.first else { return }
        do {
            let own = try connection.savepoint {
                var own = Outcome()
                try body(part, &own)
                // What would be checked at the commit is checked here, where the row can be found.
                try connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
                return own
            }
            outcome.counts += own.counts
            outcome.refused += own.refused
        } catch let error as PostgresError where error.isOfRows {
            guard part.count > 1 else {
                let code: JSONError.Code =
                    error.isUniqueViolation
                    ? .storeUnique : error.isConstraintViolation ? .storeConstraint : .storeValue
                let detail = error.detail.map { " (\($0))" } ?? ""
                return outcome.refused.append(
                    (first, JSONError(code, "the table refuses it: \(error.reason)\(detail)")))
            }
            let middle = part.startIndex + part.count / 2
            try writeCarefully(part[..<middle], &outcome, on: connection, body)
            try writeCarefully(part[middle...], &outcome, on: connection, body)
        }
    }

    private func write(
        _ part: ArraySlice<RowGroup.Place>, of group: RowGroup, mayRepeat: Bool, _ outcome: inout Outcome,
        on connection: PostgresConnection
    ) throws {
        let incomplete = part.indices.filter { index in
            group.batch(part[index].chunk, route: route)?.entries[Int(part[index].row)].isIncomplete ?? false
        }
        var shape = StagingTable.Shape()
        shape.isNumbered = !incomplete.isEmpty
        let usesMask = mode != .insert && mode != .ignore || target.hasServerDefaults
        shape.isMasked = usesMask && hasAbsentValues(group)
        _ = try copy(part, of: group, staging.copy(shape), shape, on: connection)
        // Of rows with one key any would win, or the one that differs from the table.
        if mayRepeat, mode == .update || mode == .upsert || mode == .replace,
            try connection.execute(staging.repeatedKeys).rowCount > 0
        {
            throw PostgresError(.server, "a key occurs more than once", sqlState: PostgresError.repeatedRow)
        }
        var count = part.count
        let range: [PostgresValue] = [.integer(Int64(part.startIndex)), .integer(Int64(part.endIndex - 1))]
        if shape.isNumbered, mode != .update {
            let found = try connection.execute(staging.newAmong, range + [array(incomplete)])
            let new = Set((0..<found.rowCount).compactMap { found.integer($0, 0).map { Int($0) } })
            // A replaced row loses the values that its record does not have.
            let numbers = incomplete.filter { number in
                guard mode == .replace || new.contains(number),
                    let fault = missingValue(part[number], group, isNew: new.contains(number))
                else { return false }
                outcome.refused.append((part[number], fault))
                return true
            }
            if !numbers.isEmpty { try connection.execute(staging.deletion, [array(numbers)]) }
            count -= numbers.count
        }
        let result = try connection.execute(staging.writing(shape), shape.isNumbered ? range : [])
        let (inserted, updated) = (Int(result.integer(0, 0) ?? 0), Int(result.integer(0, 1) ?? 0))
        outcome.counts.inserted += inserted
        outcome.counts.updated += updated
        switch mode {
        case .upsert, .replace: outcome.counts.unchanged += count - inserted - updated
        case .insert: outcome.counts.duplicate += count - inserted
        case .ignore: outcome.counts.skipped += count - inserted
        case .update:
            let found = Int(result.integer(0, 2) ?? 0)
            outcome.counts.unchanged += found - updated
            outcome.counts.skipped += count - found
        }
    }

    private func array(_ numbers: [Int]) -> PostgresValue {
        .text("{" + numbers.map(String.init).joined(separator: ",") + "}")
    }

    /// Whether any of the batches lacks a value.
    private func hasAbsentValues(_ group: RowGroup) -> Bool {
        group.batches[route].contains { $0?.hasAbsentValues ?? false }
    }

    // MARK: COPY

    /// Copies rows; returns how many the server has added.
    private func copy(
        _ part: ArraySlice<RowGroup.Place>, of group: RowGroup, _ statement: PostgresSQL, _ shape: StagingTable.Shape,
        on connection: PostgresConnection
    ) throws -> Int {
        guard !part.isEmpty else { return 0 }
        let fields = target.columns.count + (shape.isNumbered ? 1 : 0) + (shape.isMasked ? 1 : 0)
        try connection.beginCopy(statement)
        buffer.removeAll()
        try CopyBuffer.header.withUnsafeBytes(connection.copy)
        var (chunk, batch): (Int32, RowBatch?) = (-1, nil)
        for index in part.indices {
            let place = part[index]
            if place.chunk != chunk { (chunk, batch) = (place.chunk, group.batch(place.chunk, route: route)) }
            if index + TableWriter.distance < part.endIndex { prefetch(part[index + TableWriter.distance], group) }
            batch?.read(Int(place.row), into: cells)
            buffer.beginRow(fields: fields)
            target.add(cells, to: buffer)
            if shape.isNumbered { buffer.add(Int32(truncatingIfNeeded: index)) }
            if shape.isMasked { addMask() }
            if buffer.count >= TableWriter.flushBytes {
                try connection.copy(buffer.bytes)
                buffer.removeAll()
            }
        }
        try connection.copy(buffer.bytes)
        try CopyBuffer.trailer.withUnsafeBytes(connection.copy)
        return try connection.endCopy()
    }

    @inline(__always)
    private func prefetch(_ place: RowGroup.Place, _ group: RowGroup) {
        group.batches[route][Int(place.chunk)]?.prefetch(Int(place.row))
    }

    /// Adds for each column whether it has no value, as an array; null if all have one.
    private func addMask() {
        guard cells.contains(where: { $0.kind == .absent }) else { return buffer.addNull() }
        buffer.add(mask: cells.map { $0.kind == .absent })
    }
}
