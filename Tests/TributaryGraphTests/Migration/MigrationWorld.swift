import Foundation
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// A database that is made with one model and opened with another.
struct MigrationWorld {
    let folder: TemporaryFolder
    var path: String { folder.path("store.sqlite") }

    /// Makes the database with a model, and fills it.
    init(_ model: Model, _ fill: (ManagedObjectContext) throws -> Void = { _ in }) throws {
        folder = try TemporaryFolder()
        let manager = try ContextManager(model: model, store: .sqlite(path))
        try manager.writeAndWait(fill)
        for store in manager.stores.stores { store.close() }
    }

    /// Runs SQL as another program.
    func run(_ statements: SQLFragment...) throws {
        let connection = try Connection(.file(path))
        for statement in statements { try connection.execute(statement) }
    }

    func rows(_ query: SQLFragment) throws -> [[SQLValue]] { try Connection(.file(path)).rows(of: query) }

    /// Opens the database with a later model, which migrates it, and compares its tables with those of a new database.
    func migrate(to model: Model, _ change: (inout MigrationOptions) -> Void = { _ in }) throws {
        var options = StoreOptions()
        change(&options.migration)
        _ = try SQLiteStore(model, at: .sqlite(path), options: options)
        let fresh = folder.path("fresh-\(UUID()).sqlite")
        _ = try SQLiteStore(model, at: .sqlite(fresh))
        let (own, other) = (try Connection(.file(path)), try Connection(.file(fresh)))
        #expect(try Self.layout(own) == Self.layout(other))
        #expect(try own.rows(of: "PRAGMA integrity_check") == [["ok"]])
        #expect(try own.rows(of: "PRAGMA foreign_key_check").isEmpty)
        for row in try own.rows(of: "SELECT \"name\" FROM sqlite_master") {
            if case .text(let name)? = row.first { #expect(!name.hasPrefix("_old.") && !name.hasPrefix("_migrating.")) }
        }
        // Opening it again changes nothing.
        let before = try Data(contentsOf: URL(filePath: path))
        _ = try SQLiteStore(model, at: .sqlite(path))
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    /// The reason why the database is not migrated; it is unchanged then.
    func refusal(of model: Model, _ change: (inout MigrationOptions) -> Void = { _ in }) throws -> String {
        var options = StoreOptions()
        change(&options.migration)
        let before = try CrashWorld.dump(Connection(.file(path)))
        let error = #expect(throws: StoreError.self) {
            try SQLiteStore(model, at: .sqlite(path), options: options)
        }
        #expect(try CrashWorld.dump(Connection(.file(path))) == before)
        return error.map { "\($0.reason); \($0.hint)" } ?? ""
    }

    /// The columns, references and indexes of all tables, without their order.
    static func layout(_ connection: Connection) throws -> [String: Set<String>] {
        var tables: [String: Set<String>] = [:]
        for row in try connection.rows(of: "SELECT name FROM sqlite_master WHERE type = 'table'") {
            guard case .text(let table) = row[0] else { continue }
            var parts: Set<String> = []
            for column in try connection.rows(
                of: "SELECT name, type, \"notnull\", pk FROM pragma_table_xinfo(\(table))")
            {
                parts.insert("column \(column)")
            }
            for key in try connection.rows(
                of: "SELECT \"table\", \"from\", \"to\", on_delete FROM pragma_foreign_key_list(\(table))")
            {
                parts.insert("reference \(key)")
            }
            for index in try connection.rows(
                of: "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = \(table)")
            {
                parts.insert("index \(index)")
            }
            tables[table] = parts
        }
        return tables
    }
}

/// Short forms for models in tests.
func makeModel(_ entities: EntityDescription...) throws -> Model { try Model(ModelDescription(entities)) }

func makeEntity(
    _ name: String, parent: String? = nil, was earlier: String? = nil, _ attributes: [AttributeDescription] = [],
    _ relationships: [RelationshipDescription] = [], isAbstract: Bool = false, unique: [[String]] = []
) -> EntityDescription {
    var entity = EntityDescription(name)
    (entity.parent, entity.renamingIdentifier, entity.isAbstract) = (parent, earlier, isAbstract)
    (entity.attributes, entity.relationships, entity.uniquenessConstraints) = (attributes, relationships, unique)
    return entity
}

func makeAttribute(
    _ name: String, _ type: AttributeType = .string, was earlier: String? = nil, isRequired: Bool = false,
    default value: ModelValue? = nil
) -> AttributeDescription {
    var attribute = AttributeDescription(name, type)
    (attribute.renamingIdentifier, attribute.isOptional, attribute.defaultValue) = (earlier, !isRequired, value)
    return attribute
}

func makeRelationship(
    _ name: String, to destination: String, inverse: String? = nil, was earlier: String? = nil, isToMany: Bool = false,
    isOrdered: Bool = false, rule: DeleteRule = .nullify
) -> RelationshipDescription {
    var relationship = RelationshipDescription(name, to: destination)
    (relationship.inverse, relationship.renamingIdentifier) = (inverse, earlier)
    (relationship.isToMany, relationship.isOrdered) = (isToMany, isOrdered)
    relationship.deleteRule = rule
    return relationship
}
