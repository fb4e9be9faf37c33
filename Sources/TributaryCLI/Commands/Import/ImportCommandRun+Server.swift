import TributaryImport
import TributaryPostgres

/// Imports into a database of PostgreSQL.
extension ImportCommandRun {
    /// The entity and its key: by the model, or by a table of the database.
    func serverTarget(_ request: ImportTarget.Request, _ database: PostgresDatabase) throws -> ImportTarget {
        if let model = command.model {
            return try ImportTarget(request, .model(Model(ModelFile.read(model))))
        }
        let name = try ImportTarget.entityName(request)
        guard let table = try database.table(name) else { return try ImportTarget(request, .inferred(nil)) }
        guard table.isOwn else { return try ImportTarget(request, .inferred(nil, others: [name.lowercased()])) }
        var entity = EntityDescription(name)
        entity.uniquenessConstraints = table.key.map { [$0] } ?? []
        return try ImportTarget(request, .inferred(ModelDescription([entity])))
    }
}
