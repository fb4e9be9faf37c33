import TributarySQLite

/// Writing rows that other rows refer to: first all keys are looked up, then the caller replaces links by primary keys,
/// then the rows are compared and written.
extension BulkWriter {
    /// Rows whose keys were looked up.
    package struct Resolved {
        package let batches: [RowBatch]
        package let firstKeys: [Int64]
        fileprivate var runs: [RowComparer.KeyGroup]
        /// For each batch and row the primary key of the row of its key; 0 if there is none, and none is inserted.
        package fileprivate(set) var keys: [[Int64]]
        /// For each batch and row its outcome, once it is written; that of a reference has no meaning.
        package fileprivate(set) var outcomes: [[RecordOutcome]] = []

        /// For each batch the rows that make new rows, if others change nothing in the mode; nil if they do.
        fileprivate var making: [Set<Int>]?

        /// For each batch the rows that come before the one that makes their object, as they lack a value; nil for none.
        fileprivate var early: [Set<Int>]?

        /// Whether a row has an effect: its key is there or made, and the mode changes it.
        package func applies(_ batch: Int, _ row: Int) -> Bool {
            keys[batch][row] > 0 && (making?[batch].contains(row) ?? true) && !(early?[batch].contains(row) ?? false)
        }

        fileprivate mutating func addEarly(_ places: ArraySlice<Place>) {
            for place in places {
                let (batch, row) = (Int(place.batch), Int(place.row))
                guard batches[batch].entries[row].kind != .reference else { continue }
                if early == nil { early = Array(repeating: [], count: batches.count) }
                early?[batch].insert(row)
            }
        }

        /// The primary keys that were announced for new rows, which were then refused.
        package fileprivate(set) var refusedKeys: [Int64] = []
        /// For each run the primary key of its new row; 0 if there is none.
        fileprivate var planned: [Int64] = []

        /// The primary key of the row that a record makes.
        fileprivate func newKey(_ batch: Int, _ row: Int) -> Int64 {
            firstKeys[batch] + Int64(batches[batch].entries[row].ordinal)
        }
    }

    /// Looks up the keys of all rows in one query; a table without a key gets a new row for each.
    package func resolve(_ batches: [RowBatch], firstKeys: [Int64]) throws -> Resolved {
        guard let comparer else {
            var resolved = Resolved(batches: batches, firstKeys: firstKeys, runs: [], keys: [])
            resolved.keys = batches.indices.map { number in
                batches[number].entries.indices.map { mode == .update ? 0 : resolved.newKey(number, $0) }
            }
            return resolved
        }
        let onlyMakes = mode == .insert || mode == .ignore
        let runs = try comparer.runs(of: batches)
        var resolved = Resolved(
            batches: batches, firstKeys: firstKeys, runs: runs,
            keys: batches.map { Array(repeating: 0, count: $0.count) })
        resolved.planned = Array(repeating: 0, count: runs.count)
        if onlyMakes { resolved.making = Array(repeating: [], count: batches.count) }
        for index in runs.indices {
            var key = runs[index].key
            if key == 0, mode != .update {
                let inserted = comparer.insertedPlace(of: runs[index])
                resolved.runs[index].inserted = inserted.map { Int32($0) } ?? -1
                if let inserted {
                    let place = comparer.places[inserted]
                    key = resolved.newKey(Int(place.batch), Int(place.row))
                    resolved.planned[index] = key
                    resolved.making?[Int(place.batch)].insert(Int(place.row))
                    resolved.addEarly(comparer.places[Int(runs[index].start)..<inserted])
                }
            }
            guard key > 0 else { continue }
            for place in comparer.places[runs[index].range] { resolved.keys[Int(place.batch)][Int(place.row)] = key }
        }
        return resolved
    }

    /// Whether a row has all values that a new one must have.
    package func isComplete(_ batch: RowBatch, _ row: Int) -> Bool {
        guard batch.entries[row].isIncomplete else { return true }
        batch.read(row, into: cells)
        defaults.complete(cells)
        return defaults.missingColumn(in: cells) == nil
    }

