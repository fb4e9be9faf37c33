import TributarySQLite

import Tributary

/// The expected result of an import, computed with a dictionary that takes one record at a time.
struct FeedOracle {
    private struct Row {
        let number: Int
        var values: [SQLValue]
        /// Whether the latest pass has changed it.
        var isChanged = false
    }

    private let model: FeedModel
    private let mode: ImportMode
    private var table: [String: Row] = [:]
    private var last = 0
    /// The counts of the latest pass.
    private(set) var books = ImportSummary()
    /// The texts of the records that the latest pass rejected, in feed order and without damaged ones.
    private(set) var refused: [String] = []

    init(_ model: FeedModel, _ mode: ImportMode) {
        self.model = model
        self.mode = mode
    }

    init(_ model: FeedModel, _ mode: ImportMode, after earlier: FeedOracle) {
        (self.model, self.mode, table, last) = (model, mode, earlier.table, earlier.last)
    }

    /// All rows: number, then columns.
    var rows: [String] {
        table.values.sorted { $0.number < $1.number }.map { row in
            ([.integer(Int64(row.number))] + row.values).map(\.exact).joined(separator: "|")
        }
    }

    /// Numbers of the rows that the latest pass may have written.
    var written: Set<Int> { Set(table.values.filter(\.isChanged).map(\.number)) }

    /// Applies all records of a feed, or the first ones.
    mutating func take(_ feed: Feed, limit: Int? = nil) {
        books = ImportSummary()
        refused = []
        for key in table.keys { table[key]?.isChanged = false }
        var rest = limit ?? .max
        for record in feed.records {
            if rest == 0 { return }
            books.read += 1
            // A part that is no record counts, too.
            rest -= 1
            guard case .record(let said) = record.kind else {
                books.counts.rejected += 1
                if case .bare = record.kind {
                    last += 1
                    refused.append(record.text)
                }
                continue
            }
            last += 1
            if !take(said) {
                books.counts.rejected += 1
                refused.append(record.text)
            }
        }
    }

    /// Applies a record; false if it is rejected.
    private mutating func take(_ said: [FeedRecord.Said]) -> Bool {
        var values: [SQLValue?] = []
        for (column, said) in zip(model.columns, said) {
            switch said {
            case .nothing where column.isKey: return false
            case .nothing: values.append(nil)
            case .null where column.isKey || !column.attribute.isOptional: return false
            case .null: values.append(.null)
            case .value(let value):
                guard let stored = value.stored else { return false }
                values.append(stored)
            }
        }
        let key = model.key.map { values[$0]?.exact ?? "" }.joined(separator: "|")
        let present = table[key]
        switch (mode, present) {
        case (.insert, .some): books.counts.duplicate += 1
        case (.ignore, .some), (.update, nil): books.counts.skipped += 1
        case (.upsert, .some(var row)), (.update, .some(var row)), (.replace, .some(var row)):
            if mode == .replace, !complete(&values) { return false }
            let earlier = row.values
            for (place, value) in values.enumerated() { if let value { row.values[place] = value } }
            guard row.values.map(\.exact) != earlier.map(\.exact) else {
                books.counts.unchanged += 1
                return true
            }
            guard isUnique(row.values, except: key) else { return false }
            row.isChanged = true
            table[key] = row
            books.counts.updated += 1
        case (_, nil):
            guard complete(&values) else { return false }
            let row = values.map { $0 ?? .null }
            guard isUnique(row, except: key) else { return false }
            table[key] = Row(number: last, values: row, isChanged: true)
            books.counts.inserted += 1
        }
        return true
    }

    /// Fills in the defaults of omitted values; false if a required value has none.
    private func complete(_ values: inout [SQLValue?]) -> Bool {
        for (place, column) in model.columns.enumerated() where values[place] == nil {
            values[place] = column.standard
            if column.standard == .null, !column.attribute.isOptional { return false }
        }
        return true
    }

    private func isUnique(_ values: [SQLValue], except key: String) -> Bool {
        guard !model.unique.isEmpty else { return true }
        let wanted = model.unique.map { values[$0] }
        guard !wanted.contains(.null) else { return true }
        return !table.contains { entry in
            entry.key != key && model.unique.map { entry.value.values[$0].exact } == wanted.map(\.exact)
        }
    }
}
