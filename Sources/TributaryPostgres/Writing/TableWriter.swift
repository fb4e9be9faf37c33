import TributaryImport
import TributaryStore
import TributaryJSON
import TributarySQLite

/// Writes the rows of a group into one table, through one connection.
final class TableWriter {
    /// What became of rows.
    struct Outcome {
        var counts = RecordCounts()
        /// Rows that the table refuses, and why.
        var refused: [(place: RowGroup.Place, error: JSONError)] = []

        /// Adds what became of `count` rows, by the numbers of inserted, updated and found rows that a statement returns.
        mutating func add(_ result: PostgresResult, _ row: Int, of count: Int, _ mode: ImportMode) {
            func number(_ column: Int) -> Int { Int(result.integer(row, column) ?? 0) }
            let (inserted, updated) = (number(0), number(1))
            counts.inserted += inserted
            counts.updated += updated
            switch mode {
            case .upsert, .replace: counts.unchanged += count - inserted - updated
            case .insert: counts.duplicate += count - inserted
            case .ignore: counts.skipped += count - inserted
            case .update:
                counts.unchanged += number(2) - updated
                counts.skipped += count - number(2)
            }
        }
    }

    /// A row, and what its place in the order of the keys depends on.
    private struct Sortable {
        let place: RowGroup.Place
        let prefix: UInt64
        let hash: UInt64
    }

    let target: TargetTable
    let mode: ImportMode
    let route: Int
    let staging: StagingTable
    /// Whether the role may create functions, as far as that is known.
    var canCreateFunctions = true
    let buffer = CopyBuffer()
    /// The rows of a group that are sorted, in memory that is used again.
    private var sortable: [Sortable] = []
    /// What would be checked at the commit is checked by each statement, where the row can be found.
    private static let immediateChecks: PostgresSQL = "SET CONSTRAINTS ALL IMMEDIATE"

    /// A writer; `number` differs for each table of a connection.
    init(_ target: TargetTable, mode: ImportMode, route: Int) {
        (self.target, self.mode, self.route) = (target, mode, route)
        staging = StagingTable(target, mode: mode, number: route)
    }

    /// Prepares a connection, once.
    func prepare(_ connection: PostgresConnection) throws {
        try connection.execute(staging.removal)
        if !target.key.isEmpty || target.hasConvertedValues || target.hasServerDefaults {
            try connection.execute(staging.creation)
        }
    }

    // MARK: Tables without an index

    /// Appends rows to the table, whose keys it does not have; one that lacks a mandatory value is refused.
    func append(
        _ places: [RowGroup.Place], of group: RowGroup, isCareful: Bool, on connection: PostgresConnection
    ) throws -> Outcome {
        var outcome = Outcome()
        var complete = places
        if hasIncompleteRows(group) {
            complete.removeAll { place in
                guard let fault = missingValue(place, group, isNew: true) else { return false }
                outcome.refused.append((place, fault))
                return true
            }
        }
        if isCareful {
            try connection.execute(TableWriter.immediateChecks)
            try writeCarefully(complete[...], of: group, appends: true, &outcome, on: connection)
        } else {
            try append(complete[...], of: group, isCareful: false, &outcome, on: connection)
        }
        return outcome
    }

    /// Appends some rows at once.
    func append(
        _ part: ArraySlice<RowGroup.Place>, of group: RowGroup, isCareful: Bool, _ outcome: inout Outcome,
        on connection: PostgresConnection
    ) throws {
        var shape = StagingTable.Shape()
        shape.isMasked = target.hasServerDefaults && hasAbsentValues(group)
        let inserted: Int
        if target.hasConvertedValues || shape.isMasked {
            if isCareful { try connection.execute(staging.truncation) }
            _ = try copy(part, of: group, staging.copy(shape), shape, on: connection)
            inserted = try connection.execute(staging.appending(shape)).affectedRows
        } else {
            let names = target.columns.map(\.name)
            let list: PostgresSQL = names.isEmpty ? "" : "(\(names: names))"
            inserted = try copy(
                part, of: group, "COPY \(target.reference) \(list) FROM STDIN (FORMAT binary)", shape, on: connection)
        }
        outcome.counts.inserted += inserted
        // A trigger may leave rows out.
        outcome.counts.skipped += part.count - inserted
    }

    /// Why a new or replaced row cannot be without the values that its record does not have; nil if it can.
    func missingValue(_ place: RowGroup.Place, _ group: RowGroup, isNew: Bool) -> JSONError? {
        guard let batch = group.batch(place.chunk, route: route), batch.entries[Int(place.row)].isIncomplete else {
            return nil
        }
        let row = EncodedRow(Int(place.row), of: batch)
        let column = target.columns.indices.first { index in
            row.lacksValue(index) && target.isMandatory(index)
                && target.table.columns[index].defaultValue == .null
                && (isNew || !target.table.columns[index].isKept)
        }
        guard isNew || column != nil else { return nil }
        return BulkOutcome.Fault.incomplete(column.map { target.columns[$0].name } ?? "a value").error
    }

