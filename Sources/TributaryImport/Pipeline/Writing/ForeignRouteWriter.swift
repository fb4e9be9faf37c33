import TributaryStore
import TributarySQLite

/// Writes the records of a route into a table that another program made.
final class ForeignRouteWriter: RouteWriter {
    private let plan: ImportPlan.Foreign
    private let names: () -> [String]
    /// The number of columns so far.
    private var width: Int
    private var foreignWriter: ForeignWriter?

    /// A writer; `names` returns the columns, also those that records have added.
    init(
        _ plan: ImportPlan.Foreign, _ table: BulkTable, mode: ImportMode, run: Int, names: @escaping () -> [String]
    ) {
        self.plan = plan
        self.names = names
        width = plan.columns.count
        super.init(table, mode: mode, run: run, isAlone: false)
    }

    private func writer(for connection: Connection) -> ForeignWriter {
        let writer =
            foreignWriter
            ?? ForeignWriter(
                plan.table, columns: plan.columns, key: plan.key, defaults: plan.defaults, mode: mode, on: connection)
        foreignWriter = writer
        return writer
    }

    /// Throws if SQLite refuses to write the table.
    override func check(on connection: Connection) throws { try writer(for: connection).check() }

    /// Writes rows into the table, in feed order.
    override func write(
        _ shares: [RouteShare], _ finder: RecordFinder, on connection: Connection
    ) throws -> RouteOutcome {
        if plan.settings.rest == nil {
            let unknown = Set(
                shares.flatMap { $0.part.inference.rest.filter { $0.value.reason == .noColumn }.map(\.key) })
            guard unknown.isEmpty else {
                throw ImportError(
                    .route, "the table \(plan.table.name) has no column for \(unknown.sorted().shortList)",
                    remedy: .addColumns)
            }
        }
        let writer = writer(for: connection)
        let batches = shares.compactMap(\.part.rows)
        // A batch that is prepared may have further columns already.
        width = batches.reduce(width) { max($0, $1.width) }
        if width > plan.columns.count {
            try writer.grow(to: Array(names().prefix(width)))
            try recorder?.refresh(on: connection)
        }
        let outcome = try writer.apply(batches)
        return RouteOutcome(rows: outcome, rejects: rejects(of: outcome.refused, shares, finder))
    }
}
