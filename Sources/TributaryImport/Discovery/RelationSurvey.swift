import TributaryStore
package import TributaryJSON
package import TributaryModel

/// Finds the tables of all records while an import reads them, whose tables the beginnings of the sources have told.
///
/// `@unchecked Sendable`: records are added by one thread at a time, and asked for when all have been added.
package final class RelationSurvey: RecordSurvey, @unchecked Sendable {
    /// Other tables are needed than those that the import fills.
    package struct Difference: Error {
        /// The tables of all records.
        package let found: DiscoveredRelations
    }

    private let request: DiscoveredRelations.Request
    private let expected: DiscoveredRelations
    private let shape: ObjectShape
    private let known = SurveyedKeys()
    /// The tables of all records; nil until all have been read.
    package private(set) var result: DiscoveredRelations?

    init(_ request: DiscoveredRelations.Request, expected: DiscoveredRelations) throws {
        (self.request, self.expected) = (request, expected)
        shape = try request.emptyShape(nil)
    }

    package func add(_ chunk: RecordChunk) {
        for record in chunk where request.takes(record) { _ = shape.add(record.value, known.insert) }
    }

    package func end() throws {
        let found = try DiscoveredRelations(request, shape, nil, besides: [])
        result = found
        guard found.hasEqualTables(expected) else { throw Difference(found: found) }
    }
}

extension DiscoveredRelations {
    /// Whether an import fills the same tables in the same way.
    fileprivate func hasEqualTables(_ other: DiscoveredRelations) -> Bool {
        key == other.key && hasTables(of: other.model)
    }

    /// Whether a database has these tables.
    package func hasTables(of stored: ModelDescription) -> Bool {
        ModelWriter.write(model) == ModelWriter.write(stored)
    }

    /// The tables of a database whose first import is not finished and has seen the beginnings of its sources only, with
    /// these sources; nil for any other database.
    package static func sample(at path: String) throws -> (model: ModelDescription, sources: [[String]])? {
        try StoreInspection.read(path) { connection in
            let runs = try connection.runs()
            // A process may have ended before it could note anything.
            let isEmpty = StoreFiles.existing(of: path) != path && runs.isEmpty
            guard try isEmpty || StoredModel.isOfSample(on: connection),
                let model = try StoredModel.read(on: connection)
            else { return nil }
            return (model, runs.map(\.identity.sources))
        } ?? nil
    }
}
