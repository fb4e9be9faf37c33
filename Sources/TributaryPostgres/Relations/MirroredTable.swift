import TributaryStore
import TributarySQLite

/// A table of the server, of which some rows are in a database in memory.
class MirroredTable {
    let outline: TableOutline
    let memory: Connection
    let server: PostgresConnection
    /// The rows as they were loaded, by what identifies them.
    private(set) var loaded: [[SQLValue]: [SQLValue]] = [:]
    /// For each column the values whose rows were loaded.
    private var asked: [String: Set<Int64>] = [:]

    init(_ outline: TableOutline, _ memory: Connection, _ server: PostgresConnection) {
        (self.outline, self.memory, self.server) = (outline, memory, server)
    }

    final var reference: PostgresSQL { "\(name: outline.name)" }
    /// The primary keys of the loaded rows.
    var keys: Set<Int64> {
        Set(loaded.keys.compactMap { if case .integer(let key) = $0[0] { key } else { nil } })
    }

    func column(_ name: String) -> TableOutline.Column {
        guard let column = outline.columns.first(where: { $0.name == name }) else {
            fatalError("internal error: \(outline.name) has no column \(name)")
        }
        return column
    }

    // MARK: Loading

    /// The values that a store has for the texts of a row.
    func values(of texts: [String?]) -> [SQLValue] {
        zip(outline.columns, texts).map { $0.meaning.value(of: $1) }
    }

    /// Loads the rows `t` of a clause; returns those that were not in memory yet.
    @discardableResult
    final func load(_ clause: PostgresSQL, _ values: [PostgresValue]) throws -> [[SQLValue]] {
        let list = outline.columns.map { $0.meaning.text(of: "t.\(name: $0.name)") }
        let found = try server.execute("SELECT \(list) FROM \(reference) t \(clause)", values)
        let names = outline.columns.map { SQLIdentifier($0.name).quoted }.joined(separator: ", ")
        let marks = outline.columns.map { _ in "?" }.joined(separator: ", ")
        let table = SQLIdentifier(outline.name).quoted
        var new: [[SQLValue]] = []
        try memory.withUnboundStatement("INSERT INTO \(table) (\(names)) VALUES (\(marks))") { statement in
            for row in 0..<found.rowCount {
                let values = self.values(of: outline.columns.indices.map { found.text(row, $0) })
                let key = Array(values.prefix(outline.keyWidth))
                guard loaded[key] == nil else { continue }
                loaded[key] = values
                new.append(values)
                try statement.bind(values)
                _ = try statement.step()
                statement.rewind()
            }
        }
        return new
    }

    /// Loads the rows with one of these keys in a column.
    final func load(where column: String, in keys: some Sequence<Int64>) throws {
        let new = Set(keys).subtracting(asked[column] ?? []).filter { $0 > 0 && $0 < RelationMirror.firstNewKey }
        guard !new.isEmpty else { return }
        asked[column, default: []].formUnion(new)
        try load("WHERE t.\(name: column) = ANY($1::bigint[])", [.array(new.sorted())])
    }

    /// Loads the rows with one of these combinations of values.
    final func load(_ columns: [String], _ rows: some Collection<[SQLValue]>) throws {
        guard !rows.isEmpty else { return }
        let columns = columns.map(column)
        let conditions = columns.enumerated().map { number, column -> PostgresSQL in
            "t.\(name: column.name) = \(column.meaning.value(of: "s.\(name: "c\(number)")"))"
        }
        let (source, values) = MirroredTable.rows(columns, Array(rows))
        try load("JOIN \(source) ON \(conditions, separator: " AND ")", values)
    }

