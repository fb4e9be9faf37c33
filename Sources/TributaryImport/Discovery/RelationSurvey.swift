import TributaryStore
package import TributaryJSON
import TributaryModel

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

    init(_ request: DiscoveredRelations.Request, expected: DiscoveredRelations) {
        (self.request, self.expected) = (request, expected)
        shape = request.emptyShape
    }

    package func add(_ chunk: RecordChunk) {
        for record in chunk where record.value.kind == .object { _ = shape.add(record.value, known.insert) }
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
        key == other.key && ModelWriter.write(model) == ModelWriter.write(other.model)
    }
}
