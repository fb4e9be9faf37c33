import TributarySQLite

/// Turns requests for values into SQL: one statement each.
///
///     let query = try ValueCompiler(schema: store.schema, model: store.model).query(request)
///     let rows = try query.rows(on: connection) { entity, key in FilterReference(…) }
///
/// Aggregates give what the same functions give in memory: nothing is counted and added as 0, whole numbers that
/// overflow go on with a fraction, decimals stay exact. The connection must have ``FilterFunctions``.
package struct ValueCompiler: Sendable {
    private let compiler: FetchCompiler

    package init(schema: Schema, model: Model) { compiler = FetchCompiler(schema: schema, model: model) }

    /// The SQL of a request, and what its columns are.
    ///
    /// - Throws: `FetchError`, `FilterError`.
    package func query(_ request: ValueRequest) throws -> ValueQuery {
        var translation = try ValueTranslation(request, compiler)
        return try translation.query()
    }
}
