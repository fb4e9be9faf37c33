import Foundation
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// A database with one table, whose columns are found from what is imported.
struct FoundTable {
    static let entity = "thing"
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    var path: String { folder.path("found.sqlite") }

    /// Imports a text; gives back the counts of the books.
    @discardableResult
    func take(
        _ text: String, key: ImportKey? = ImportKey("id"), at place: RecordPath = "[]", batchSize: Int = 10_000,
        _ change: (inout ImportOptions) -> Void = { _ in }
    ) async throws -> [Int] {
        var options = ImportOptions()
        options.jobs = 2
        options.batchSize = batchSize
        change(&options)
        let feed = try InferredImport(
            into: path, entity: FoundTable.entity, key: key, from: [.text(text)], at: place, options: options)
        let outcome = Result { try feed.perform() }
        // The next import finds a model that has grown.
        await MainActor.run { feed.manager.close() }
        return try outcome.get().summary.tally
    }

    /// The rows of a query.
    func rows(_ query: SQLFragment) throws -> [[SQLValue]] { try open().rows(of: query) }

    /// All rows, in the order in which they were made: for each column that has a value the value.
    func records() throws -> [[String: SQLValue]] {
        var records: [[String: SQLValue]] = []
        try open().forEachRow(of: "SELECT * FROM \(identifier: FoundTable.entity) ORDER BY \"_pk\"") { row in
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
