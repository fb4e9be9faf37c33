package import TributarySQLite

/// Writes batches of rows into a table of another program, one after the other, by statements that run its triggers and
/// check its constraints.
///
/// It belongs to one connection and is used inside a transaction of the caller.
package final class ForeignWriter {
    private let table: ForeignTable
    private var columns: [String]
    /// The indexes of the key among the columns; empty if each row is inserted.
    private let key: [Int]
    private let mode: ImportMode
    private let connection: Connection
    private var cells: UnsafeMutableBufferPointer<SQLCell>
    private var lookup = ""
    /// The statements of the latest row, and the columns that they write.
    private var insertion = (columns: [Int](), sql: "")
    private var update = (columns: [Int](), sql: "")
    private var chosen: [Int] = []
    /// The values of new rows that lack them, by the names of columns with small letters, and these as cells of a row.
    private let defaults: [String: SQLValue]
    private var defaultRow = RowBatch(width: 0)

    /// A writer of rows whose cells are those of `columns`, and which are found by `key`, or all inserted if it is empty.
    package init(
        _ table: ForeignTable, columns: [String], key: [String], defaults: [String: SQLValue] = [:],
        mode: ImportMode, on connection: Connection
    ) {
        self.defaults = defaults
        self.table = table
        self.columns = columns
        self.key = key.compactMap { columns.firstIndex(of: $0) }
        self.mode = mode
        self.connection = connection
        cells = .allocate(capacity: columns.count)
        prepareLookup()
        prepareDefaults()
    }

    deinit { cells.deallocate() }

    private var quotedTable: String { SQLIdentifier(table.name).quoted }
    private func quoted(_ column: Int) -> String { SQLIdentifier(columns[column]).quoted }
    private var condition: String { key.map { "\(quoted($0)) = ?" }.joined(separator: " AND ") }

    private func prepareLookup() {
        let names = columns.indices.map(quoted).joined(separator: ", ")
        lookup = "SELECT \(names) FROM \(quotedTable) WHERE \(condition) LIMIT 1"
    }

    private func prepareDefaults() {
        guard !defaults.isEmpty else { return }
        defaultRow = RowBatch(width: columns.count)
        defaultRow.begin(ordinal: 0)
        for name in columns {
            if let value = defaults[name.lowercasedASCII] { defaultRow.add(value) } else { defaultRow.addAbsent() }
        }
    }

    /// Gives columns without a value their defaults.
    private func complete() {
        let values = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: columns.count)
        defer { values.deallocate() }
        defaultRow.read(0, into: values)
        for column in columns.indices where cells[column].kind == .absent { cells[column] = values[column] }
    }

    // MARK: The table

    /// Throws if SQLite refuses to write the table, as for a trigger that calls an unknown function.
    package func check() throws {
        let others = columns.indices.filter { !key.contains($0) }
        try connection.checkStatements(
            [insert(Array(columns.indices))] + (key.isEmpty || others.isEmpty ? [] : [change(others)]),
            writing: table.name)
    }

    /// Adds the columns that the table lacks, without a declared type.
    ///
    /// The table is asked each time, because a rolled-back transaction has removed the columns that it had added.
    package func grow(to names: [String]) throws {
        guard names.count > table.writableColumns.count else { return }
        let existing = Set(try connection.columns(of: table.name))
        let missing = names.filter { !existing.contains($0) }
        // A savepoint makes full-text indexes write what they keep in memory, which a changed schema makes SQLite forget.
        try connection.transaction {
            for name in missing {
                try connection.execute("ALTER TABLE \(identifier: table.name) ADD COLUMN \(identifier: name)")
            }
        }
        guard names.count > columns.count || !missing.isEmpty else { return }
        columns = names
        cells.deallocate()
        cells = .allocate(capacity: columns.count)
        (insertion, update) = (([], ""), ([], ""))
        connection.clearStatements()
        prepareLookup()
        prepareDefaults()
    }

    // MARK: Rows

    /// Writes the rows of batches, in feed order.
    ///
    /// - Throws: `SQLiteError` for anything but a violated constraint, `StoreError` if a trigger ends the transaction.
    package func apply(_ batches: [RowBatch]) throws -> BulkOutcome {
        var outcome = BulkOutcome()
        for (number, batch) in batches.enumerated() {
            for row in 0..<batch.count {
                batch.read(row, into: cells)
                do {
                    let written = try table.hasEffects ? connection.transaction(write) : write()
                    outcome.counts[written] += 1
                } catch let error as SQLiteError where error.isRefusal {
                    guard connection.isInTransaction else {
                        throw connection.rolledBack(byTriggerOf: table.name, error)
                    }
                    outcome.refuse(number, row, batch.entries[row].ordinal, .violated(error.message))
                }
            }
        }
        return outcome
    }

    private func write() throws -> RecordOutcome {
        let outcome = try key.isEmpty ? insertRow() : upsertRow()
        if table.hasEffects { try connection.checkReferences() }
        return outcome
    }

    private func insertRow() throws -> RecordOutcome {
        chosen.removeAll(keepingCapacity: true)
        if !defaults.isEmpty { complete() }
        for column in columns.indices where cells[column].kind != .absent { chosen.append(column) }
        if chosen != insertion.columns || insertion.sql.isEmpty { insertion = (chosen, insert(chosen)) }
        return try run(insertion.sql, chosen) ? .inserted : .skipped
    }

    private func upsertRow() throws -> RecordOutcome {
        chosen.removeAll(keepingCapacity: true)
        let exists = try connection.withUnboundStatement(lookup) { stored in
            for (index, column) in key.enumerated() { try stored.bind(cells[column], at: index) }
            guard try stored.step() else { return false }
            for column in columns.indices
            where !key.contains(column) && cells[column].kind != .absent && !stored.holds(cells[column], at: column) {
                chosen.append(column)
            }
            return true
        }
        guard exists else { return mode == .update ? .skipped : try insertRow() }
        switch mode {
        case .insert: return .duplicate
        case .ignore: return .skipped
        case .upsert, .update, .replace: break
        }
        if chosen.isEmpty { return .unchanged }
        if chosen != update.columns || update.sql.isEmpty { update = (chosen, change(chosen)) }
        return try run(update.sql, chosen + key) ? .updated : .skipped
    }

    /// Runs a statement; false if a trigger has ignored the row.
    private func run(_ sql: String, _ bound: [Int]) throws -> Bool {
        try connection.withUnboundStatement(sql) { statement in
            for (index, column) in bound.enumerated() { try statement.bind(cells[column], at: index) }
            _ = try statement.step()
            return connection.changeCount > 0
        }
    }

    private func insert(_ chosen: [Int]) -> String {
        // A conflict clause of the statement would also apply to the statements of triggers.
        let verb = table.hasConflictClause ? "INSERT OR ABORT INTO" : "INSERT INTO"
        guard !chosen.isEmpty else { return "\(verb) \(quotedTable) DEFAULT VALUES" }
        let values = chosen.map { _ in "?" }.joined(separator: ", ")
        return "\(verb) \(quotedTable) (\(chosen.map(quoted).joined(separator: ", "))) VALUES (\(values))"
    }

    private func change(_ chosen: [Int]) -> String {
        let verb = table.hasConflictClause ? "UPDATE OR ABORT" : "UPDATE"
        let values = chosen.map { "\(quoted($0)) = ?" }.joined(separator: ", ")
        return "\(verb) \(quotedTable) SET \(values) WHERE \(condition)"
    }
}
