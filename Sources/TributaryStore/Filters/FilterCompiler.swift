package import TributarySQLite

/// Translates filters and sort keys to SQL with the same results as the evaluation in memory.
///
///     let compiler = FilterCompiler(schema: schema, entity: book)
///     let condition = try compiler.condition("price > 3 AND author.name == 'Ursula'")
///     "SELECT _pk FROM \(compiler.table) WHERE \(condition)"
///
/// The SQL calls functions that ``FilterFunctions`` defines. Values are bound. Expressions that SQL cannot compute
/// throw before anything is executed: transient properties, elements by index, set operations, random numbers.
package struct FilterCompiler {
    let schema: Schema
    let entity: Entity
    /// The alias of the entity's table in the SQL.
    package let alias: String

    package init(schema: Schema, entity: Entity, alias: String = "_o") {
        self.schema = schema
        self.entity = entity
        self.alias = alias
    }

    /// The table of the entity with its alias, for a FROM.
    package var table: SQLFragment { "\(identifier: entity.root.name) AS \(identifier: alias)" }

    /// A condition that is true for rows of the entity and, by default, of its subentities.
    package func scope(includesSubentities: Bool = true) -> SQLFragment {
        FilterTranslator(self).tag(entity, in: alias, includesSubentities: includesSubentities) ?? "1"
    }

    /// A condition that is 1 or 0 for each row, never null.
    ///
    /// - Throws: `FilterError` if the filter is not valid, or SQL cannot compute it.
    package func condition(_ filter: Filter) throws(FilterError) -> SQLFragment {
        var translator = FilterTranslator(self)
        return try translator.condition(filter)
    }

    /// The terms of an ORDER BY clause; empty without keys.
    ///
    /// - Throws: `FilterError` for an unknown key, or a key without a single value.
    package func order(_ keys: [SortKey]) throws(FilterError) -> SQLFragment {
        var translator = FilterTranslator(self)
        let parts = try keys.map { key throws(FilterError) in try translator.order(key) }
        return parts.joined()
    }
}
