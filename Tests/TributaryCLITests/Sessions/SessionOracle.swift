import TributarySQLite

/// What a database must hold after the steps of a session.
///
/// It knows records, rows, rejects and runs, and nothing of how they are stored: each rule is the sentence of the help or
/// of a document, as plain and slow as it can be.
struct SessionOracle {
    struct Row: Hashable {
        /// Tells rows apart, also such with equal values.
        let number: Int
        var values: [String: SessionValue]
        /// How often a trigger has counted an update; nil after an undo, whose order of triggers is not promised.
        var touched: Int? = 0
        /// How often it was changed.
        var changes = 0
    }

    struct Table {
        var rows: [Row] = []
        /// The rows that each feed has brought.
        var marks: [String: Set<Int>] = [:]
        /// Whether triggers list the changes.
        var isAudited = false
        /// What they have listed: the event, and the row.
        var audit: [(what: String, id: SessionValue, name: SessionValue)] = []
    }

    struct Reject: Hashable {
        var run: Int
        var table: Int
        var mode: String
        var text: String
        /// The rules of its import.
        var rules = SessionRules()
        /// Tells rejects apart.
        var order: Int
    }

    struct Run {
        enum State: String { case finished, failed, undone, abandoned }
        var number: Int
        var identity: String
        var table: Int
        var file: String
        var content = ""
        var state: State
        /// The number of items that are committed.
        var position = 0
        /// Whether an unfinished run resumes, instead of starting over.
        var isCommitted = false
        var counts = SessionCounts()
        var isSync = false
        var feed = ""
        var filter: SessionFilter?
        /// The rows of records that the filter leaves out of a sync, by table.
        var leftOut: [Int: Set<Int>] = [:]
        var truncates = false
        /// The tables before and after the run, by their positions; empty if it cannot be undone.
        var before: [Int: Table] = [:]
        var after: [Int: Table] = [:]
        /// The rows that it has made or found, by table.
        var seen: [Int: Set<Int>] = [:]
        /// The number of rows that a sync has deleted.
        var deleted = 0
        /// Whether a sync has not deleted because of its limit.
        var isRefused = false
        /// Whether the key of a record could not be read, so that nothing was deleted.
        var isUnidentified = false
        /// Whether it is a matter of pace what counts as a change.
        var isVague = false
        /// How often the file had been written.
        var writes = 0
        /// Whether rows are others than before.
        var hasChanged = false
    }

    let definitions: [SessionTable]
    let isPostgres: Bool
    var tables: [Table]
    var runs: [Run] = []
    var rejects: [Reject] = []
    /// The tables with a unique index of `tag`.
    var uniqueTags: Set<Int> = []
    /// The version of the model.
    var version = 1
    /// The records of all feeds, by their text: a retry gets the text of a reject.
    var items: [String: SessionFeed.Item] = [:]
    /// What became of the objects inside of records in the last import.
    var related: [String: SessionCounts] = [:]
    /// How often each file was written: the same bytes written again are another file.
    var writes: [String: Int] = [:]
    var nextRun = 1
    var nextReject = 0
    private var nextRow = 0

    init(_ session: Session) {
        (definitions, isPostgres) = (session.definitions, session.isPostgres)
        tables = definitions.map { Table(isAudited: $0.hasTriggers) }
    }

    /// The tables that an import into a table fills.
    func group(_ table: Int) -> [Int] {
        guard case .related(let one, let many) = definitions[table].shape else { return [table] }
        return [table] + definitions.indices.filter { [one, many].contains(definitions[$0].name) }
    }

    /// Whether rows of tables are others than before.
    func differs(from before: SessionOracle, in tables: [Int]) -> Bool {
        tables.contains { Set(self.tables[$0].rows) != Set(before.tables[$0].rows) }
    }

    // MARK: Keys

    /// The key of a row; nil if it has none.
    func key(_ values: [String: SessionValue], _ table: Int) -> [SQLValue]? {
        let definition = definitions[table]
        let parts = definition.key.map { values[$0] ?? .null }
        guard !parts.isEmpty, parts.allSatisfy(\.canIdentify) else { return nil }
        return parts.map { part in
            if definition.ignoresCase, case .text(let text) = part {
                return .text(String(decoding: text.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self))
            }
            return part.cell
        }
    }

