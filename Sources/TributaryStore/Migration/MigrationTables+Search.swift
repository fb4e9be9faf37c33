/// Full-text indexes, which a migration drops and creates again.
extension MigrationTables {
    /// Whether an index is one of an earlier table.
    func hasTable(_ index: SearchIndex) -> Bool { source.tables.contains { $0.name == index.table } }

    /// The index of the later table and columns; nil if none of them is there any more.
    func later(_ index: SearchIndex) -> SearchIndex? {
        guard let place = successors[index.table] else { return nil }
        let columns = index.columns.compactMap { later($0, in: moves[place], of: index.table) }
        let table = moves[place].table.name
        return columns.isEmpty
            ? nil : SearchIndex(name: SearchIndex.name(of: table), table: table, columns: columns, rowKey: index.rowKey)
    }

    /// What an index loses.
    func lost(by index: SearchIndex) -> [MigrationChange] {
        guard hasTable(index) else { return [] }
        guard later(index) != nil, let place = successors[index.table] else {
            return [MigrationChange("drops the full-text index of \(index.table)")]
        }
        return index.columns.filter { later($0, in: moves[place], of: index.table) == nil }.map {
            MigrationChange("removes \($0) from the full-text index of \(index.table)")
        }
    }

    private func later(_ column: String, in move: TableMove, of table: String) -> String? {
        let earlier = TableMove.SourceColumn(table: table, name: column)
        return move.columns.first { later in
            later.reusedColumn == column || later.sources.contains { $0.place == earlier }
        }?.name
    }
}
