import TributarySQLite

/// Translates requests for values to SQL: one statement each.
///
///     let query = try ValueCompiler(schema: store.schema, model: store.model).query(request)
///     let rows = try query.rows(on: connection) { entity, key in FilterReference(…) }
///
/// Aggregates have the results of the same functions in memory: null is counted and added as 0, integers that overflow
/// become floating point numbers, decimals stay exact. ``FilterFunctions`` must be defined on the connection.
package struct ValueCompiler: Sendable {
    private let compiler: FetchCompiler

    package init(schema: Schema, model: Model) { compiler = FetchCompiler(schema: schema, model: model) }

    /// The SQL of a request, with the types of its columns.
    ///
    /// - Throws: `FetchError`, `FilterError`.
    package func query(_ request: ValueRequest) throws -> ValueQuery {
        var translation = try ValueTranslation(request, compiler)
        return try translation.query()
    }
}