    func position(_ key: [SQLValue], _ table: Int) -> Int? {
        tables[table].rows.firstIndex { self.key($0.values, table) == key }
    }

    static func isEqual(_ one: [String: SessionValue], _ other: [String: SessionValue]) -> Bool {
        Set(one.keys).union(other.keys).allSatisfy { (one[$0] ?? .null).cell == (other[$0] ?? .null).cell }
    }

    /// Whether the constraints of another program accept a row.
    func accepts(_ values: [String: SessionValue], _ table: Int, besides number: Int?) -> Bool {
        let definition = definitions[table]
        if definition.refuses(values) { return false }
        if let reference = definition.reference, let value = values[reference.column]?.cell, value != .null,
            let owners = definitions.firstIndex(where: { $0.name == reference.table }), position([value], owners) == nil
        {
            return false
        }
        let unique = definition.unique + (uniqueTags.contains(table) ? ["tag"] : [])
        return !unique.contains { column in
            let cell = (values[column] ?? .null).cell
            return cell != .null
                && tables[table].rows.contains { $0.number != number && $0.values[column]?.cell == cell }
        }
    }

    /// Makes the unique index of `tag` after a load; returns false if values repeat.
    mutating func makeUnique(_ table: Int) -> Bool {
        let tags = tables[table].rows.compactMap { $0.values["tag"]?.cell }.filter { $0 != .null }
        guard Set(tags).count == tags.count else { return false }
        uniqueTags.insert(table)
        return true
    }

    // MARK: Rows

    mutating func insert(_ values: [String: SessionValue], _ table: Int) -> Int {
        nextRow += 1
        tables[table].rows.append(Row(number: nextRow, values: values))
        log("i", values, table)
        return nextRow
    }

    mutating func update(_ position: Int, to values: [String: SessionValue], _ table: Int) {
        tables[table].rows[position].values = values
        tables[table].rows[position].changes += 1
        tables[table].rows[position].touched = tables[table].rows[position].touched.map { $0 + 1 }
        log("u", values, table)
    }

    /// Inserts a deleted row again.
    mutating func bringBack(_ row: Row, _ table: Int) {
        tables[table].rows.append(row)
        tables[table].rows[tables[table].rows.count - 1].touched = nil
        log("i", row.values, table)
    }

    mutating func delete(_ numbers: Set<Int>, _ table: Int) {
        let gone = tables[table].rows.filter { numbers.contains($0.number) }
        for row in gone { log("d", row.values, table) }
        tables[table].rows.removeAll { numbers.contains($0.number) }
        let keys = Set(gone.compactMap { $0.values["id"]?.cell })
        for (other, column) in references(to: table) {
            for position in tables[other].rows.indices {
                switch tables[other].rows[position].values[column] {
                case .list(let elements)?:
                    let left = elements.filter { !keys.contains($0.cell) }
                    tables[other].rows[position].values[column] = left.isEmpty ? .null : .list(left)
                case let value? where keys.contains(value.cell):
                    tables[other].rows[position].values[column] = .null
                default: break
                }
            }
        }
    }

    /// The columns that hold keys of a table.
    private func references(to table: Int) -> [(table: Int, column: String)] {
        let name = definitions[table].name
        return definitions.indices.compactMap { other in
            if let reference = definitions[other].reference, reference.table == name {
                return (other, reference.column)
            }
            if case .related(let one, let many) = definitions[other].shape, [one, many].contains(name) {
                return (other, name)
            }
            return nil
        }
    }

    /// Whether a row of another program refers to a row.
    func isReferred(_ row: Row, _ table: Int) -> Bool {
        references(to: table).contains { other, column in
            definitions[other].isForeign
                && tables[other].rows.contains { $0.values[column]?.cell == row.values["id"]?.cell }
        }
    }

    private mutating func log(_ what: String, _ values: [String: SessionValue], _ table: Int) {
        guard tables[table].isAudited else { return }
        let name = definitions[table].hasTriggers ? values["name"] ?? .null : .null
        tables[table].audit.append((what, values["id"] ?? .null, name))
    }
}
