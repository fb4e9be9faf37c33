package import TributaryStore
package import TributarySQLite

/// Makes the objects that references wait for, with nothing but their keys.
package struct StubMaker {
    /// The number of objects that are made together.
    private static let slice = 20_000
    private let relation: WaitingRelation
    private let table: BulkTable

    /// Makes objects of an entity, which references of a relation wait for by a key.
    package init(of entity: Entity, key: [AttributeProperty], for relation: WaitingRelation, in schema: Schema) {
        self.relation = relation
        table = BulkTable(
            entity, attributes: entity.attributes.filter { !$0.isTransient }, key: key, schema: schema)
    }

    /// Makes all missing objects that references of a run wait for; `reserve` returns the first of some primary keys, and
    /// `made` gets the outcome of each slice of objects.
    package func make(
        run: Int, on connection: Connection, reserve: (Int) throws -> Int64, made: (BulkOutcome) -> Void
    ) throws {
        let writer = try BulkWriter(table, mode: .insert, related: true, on: connection)
        while true {
            let keys = try relation.keys(ofRun: run, limit: StubMaker.slice, on: connection)
            guard !keys.isEmpty else { return }
            let outcome = try writer.apply([RowBatch(keys: keys, of: table)], firstKeys: [reserve(keys.count)])
            made(outcome)
            if outcome.counts.inserted == 0 { return }
        }
    }
}

extension RowBatch {
    /// Rows of a table that have nothing but keys.
    fileprivate convenience init(keys: [[SQLValue]], of table: BulkTable) {
        self.init(width: table.columns.count)
        let scratch = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: table.columns.count)
        defer { scratch.deallocate() }
        for (ordinal, values) in keys.enumerated() {
            begin(ordinal: ordinal)
            for column in table.columns.indices {
                if let part = table.key.firstIndex(of: column) { add(values[part]) } else { addAbsent() }
            }
            finish(key: table.key, scratch: scratch)
        }
    }
}
