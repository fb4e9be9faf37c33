import Tributary

/// The expected result of an import of seats, computed with one record at a time.
struct SeatOracle {
    private struct Row: Equatable {
        var number: Int
        var j: String?
        var s: String?
    }

    private let mode: ImportMode
    private var table: [Int: Row] = [:]
    private var last = 0
    /// The counts of the latest feed.
    private(set) var books = ImportSummary()
    /// The rejected records of the latest feed, counted from 1, each with its error code.
    private(set) var refused: [String] = []

    init(_ mode: ImportMode, after earlier: SeatOracle? = nil) {
        self.mode = mode
        (table, last) = (earlier?.table ?? [:], earlier?.last ?? 0)
    }

    /// All rows: number, id, j, s.
    var rows: [String] {
        table.sorted { $0.value.number < $1.value.number }.map { id, row in
            "\(row.number) \(id) \(row.j ?? "-") \(row.s ?? "-")"
        }
    }

    mutating func take(_ records: [SeatRecord]) {
        books = ImportSummary()
        refused = []
        for record in records {
            books.read += 1
            last += 1
            if let code = take(record) {
                books.counts.rejected += 1
                refused.append("\(books.read) \(code)")
            }
        }
    }

    /// Applies a record, and returns the error code if it is rejected.
    private mutating func take(_ record: SeatRecord) -> String? {
        guard let id = record.id else { return "key.missing" }
        if record.s == .wrong { return "convert.type" }
        let known = table[id]
        switch (mode, known) {
        case (.insert, .some): books.counts.duplicate += 1
        case (.ignore, .some), (.update, nil): books.counts.skipped += 1
        default:
            var row = known ?? Row(number: last)
            if mode == .replace { (row.j, row.s) = (nil, nil) }
            SeatOracle.set(&row.j, record.j)
            SeatOracle.set(&row.s, record.s)
            if let j = row.j, table.contains(where: { $0.key != id && $0.value.j == j }) { return "store.unique" }
            table[id] = row
            if known == nil {
                books.counts.inserted += 1
            } else if known == row {
                books.counts.unchanged += 1
            } else {
                books.counts.updated += 1
            }
        }
        return nil
    }

    private static func set(_ value: inout String?, _ said: SeatRecord.Said) {
        switch said {
        case .nothing, .wrong: break
        case .null: value = nil
        case .text(let text): value = text
        }
    }
}
