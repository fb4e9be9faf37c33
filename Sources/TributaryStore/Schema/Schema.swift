package import TributarySQLite

/// The layout of a model in a database: plain tables that any tool can read.
///
/// Names of the model are used unchanged, in quotes; names of the library begin with an underscore. The schema needs
/// only built-in features of SQLite, so that `integrity_check` passes in any program.
package struct Schema: Sendable {
    let model: Model
    /// The tables of the root entities.
    let tables: [TableLayout]
    package let joins: [JoinLayout]

    /// Lays out the tables of the entities of a configuration, or of all entities if nil.
    package init(_ model: Model, configuration: String? = nil) {
        self.model = model
        let roots = Set((model.entities(in: configuration) ?? []).map(\.root))
        tables = model.rootEntities.filter(roots.contains).map(TableLayout.init)
        joins = JoinLayout.all(model).filter { roots.contains($0.relationship.entity.root) }
    }

    /// The table of an entity.
    package func table(of entity: Entity) -> TableLayout? { tables.first { $0.root == entity.root } }

    /// The join table of a relationship.
    package func join(of relationship: RelationshipProperty) -> JoinLayout? {
        joins.first { $0.relationship == relationship || $0.relationship == relationship.inverse }
    }

    /// The column with the order of an ordered to-many relationship whose inverse is to-one.
    ///
    /// It is in the table of the destination.
    package static func orderColumn(_ relationship: RelationshipProperty) -> String {
        "_order.\(relationship.entity.name).\(relationship.name)"
    }

    // MARK: Statements

    /// The statements that create an empty database for the model.
    package func creation() -> [SQLFragment] {
        [
            MetadataTable.creation,
            // A key is never assigned twice, even after its row was deleted.
            "CREATE TABLE \(identifier: Schema.counters) (\"entity\" TEXT PRIMARY KEY NOT NULL, \"last\" INTEGER NOT NULL) WITHOUT ROWID",
        ] + tables.map(creation) + joins.map(creation) + indexes()
    }

    /// The statements that create missing tables and indexes.
    func restoration() -> [SQLFragment] {
        (tables.map(creation) + joins.map(creation) + indexes()).map { statement in
            let kind = ["TABLE", "UNIQUE INDEX", "INDEX"].first { statement.text.hasPrefix("CREATE \($0) ") } ?? ""
            let rest = statement.text.dropFirst("CREATE \(kind) ".count)
            return SQLFragment(trusted: "CREATE \(kind) IF NOT EXISTS \(rest)")
        }
    }

    /// The table with the key last assigned for each root entity.
    package static let counters = "_counter"

    /// The statement that creates the table of a root entity.
    func creation(_ table: TableLayout) -> SQLFragment {
        var columns: [SQLFragment] = ["\"_pk\" INTEGER PRIMARY KEY", "\"_version\" INTEGER NOT NULL DEFAULT 1"]
        if table.hasSubentities { columns.append("\"_entity\" TEXT NOT NULL") }
        columns += table.columns.map(creation)
        columns += orders(in: table).map { "\(identifier: $0) INTEGER" }
        return "CREATE TABLE \(identifier: table.name) (\(columns))"
    }

    func creation(_ column: ColumnLayout) -> SQLFragment {
        var text: SQLFragment = "\(identifier: column.name) \(SQLFragment(trusted: column.storage.rawValue))"
        if let reference = column.reference {
            text += " REFERENCES \(identifier: reference) (\"_pk\") DEFERRABLE INITIALLY DEFERRED"
        }
        return text
    }

    /// The order columns in the table of a destination.
    func orders(in table: TableLayout) -> [String] { orderedRelationships(in: table).map(Schema.orderColumn) }

    /// The ordered to-many relationships whose positions are in the table of their destination.
    func orderedRelationships(in table: TableLayout) -> [RelationshipProperty] {
        model.entities.flatMap { entity in
            entity.relationships.filter { relationship in
                relationship.entity == entity && relationship.isToMany && relationship.isOrdered
                    && relationship.inverse?.isToMany == false && relationship.destination.root == table.root
            }
        }
    }

    /// The statement that creates a join table.
    func creation(_ join: JoinLayout) -> SQLFragment {
        func column(_ name: String, _ entity: Entity) -> SQLFragment {
            let text: SQLFragment = "\(identifier: name) INTEGER NOT NULL"
            guard join.isEnforced else { return text }
            return text + " REFERENCES \(identifier: entity.root.name) (\"_pk\") DEFERRABLE INITIALLY DEFERRED"
        }
        var columns = [
            column(join.source, join.relationship.entity), column(join.target, join.relationship.destination),
        ]
        if join.hasTargetOrder { columns.append("\"_targetOrder\" INTEGER") }
        if join.hasSourceOrder { columns.append("\"_sourceOrder\" INTEGER") }
        columns.append("PRIMARY KEY (\(identifier: join.source), \(identifier: join.target))")
        return "CREATE TABLE \(identifier: join.name) (\(columns)) WITHOUT ROWID"
    }
}
