import TributaryImport
import TributaryStore
import TributaryJSON
import TributaryModel
import TributarySQLite

/// Writes the rows of chunks with nested objects, and the links between them, into the tables of a server.
///
/// A `RelatedWriter` writes a copy in memory of what they concern, so that a store and a server get the same objects.
final class PostgresRelatedWriter {
    private let plan: RelatedPlan
    private let model: Model
    private let mode: ImportMode
    private let run: Int
    private let entities: [Entity]

    init(_ plan: RelatedPlan, model: Model, mode: ImportMode, run: Int) {
        (self.plan, self.model, self.mode, self.run) = (plan, model, mode, run)
        entities = PostgresRelatedTables.reach(of: plan.entities)
    }

    /// Creates the tables that are missing, in the transaction of the caller.
    static func makeTables(_ plan: RelatedPlan, _ model: Model, on server: PostgresConnection) throws {
        let entities = PostgresRelatedTables.reach(of: plan.entities)
        // Two programs that create a table at the same time fail.
        try server.execute("SELECT pg_advisory_xact_lock(hashtext('tributary tables'))")
        for table in try PostgresRelatedTables.outlines(entities, in: Schema(model)) {
            let units = plan.units.filter { $0.entity == table.entity && !$0.rows.key.isEmpty }
            let keys = units.map { unit in unit.rows.key.map { unit.rows.columns[$0].name } }
            try PostgresRelatedTables.create(table, keys, on: server)
        }
        try MirroredReferences.create(on: server)
    }

    /// Writes chunks in feed order, in the transaction of the caller; after a rollback they can be written again.
    func write(_ chunks: [RelatedChunk], on server: PostgresConnection) throws -> RelatedOutcome {
        guard !chunks.isEmpty else { return RelatedOutcome() }
        let mirror = try RelationMirror(model, entities, on: server)
        let chunks = try plain(chunks, server)
        var reach = RelatedReach(plan, chunks, into: mirror)
        try reach.load()
        let writer = RelatedWriter(plan, mode: mode, run: run, schema: mirror.schema, mayRepeat: false)
        let shares = chunks.map { chunk -> RelatedWriter.Share in
            var counts = Array(repeating: 0, count: plan.tableCount)
            for (unit, rows) in zip(plan.units, chunk.units) {
                counts[unit.table] = max(counts[unit.table], (rows.batch.entries.map(\.ordinal).max() ?? -1) + 1)
            }
            return (chunk, counts.map(mirror.reserve))
        }
        let outcome = try writer.write(shares, on: mirror.memory)
        try mirror.write()
        return outcome
    }

    // MARK: Values

    /// Finds what the tables that are made cannot hold, in the last row of a unit.
    static func check(_ plan: RelatedPlan) -> RowCheckMaker {
        let targets = plan.units.map { unit in
            let columns = unit.rows.columns.map { column in
                // A link is a number; an attribute of another type has bytes.
                let attribute = unit.entity.attribute(named: column.attributeName)
                let other =
                    attribute == nil ? PostgresType(.int64, name: "bigint") : PostgresType(.bytes, name: "bytea")
                return ColumnEncoder(name: column.name, type: attribute.flatMap { PostgresType($0.type) } ?? other)
            }
            return TargetTable(unit.rows, columns)
        }
        return { unit in
            let encoder = RowEncoder(targets[unit])
            return { encoder.refusal(ofLastRowIn: $0) }
        }
    }

    /// Copies of chunks, in which values have the form that comes back from the server.
    private func plain(_ chunks: [RelatedChunk], _ server: PostgresConnection) throws -> [RelatedChunk] {
        let meanings = plan.units.map { unit in
            unit.rows.columns.map { column in
                unit.entity.attribute(named: column.attributeName).map { TableOutline.Meaning.attribute($0.type) }
            }
        }
        var texts: Set<String> = []
        for chunk in chunks {
            _ = chunk.copy(plan) { unit, column, cell in
                if case .attribute(.json) = meanings[unit][column], case .text(let text) = cell.value {
                    texts.insert(text)
                }
                return nil
            }
        }
        let list = Array(texts)
        var json: [String: String] = [:]
        if !list.isEmpty {
            let found = try server.execute(
                "SELECT value::jsonb::text FROM unnest($1::text[]) WITH ORDINALITY AS s (value, place) ORDER BY place",
                [.array(list)])
            for (row, text) in list.enumerated() { json[text] = found.text(row, 0) }
        }
        return chunks.map { chunk in
            chunk.copy(plan) { unit, column, cell in
                guard let meaning = meanings[unit][column], cell.kind != .absent else { return nil }
                switch meaning {
                case .attribute(.json):
                    guard case .text(let text) = cell.value else { return nil }
                    return json[text].map(SQLValue.text)
                case .attribute(.date), .attribute(.decimal): return meaning.value(of: meaning.text(of: cell.value))
                default: return nil
                }
            }
        }
    }
}
