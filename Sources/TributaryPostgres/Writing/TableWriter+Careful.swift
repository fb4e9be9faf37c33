import TributaryStore
import TributaryJSON

/// Writing rows of which the table refuses some.
extension TableWriter {
    /// Writes rows in feed order, as if one after the other, and finds those that the table refuses; `appends` says that
    /// each row is added, whatever its key is.
    func writeCarefully(
        _ part: ArraySlice<RowGroup.Place>, of group: RowGroup, appends: Bool, _ outcome: inout Outcome,
        on connection: PostgresConnection
    ) throws {
        guard let first = part.first else { return }
        do {
            let own = try connection.savepoint {
                var own = Outcome()
                if try writeBlocks(part, of: group, appends: appends, &own, on: connection) { return own }
                if appends {
                    try append(part, of: group, isCareful: true, &own, on: connection)
                } else {
                    try connection.execute(staging.truncation)
                    try write(part, of: group, mayRepeat: true, &own, on: connection)
                }
                return own
            }
            outcome.counts += own.counts
            outcome.refused += own.refused
        } catch let error as PostgresError where error.isOfRows {
            guard part.count > 1 else {
                return outcome.refused.append(
                    (first, refusal(error.sqlState ?? "", error.reason, error.detail ?? "")))
            }
            let middle = part.startIndex + part.count / 2
            for half in [part[..<middle], part[middle...]] {
                try writeCarefully(half, of: group, appends: appends, &outcome, on: connection)
            }
        }
    }

    private func refusal(_ state: String, _ reason: String, _ detail: String) -> JSONError {
        let code: JSONError.Code =
            state == "23505" ? .storeUnique : state.hasPrefix("23") ? .storeConstraint : .storeValue
        return JSONError(code, "the table refuses it: \(reason)\(detail.isEmpty ? "" : " (\(detail))")")
    }

    /// Lets the server write rows block by block; false if the role may not create functions.
    private func writeBlocks(
        _ part: ArraySlice<RowGroup.Place>, of group: RowGroup, appends: Bool, _ outcome: inout Outcome,
        on connection: PostgresConnection
    ) throws -> Bool {
        guard canCreateFunctions, !target.columns.isEmpty else { return false }
        var rows: [RowGroup.Place] = []
        // The numbers of rows that lack a value which a new row must have.
        var incomplete: [Int] = []
        for place in part {
            if !appends, mode != .update, missingValue(place, group, isNew: true) != nil {
                if mode == .replace, let fault = missingValue(place, group, isNew: false) {
                    outcome.refused.append((place, fault))
                    continue
                }
                incomplete.append(rows.count)
            }
            rows.append(place)
        }
        var shape = StagingTable.Shape()
        shape.isNumbered = true
        shape.isMasked = appends ? target.hasServerDefaults && hasAbsentValues(group) : usesMask(group)
        do {
            try connection.savepoint {
                try connection.execute(staging.creation)
                try connection.execute(staging.numbering)
                try connection.execute(staging.blockWriter(shape, appends: appends))
            }
        } catch let error as PostgresError where ["42501", "42704"].contains(error.sqlState) {
            canCreateFunctions = false
            return false
        }
        try connection.execute(staging.truncation)
        _ = try copy(rows[...], of: group, staging.copy(shape), shape, on: connection)
        let repeats = target.hasLooseKey || rows.contains { $0.round > 0 }
        let result = try connection.execute(
            staging.writingBlocks,
            [.integer(0), .array(incomplete), .integer(Int64(rows.count - 1)), .boolean(repeats)])
        for row in 0..<result.rowCount {
            guard let number = result.integer(row, 3) else {
                let count = rows.count - (result.rowCount - 1)
                guard appends else {
                    outcome.add(result, row, of: count, mode)
                    continue
                }
                let inserted = Int(result.integer(row, 0) ?? 0)
                outcome.counts.inserted += inserted
                outcome.counts.skipped += count - inserted
                continue
            }
            let (place, state) = (rows[Int(number)], result.text(row, 4) ?? "")
            let fault = state == StagingTable.incompleteRow ? missingValue(place, group, isNew: true) : nil
            outcome.refused.append(
                (place, fault ?? refusal(state, result.text(row, 5) ?? "", result.text(row, 6) ?? "")))
        }
        return true
    }
}
