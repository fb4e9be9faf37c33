import TributaryConcurrency
import TributaryJSON
package import TributaryStore

/// The profile of the rows of an entity or table, with the exact numbers of rows in parts of it that a filter matches.
///
/// The rows are read twice: the profile tells the parts, in which the second reading counts.
package struct RowProfile {
    /// A column.
    package struct Column {
        /// The name.
        package let name: String
        /// What is in it; nil if there are no rows.
        package let row: ProfileRow?
        /// The rows without a value.
        package let empty: RowPart
        /// The rows with a value.
        package let filled: RowPart
        /// Ranges next to one another, in ascending order; none if they would tell nothing.
        package let ranges: [RowPart]
        /// The most common values, the most common one first; none if all are different.
        package let values: [RowPart]
    }

    /// The columns, at most `mostColumns`.
    package let columns: [Column]
    /// The number of columns that are left out.
    package let furtherColumns: Int
    /// The number of rows that were read.
    package let rowCount: Int
    /// Whether these are all rows.
    package let isWhole: Bool
    /// Rows that are too large to be profiled.
    package let tooLarge: Int

    private static let mostColumns = 200

    /// Profiles the rows for which a filter is true, at most `limit`, and those that can be read within `time`.
    ///
    /// The second reading takes at most as long as the first one. The database must not be used elsewhere meanwhile.
    ///
    /// - Throws: Errors of reading the database, and `FilterError` if the filter does not fit the source.
    package init(
        of source: QuerySource, where filter: Filter?, in database: QueryableDatabase, limit: Int, within time: Duration
    ) throws {
        let fields = source.fields
        let paths = fields.prefix(RowProfile.mostColumns).map { source.valuePath([$0]) }
        var request = ValueRequest(entity: source.entity.name, where: filter)
        // Columns are found by their places, as their names may be equal as strings.
        request.columns = paths.enumerated().map { ValueRequest.Column("\($0.offset)", .keyPath($0.element)) }
        request.limit = limit
        let end = ContinuousClock.now + time
        let (profile, rows, isAll) = try database.stopping(when: { ContinuousClock.now > end }) {
            try RowProfile.profile(database.rows(of: request, in: source), request.columns.map(\.name), until: end)
        }
        let children = Dictionary(uniqueKeysWithValues: profile?.records.children.map { ($0.step, $0) } ?? [])
        var counters = paths.enumerated().map { index, path in
            PartCounter(index, path, source.comparedKind(of: path), children[.member("\(index)")])
        }
        request.limit = rows
        if rows > 0 {
            let cursor = try database.rows(of: request, in: source)
            while try cursor.next() {
                for index in counters.indices { counters[index].count(cursor) }
            }
        }
        columns = zip(fields, counters).enumerated().map { index, column in
            var (name, counter) = column
            counter.finish()
            let row = children[.member("\(index)")].map { RowProfile.row(name, $0, counter, rows) }
            return Column(
                name: name, row: row, empty: counter.empty, filled: counter.filled, ranges: counter.ranges,
                values: counter.values)
        }
        furtherColumns = fields.count - columns.count
        (rowCount, isWhole) = (rows, isAll && rows < limit)
        tooLarge = profile?.damage.count ?? 0
    }

    /// The profile of the rows of a cursor, and their number; no profile if there are none.
    private static func profile(
        _ cursor: ValueCursor, _ names: [String], until end: ContinuousClock.Instant
    ) throws -> (DumpProfile?, rows: Int, isWhole: Bool) {
        // Reading happens on another thread, while this one waits for it.
        let stream = ResultStream(UncheckedTransfer(cursor), names, until: end)
        var reading = ReadOptions()
        (reading.format, reading.onError, reading.parsers) = (.ndjson, .skip, 2)
        (reading.bufferBytes, reading.chunkBytes) = (64 << 10, 256 << 10)
        (reading.limits.record, reading.limits.string) = (ReadLimits.largestRecord, ReadLimits.largestRecord)
        let profile = try DumpProfile(of: [ResultSource(name: "rows", stream: stream)], reading: reading)
        let (rows, isWhole) = stream.progress
        return (rows > 0 ? profile : nil, rows, isWhole)
    }

    /// What is in a column, with the name that it has in the table.
    private static func row(_ name: String, _ profile: PathProfile, _ counter: PartCounter, _ rows: Int) -> ProfileRow {
        var profile = profile
        // The name tells moments from other whole numbers.
        profile.step = .member(name)
        return ProfileRow(name: name, path: [], profile: profile, arrays: nil, filled: (counter.filled.count, rows))
    }
}