    /// Loads the rows whose values are all among those of their columns.
    final func load(among values: [(column: String, values: Set<SQLValue>)]) throws {
        guard values.allSatisfy({ !$0.values.isEmpty }) else { return }
        var (conditions, lists): ([PostgresSQL], [PostgresValue]) = ([], [])
        for (name, values) in values {
            let meaning = column(name).meaning
            lists.append(.array(values.map { meaning.text(of: $0) }))
            let list: PostgresSQL = "unnest($\(PostgresSQL(number: lists.count))::\(meaning.textType)[]) AS v (c)"
            conditions.append("t.\(name: name) IN (SELECT \(meaning.value(of: "v.c")) FROM \(list))")
        }
        try load("WHERE \(conditions, separator: " AND ")", lists)
    }

    /// Rows as a table `s` with the columns `c0`, `c1` and so on.
    private static func rows(
        _ columns: [TableOutline.Column], _ rows: [[SQLValue]]
    ) -> (source: PostgresSQL, values: [PostgresValue]) {
        let lists = columns.enumerated().map { number, column -> PostgresSQL in
            "$\(PostgresSQL(number: number + 1))::\(column.meaning.textType)[]"
        }
        let values = columns.enumerated().map { number, column in
            PostgresValue.array(rows.map { column.meaning.text(of: $0[number]) })
        }
        return ("unnest(\(lists)) AS s (\(names: columns.indices.map { "c\($0)" }))", values)
    }

    // MARK: Writing

    /// The differences between the rows in memory and those that were loaded.
    struct Changes {
        /// What identifies rows that are not there any more.
        var removed: [[SQLValue]] = []
        var changed: [[SQLValue]] = []
        var added: [[SQLValue]] = []
    }

    /// The rows in memory, in the order of their keys.
    final func rows() throws -> [[SQLValue]] {
        let list = outline.columns.map { "\(identifier: $0.name)" as SQLFragment }
        return try memory.rows(of: "SELECT \(list) FROM \(identifier: outline.name) ORDER BY 1, 2")
    }

    func changes() throws -> Changes {
        var (changes, rest) = (Changes(), loaded)
        for values in try rows() {
            guard let earlier = rest.removeValue(forKey: Array(values.prefix(outline.keyWidth))) else {
                changes.added.append(values)
                continue
            }
            if values != earlier { changes.changed.append(values) }
        }
        changes.removed = Array(rest.keys)
        return changes
    }

    /// Removes and changes rows.
    func write(_ changes: Changes, _ numbers: NewKeys) throws {
        let keys = outline.columns.prefix(outline.keyWidth)
        let match = keys.enumerated().map { "t.\(name: $1.name) = s.\(name: "c\($0)")" as PostgresSQL }
        if !changes.removed.isEmpty {
            let (source, values) = MirroredTable.rows(Array(keys), changes.removed)
            try server.execute("DELETE FROM \(reference) t USING \(source) WHERE \(match, separator: " AND ")", values)
        }
        let rows = changes.changed.map { numbers.replace(in: $0, outline) }
        guard !rows.isEmpty else { return }
        let sets = outline.columns.enumerated().dropFirst(keys.count).map { number, column -> PostgresSQL in
            "\(name: column.name) = \(column.meaning.value(of: "s.\(name: "c\(number)")"))"
        }
        let (source, values) = MirroredTable.rows(outline.columns, rows)
        try server.execute(
            "UPDATE \(reference) t SET \(sets) FROM \(source) WHERE \(match, separator: " AND ")", values)
    }

    /// Inserts rows.
    func insert(_ changes: Changes, _ numbers: NewKeys) throws {
        let rows = changes.added.map { numbers.replace(in: $0, outline) }.filter { row in
            row.prefix(outline.keyWidth).allSatisfy { $0 != .null }
        }
        guard !rows.isEmpty else { return }
        let list = outline.columns.enumerated().map { $1.meaning.value(of: "s.\(name: "c\($0)")") }
        let (source, values) = MirroredTable.rows(outline.columns, rows)
        try server.execute(
            """
            INSERT INTO \(reference) (\(names: outline.columns.map(\.name))) OVERRIDING SYSTEM VALUE
            SELECT \(list) FROM \(source)
            """, values)
    }
}
