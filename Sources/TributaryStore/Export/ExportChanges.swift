import TributaryModel
import TributarySQLite

/// The rows that undoable runs after a run have changed, compared with the kept values from before them.
///
/// The first change of a row after the run has its values at that time, whatever later runs have done.
struct ExportChanges {
    private let run: Int
    private let tables: [RecordedTable]

    /// Reads the tables whose changes are kept.
    init(since run: Int, on connection: Connection) throws {
        (self.run, tables) = (run, try RecordedTable.all(on: connection))
    }

    private func table(_ name: String) -> RecordedTable? {
        tables.first { $0.name.lowercased() == name.lowercased() }
    }

    /// The first change of each row after the run.
    private func first(_ table: RecordedTable) -> SQLFragment {
        let keys = table.key.map { name -> SQLFragment in "\(identifier: name)" }
        // SQLite takes the other columns from the row with the minimum.
        return """
            (SELECT min("_run") AS "_run", "_kind", \(keys + table.columns.map(table.old))
            FROM \(identifier: table.changes) WHERE "_run" > \(run) GROUP BY \(keys))
            """
    }

    /// Whether a row was there before the runs.
    private static let wasThere: SQLFragment = "c.\"_kind\" IN ('u', 'd')"

    /// The condition that a row `t` was inserted or changed, or that links of its to-many relationships were.
    func condition(of name: String, lists: [(PairStorage, isForward: Bool)] = []) -> SQLFragment {
        var conditions: [SQLFragment] = []
        if let table = table(name) {
            let keys = RecordedTable.list(table.key, of: "t")
            conditions.append(
                """
                (\(keys)) IN (SELECT \(keys) FROM \(identifier: table.name) AS t JOIN \(first(table)) AS c
                ON \(table.hasSameKey("t", "c")) WHERE NOT \(ExportChanges.wasThere) OR \(table.differs(from: table.old)))
                """)
        }
        for (storage, isForward) in lists {
            guard let table = table(storage.table) else { continue }
            let own = isForward ? storage.source : storage.target
            let sides = storage.isSymmetric ? [storage.source, storage.target] : [own]
            conditions += sides.map { side in "t.\"_pk\" IN (" + owners(side, of: storage, table) + ")" }
        }
        return conditions.isEmpty ? "0" : "(" + conditions.joined(separator: " OR ") + ")"
    }

    /// The objects at one side of pairs that were added, removed or moved.
    private func owners(_ side: String, of storage: PairStorage, _ table: RecordedTable) -> SQLFragment {
        let places = [storage.isColumn ? storage.source : nil, storage.targetOrder, storage.sourceOrder]
            .compactMap(\.self).filter(table.columns.contains)
        let earlier: SQLFragment = table.key.contains(side) ? "c.\(identifier: side)" : "c." + table.old(side)
        let rows: SQLFragment = """
            \(first(table)) AS c LEFT JOIN \(identifier: table.name) AS t ON \(table.hasSameKey("t", "c"))
            WHERE (\(ExportChanges.wasThere)) IS NOT (t.\(identifier: table.key[0]) IS NOT NULL)
            OR \(table.differs(from: table.old, in: places))
            """
        return "SELECT t.\(identifier: side) FROM \(rows) UNION SELECT \(earlier) FROM \(rows)"
    }

    /// The keys of rows that were deleted and that no row has again; nil if no changes of the table are kept.
    func deleted(
        of name: String, _ columns: [(column: String, ReadableTable.Column)], entity: Entity? = nil
    ) -> ReadableTable? {
        guard let table = table(name) else { return nil }
        let isKeyed = !columns.isEmpty
        let columns = columns.isEmpty ? table.key.map { ($0, .init(name: $0, meaning: .plain)) } : columns
        let values = columns.map { column, _ -> SQLFragment in
            table.key.contains(column) ? "c.\(identifier: column)" : "c." + table.old(column)
        }
        let own: SQLFragment = entity.map { " AND c." + table.old("_entity") + " = \($0.name)" } ?? ""
        // A later run may have made the object again, with another number.
        let keys = zip(columns, values).map { key, value -> SQLFragment in "t.\(identifier: key.0) IS " + value }
        let again: SQLFragment = entity.map { " AND t.\(identifier: "_entity") = \($0.name)" } ?? ""
        let isSame = isKeyed ? keys.joined(separator: " AND ") + again : table.hasSameKey("t", "c")
        return ReadableTable(
            name: name, columns: columns.map(\.1),
            query: """
                SELECT \(values) FROM \(first(table)) AS c WHERE \(ExportChanges.wasThere)\(own) AND NOT EXISTS
                (SELECT 1 FROM \(identifier: table.name) AS t WHERE \(isSame))
                ORDER BY \(RecordedTable.list(table.key, of: "c"))
                """)
    }
}
