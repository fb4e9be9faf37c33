import TributarySQLite

extension Schema {
    /// The tables whose changes an undoable run keeps: those of all objects, of their relationships, and of references
    /// that wait.
    package var recordedTables: [ChangeRecorder.Table] {
        tables.map { ($0.name, nil) } + joins.map { ($0.name, nil) } + [(WaitingTable.name, nil)]
    }
}
