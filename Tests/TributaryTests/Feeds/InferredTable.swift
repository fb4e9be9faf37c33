import Foundation
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// A database with one table, whose columns are inferred from the imported records.
struct InferredTable {
    static let entity = "thing"
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    var path: String { folder.path("found.sqlite") }

    /// Imports a text and returns the counts.
    @discardableResult
    func take(
        _ text: String, key: ImportKey? = ImportKey("id"), at place: RecordPath = "[]", batchSize: Int = 10_000,
        _ change: (inout ImportOptions) -> Void = { _ in }
    ) async throws -> [Int] {
        var options = ImportOptions()
        options.jobs = 2
        options.batchSize = batchSize
        change(&options)
        let manager = try ContextManager(inferring: InferredTable.entity, key: key, at: path)
        let feed = StreamImport(
            into: manager, from: [.text(text)],
            routes: [.inferred(InferredTable.entity, at: place, key: key)], options: options)
        let outcome = Result { try feed.perform() }
        // The next import must open the database with the extended model.
        await MainActor.run { feed.manager.close() }
        return try outcome.get().summary.tally
    }

    /// The rows of a query.
    func rows(_ query: SQLFragment) throws -> [[SQLValue]] { try open().rows(of: query) }

    /// All rows in the order of their insertion, each with its columns that are not null.
    func records() throws -> [[String: SQLValue]] {
        var records: [[String: SQLValue]] = []
        try open().forEachRow(of: "SELECT * FROM \(identifier: InferredTable.entity) ORDER BY \"_pk\"") { row in
            var values: [String: SQLValue] = [:]
            for index in 0..<row.columnCount where !["_pk", "_version"].contains(row.columnName(at: index)) {
                let value = row.value(at: index)
                if value != .null { values[row.columnName(at: index)] = value }
            }
            records.append(values)
        }
        return records
    }

    private func open() throws -> Connection {
        var options = Connection.Options()
        options.isReadOnly = true
        return try Connection(.file(path), options: options)
    }
}
