package import TributaryStore

extension ExportReader {
    /// Checks that all changes after a run are kept.
    ///
    /// - Throws: `ImportError` if there is no such run, or a later one was forgotten or has kept nothing of what it
    ///   changed.
    package func checkChanges(since run: Int) throws {
        let entries = try connection.runs()
        guard run == 0 || entries.contains(where: { $0.run == run }) else {
            throw ImportError(.undo, "the journal has no run \(run)", hint: "status lists the runs")
        }
        if let forgotten = try RunTable.greatestDeleted(after: run, on: connection) {
            throw ImportError(
                .undo, "run \(forgotten) was forgotten with what it had changed, so its changes are not known",
                hint: "export all rows, or the changes since a later run")
        }
        let later = entries.filter { $0.run > run && $0.state != .undone }
        if let unknown = later.first(where: { !($0.keepsChanges ?? false) && $0.changesRows }) {
            throw ImportError(
                .undo, "run \(unknown.run) has not kept what it changed, so its changes are not known",
                hint:
                    "export all rows, or those since run \(unknown.run); a run that is undoable from its beginning keeps them"
            )
        }
    }
}
