import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// A store with any model, into which texts are imported with mappings, and the statements that it executes.
final class MappedStore: Sendable {
    let folder: TemporaryFolder
    let manager: ContextManager
    private let statements = Guarded<[String]>([])

    init(_ entities: [EntityDescription]) throws {
        folder = try TemporaryFolder()
        var options = StoreOptions()
        let statements = statements
        options.trace = { event in
            guard event.duration == nil else { return }
            statements.withLock { $0.append(event.sql) }
        }
        manager = try ContextManager(
            model: Model(ModelDescription(entities)), store: .sqlite(folder.path("mapped.sqlite")), options: options)
    }

    /// A store of one entity `Thing` with these attributes, of which `id` is the key.
    convenience init(_ attributes: [AttributeDescription], _ change: (inout EntityDescription) -> Void = { _ in })
        throws
    {
        var entity = EntityDescription("Thing")
        entity.attributes = [AttributeDescription("id", .integer64)] + attributes
        entity.uniquenessConstraints = [["id"]]
        change(&entity)
        try self.init([entity])
    }

    var path: String { folder.path("mapped.sqlite") }

    /// Imports the records of a text; returns the summary.
    @discardableResult
    func take(
        _ text: String, as entity: String = "Thing", at place: RecordPath? = nil, _ mapping: Mapping? = nil,
        _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> ImportSummary {
        var options = ImportOptions()
        options.jobs = 2
        options.onError = .quarantine
        change(&options)
        return try manager.load(.text(text), [.rows(entity, at: place, mapping: mapping)], options)
    }

    /// The rows of a query.
    func rows(_ sql: String) throws -> [[SQLValue]] {
        try manager.stores.stores[0].read { try $0.rows(of: SQLFragment(trusted: sql)) }
    }

    /// The values of a column in the order of primary keys.
    func values(_ column: String, of table: String = "Thing") throws -> [SQLValue] {
        try rows("SELECT \"\(column)\" FROM \"\(table)\" ORDER BY _pk").map { $0[0] }
    }

    /// The statements that `body` executes.
    func statements(during body: () throws -> Void) rethrows -> [String] {
        statements.withLock { $0 = [] }
        try body()
        return statements.withLock { $0 }
    }

    /// The errors of all rejected records, with their paths.
    func reasons() throws -> [String] {
        try rows("SELECT reason, path FROM _reject ORDER BY 1").map { "\($0)" }
    }
}
