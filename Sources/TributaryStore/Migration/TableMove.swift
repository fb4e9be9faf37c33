/// How a table of the later model is made from those of the earlier one.
struct TableMove {
    /// A column, and the earlier column that becomes it without copying values.
    struct Column {
        let name: String
        /// The earlier column in the same table; nil if the column is added.
        let reusedColumn: String?
        /// The values of entities whose objects have them in other columns.
        let sources: [(entity: Entity, place: SourceColumn?, property: Property)]
        let layout: ColumnLayout
    }

    /// A column of the earlier model.
    struct SourceColumn: Hashable {
        let table: String
        let name: String
    }

    /// The later table.
    let table: TableLayout
    /// The earlier table that becomes it; nil if it is created.
    let origin: TableLayout?
    /// Other tables whose rows come into it, with the later entities of these rows.
    let copies: [(source: TableLayout, entities: [Entity])]
    let columns: [Column]
    /// The columns of positions, and the earlier ones that become them.
    let orders: [(name: String, reusedColumn: String?)]

    /// The entities of the table.
    var entities: [Entity] { [table.root] + table.root.descendants }
    /// The name that an earlier table or column has until it is dropped, if its name is needed.
    static func temporaryName(_ name: String) -> String { "_old.\(name)" }
}