    // MARK: Tables with an index

    /// Writes rows by their keys, in the order of these, in a transaction; `isCareful` says that a refused row is searched,
    /// after one has failed the whole group.
    func write(
        _ places: [RowGroup.Place], of group: RowGroup, isCareful: Bool, on connection: PostgresConnection
    ) throws -> Outcome {
        var outcome = Outcome()
        guard !places.isEmpty else { return outcome }
        // One after the other, where a row may have a unique value that an earlier row of the same key no longer has.
        if isCareful || target.mayWait && places.contains(where: { $0.round > 0 }) {
            if isCareful { try connection.execute(TableWriter.immediateChecks) }
            try writeCarefully(places[...], of: group, appends: false, &outcome, on: connection)
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

    /// The rows by rounds, in each of them in the order of their keys: so that two groups rarely wait for one another.
    ///
    /// Where keys may be equal only for the server, or a row may need what another one gives up, the order is that of the
    /// feed.
    private func sort(_ places: [RowGroup.Place], _ group: RowGroup) -> [RowGroup.Place] {
        sortable.removeAll(keepingCapacity: true)
        sortable.reserveCapacity(places.count)
        var (chunk, entries): (Int32, [RowBatch.Entry]) = (-1, [])
        for place in places {
            if place.chunk != chunk {
                (chunk, entries) = (place.chunk, group.batch(place.chunk, route: route)?.entries ?? [])
            }
            let entry = entries[Int(place.row)]
            sortable.append(Sortable(place: place, prefix: entry.prefix, hash: entry.hash))
        }
        let isInFeedOrder = target.hasLooseKey || target.mayWait
        sortable.sort { one, other in
            if one.place.round != other.place.round { return one.place.round < other.place.round }
            if isInFeedOrder { return (one.place.chunk, one.place.row) < (other.place.chunk, other.place.row) }
            if one.prefix != other.prefix { return one.prefix < other.prefix }
            if one.hash != other.hash { return one.hash < other.hash }
            return (one.place.chunk, one.place.row) < (other.place.chunk, other.place.row)
        }
        return sortable.map(\.place)
    }

    /// Writes some rows at once.
    func write(
        _ part: ArraySlice<RowGroup.Place>, of group: RowGroup, mayRepeat: Bool, _ outcome: inout Outcome,
        on connection: PostgresConnection
    ) throws {
        let incomplete =
            !hasIncompleteRows(group)
            ? []
            : part.indices.filter { index in
                group.batch(part[index].chunk, route: route)?.entries[Int(part[index].row)].isIncomplete ?? false
            }
        var shape = StagingTable.Shape()
        shape.isNumbered = !incomplete.isEmpty
        shape.isMasked = usesMask(group)
        _ = try copy(part, of: group, staging.copy(shape), shape, on: connection)
        let range: [PostgresValue] = [.integer(Int64(part.startIndex)), .integer(Int64(part.endIndex - 1))]
        // Of rows with one key any would win, or the one that differs from the table.
        if mayRepeat, mode == .update || mode == .upsert || mode == .replace,
            try connection.execute(staging.repeatedKeys(shape), shape.isNumbered ? range : []).rowCount > 0
        {
            throw PostgresError(.server, "a key occurs more than once", sqlState: PostgresError.repeatedRow)
        }
        var count = part.count
        if shape.isNumbered, mode != .update {
            let found = try connection.execute(staging.newAmong, range + [.array(incomplete)])
            let new = Set((0..<found.rowCount).compactMap { found.integer($0, 0).map { Int($0) } })
            // A replaced row loses the values that its record does not have.
            let numbers = incomplete.filter { number in
                guard mode == .replace || new.contains(number),
                    let fault = missingValue(part[number], group, isNew: new.contains(number))
                else { return false }
                outcome.refused.append((part[number], fault))
                return true
            }
            if !numbers.isEmpty { try connection.execute(staging.deletion, [.array(numbers)]) }
            count -= numbers.count
        }
        let result = try connection.execute(staging.writing(shape), shape.isNumbered ? range : [])
        outcome.add(result, 0, of: count, mode)
    }

    /// Whether rows that have no value for a column are distinguished from those with null.
    func usesMask(_ group: RowGroup) -> Bool {
        (mode != .insert && mode != .ignore || target.hasServerDefaults) && hasAbsentValues(group)
    }

    /// Whether any row of the batches lacks a value that a new row must have.
    private func hasIncompleteRows(_ group: RowGroup) -> Bool {
        group.batches[route].contains { $0?.hasIncompleteRows ?? false }
    }

    /// Whether any of the batches lacks a value.
    func hasAbsentValues(_ group: RowGroup) -> Bool {
        group.batches[route].contains { $0?.hasAbsentValues ?? false }
    }
}