    /// Rows whose primary keys are known otherwise than by a key, or 0 if they are not written; those of `new` are new.
    package func resolve(
        _ batches: [RowBatch], firstKeys: [Int64], keys: [[Int64]], new: Set<Int64>
    ) -> Resolved {
        let runs = (comparer?.runs(of: batches, keys: keys, new: new) ?? []).filter { run in
            guard run.key == 0, let place = comparer?.places[Int(run.start)] else { return true }
            return keys[Int(place.batch)][Int(place.row)] > 0
        }
        var resolved = Resolved(batches: batches, firstKeys: firstKeys, runs: runs, keys: keys)
        resolved.planned = Array(repeating: 0, count: runs.count)
        // A new row gets the primary key of the first of its rows.
        for (number, run) in runs.enumerated() where run.key == 0 {
            guard let places = comparer?.places[run.range], let first = places.first else { continue }
            let key = resolved.newKey(Int(first.batch), Int(first.row))
            resolved.planned[number] = key
            for place in places { resolved.keys[Int(place.batch)][Int(place.row)] = key }
        }
        guard mode == .insert || mode == .ignore else { return resolved }
        resolved.making = Array(repeating: [], count: batches.count)
        for run in runs where run.key == 0 {
            guard let place = comparer?.places[Int(run.start)] else { continue }
            resolved.making?[Int(place.batch)].insert(Int(place.row))
        }
        return resolved
    }

    /// Writes rows whose keys were looked up, and whose links were replaced.
    ///
    /// - Returns: The outcome of all rows; references count as none.
    package func write(_ resolved: inout Resolved) throws -> BulkOutcome {
        resolved.outcomes = resolved.batches.map { Array(repeating: .unchanged, count: $0.count) }
        guard let comparer else { return try append(&resolved) }
        if hasTriggers || table.hasOtherConstraints {
            begin(resolved.batches, firstKeys: resolved.firstKeys)
            if keepsSeenKeys { comparer.keepSeenKeys(of: resolved.runs, in: &outcome) }
            outcomes = resolved.outcomes
            // The places belong to these rows as long as no others are compared.
            resolved.refusedKeys = try writeInFeedOrder(resolved.runs, comparer.places, planned: resolved.planned)
            // Nothing is linked to a row that is not there.
            let refused = Set(resolved.refusedKeys)
            if !refused.isEmpty { resolved.keys = resolved.keys.map { $0.map { refused.contains($0) ? 0 : $0 } } }
            resolved.outcomes = outcomes
            outcomes = []
            return end()
        }
        comparer.outcomes = resolved.outcomes
        let comparisons = try comparer.compare(resolved.batches, resolved.runs)
        resolved.outcomes = comparer.outcomes
        comparer.outcomes = []
        var outcome = try write(resolved.batches, comparisons, firstKeys: resolved.firstKeys)
        for comparison in comparisons { outcome.refused += comparison.outcome.refused }
        return outcome
    }

    private func append(_ resolved: inout Resolved) throws -> BulkOutcome {
        begin(resolved.batches, firstKeys: resolved.firstKeys)
        if hasTriggers {
            outcomes = resolved.outcomes
            for number in batches.indices { try appendEach(of: number) }
            resolved.outcomes = outcomes
            outcomes = []
            for (number, rows) in resolved.outcomes.enumerated() {
                for (row, result) in rows.enumerated() where result != .inserted { resolved.keys[number][row] = 0 }
            }
            return end()
        }
        for (number, batch) in resolved.batches.enumerated() {
            try append(0..<batch.count, of: number)
            for row in 0..<batch.count { resolved.outcomes[number][row] = .inserted }
        }
        let outcome = end()
        for refused in outcome.refused {
            resolved.outcomes[refused.batch][refused.row] = .rejected
            resolved.keys[refused.batch][refused.row] = 0
        }
        return outcome
    }
}
