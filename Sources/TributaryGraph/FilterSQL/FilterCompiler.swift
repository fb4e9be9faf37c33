package import TributarySQLite

/// Turns filters and sort keys into SQL that gives what the evaluation in memory gives.
///
///     let compiler = FilterCompiler(schema: schema, entity: book)
///     let condition = try compiler.condition("price > 3 AND author.name == 'Ursula'")
///     "SELECT _pk FROM \(compiler.table) WHERE \(condition)"
///
/// The SQL calls what ``FilterFunctions`` defines. Values are bound. What SQL cannot do is refused before anything runs:
/// transient properties, orders of elements, sets computed from sets, random numbers.
package struct FilterCompiler {
    let schema: Schema
    let entity: Entity
    /// What the table of the entity is called in the SQL.
    package let alias: String

    package init(schema: Schema, entity: Entity, alias: String = "_o") {
        self.schema = schema
        self.entity = entity
        self.alias = alias
    }

    /// The table of the entity with its alias, for a FROM.
    package var table: SQLFragment { "\(identifier: entity.root.name) AS \(identifier: alias)" }

    /// A condition that is true for rows of the entity and, unless told otherwise, of those below it.
    package func scope(includesSubentities: Bool = true) -> SQLFragment {
        FilterTranslator(self).tag(entity, in: alias, includesSubentities: includesSubentities) ?? "1"
    }

    /// A condition that is 1 or 0 for each row, never null.
    ///
    /// - Throws: what is wrong with the filter, or what SQL cannot do.
    package func condition(_ filter: Filter) throws(FilterError) -> SQLFragment {
        var translator = FilterTranslator(self)
        return try translator.condition(filter)
    }

    /// What stands behind ORDER BY; empty without keys.
    ///
    /// - Throws: a key that the entity does not know, or that has no single value.
    package func order(_ keys: [SortKey]) throws(FilterError) -> SQLFragment {
        var translator = FilterTranslator(self)
        let parts = try keys.map { key throws(FilterError) in try translator.order(key) }
        return parts.joined()
    }
}
