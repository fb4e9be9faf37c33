import Tributary
import TributaryStore
import TributaryJSON
import TributaryModel
import TributaryPostgres

/// Imports into a database of PostgreSQL.
extension ImportCommandRun {
    /// Runs the import of `request` into the database at an address.
    mutating func importInto(_ address: PostgresAddress, _ request: ImportTarget.Request) throws -> Int32 {
        DatabaseName(address).warn(&console, isQuiet: command.output.isQuiet)
        var request = request
        if command.entity == nil { request.member = recordPath?.memberName }
        let target = try target(request, PostgresImports(in: address))
        try checkModelOptions(of: target)
        if let model = target.model, try printsMap(target, model, request.mappings) { return ExitCode.success }
        try checkColumnOptions(of: target)
        try checkInput()
        for source in sources { _ = try SourceFingerprint(of: source) }
        var options = command.options
        options.mappings = request.mappings
        let job = PostgresImport(
            into: address, from: sources, routes: [route(of: target)], model: target.model, options: options,
            settings: command.server)
        return try perform(job, PostgresImports(in: address).rejects).code
    }

    /// The entity and its key: by the model, or by a table of the database.
    private func target(_ request: ImportTarget.Request, _ imports: PostgresImports) throws -> ImportTarget {
        if let model = command.model {
            return try ImportTarget(request, .model(Model(ModelFile.read(model))))
        }
        let name = try ImportTarget.entityName(request)
        guard let table = try imports.table(name) else { return try ImportTarget(request, .inferred(nil)) }
        guard table.isOwn else { return try ImportTarget(request, .inferred(nil, others: [name.lowercased()])) }
        var entity = EntityDescription(name)
        entity.uniquenessConstraints = table.key.map { [$0] } ?? []
        return try ImportTarget(request, .inferred(ModelDescription([entity])))
    }

    private func route(of target: ImportTarget) -> ImportRoute {
        if target.isForeign {
            return .table(target.entity, at: command.path, key: target.key, command.existing)
        }
        guard target.model != nil else {
            return .inferred(target.entity, at: command.path, key: target.key, command.inference)
        }
        return ImportTarget.rows(target.entity, command.path, target.key)
    }
}
