public import TributarySQLite

/// A part of a migration that cannot be inferred: a closure computes attributes of each object, or runs SQL.
///
///     options.migration.steps = [
///         MigrationStep(to: second, "Book", reads: ["price"], sets: ["cents"]) { old in
///             guard case .real(let price)? = old["price"] else { return [:] }
///             return ["cents": .integer(Int64((price * 100).rounded()))]
///         }
///     ]
public struct MigrationStep: Sendable {
    /// Computes values by attribute from the earlier values of an object.
    public typealias Computation = @Sendable (_ old: [String: SQLValue]) throws -> [String: SQLValue]

    enum Work: Sendable {
        case values(entity: String, reads: [String], sets: [String], Computation)
        case sql(@Sendable (Connection) throws -> Void)
    }

    /// The model after the migration; a migration back to an earlier version has no steps.
    public let model: Model
    let work: Work

    /// Computes attributes of all objects of an entity and its subentities, which a migration would not infer.
    ///
    /// Values have the form in which a store keeps them: dates are seconds since 1970, Boolean values 0 or 1.
    ///
    /// - Parameters:
    ///   - model: The model after the migration.
    ///   - entity: The entity, by its name in that model.
    ///   - reads: Attributes of the earlier model, by their names in it.
    ///   - sets: Attributes of the later model. Those that `body` returns no value for become null.
    ///   - body: Called for each object with the earlier values of `reads`; returns the values of `sets`.
    public init(
        to model: Model, _ entity: String, reads: [String], sets: [String], _ body: @escaping Computation
    ) {
        self.model = model
        work = .values(entity: entity, reads: reads, sets: sets, body)
    }

    /// Runs SQL after all other parts of a migration, in its transaction.
    ///
    /// - Parameters:
    ///   - model: The model after the migration, whose tables are there.
    ///   - body: Called with the connection of the transaction; an error undoes the migration.
    public init(to model: Model, _ body: @escaping @Sendable (Connection) throws -> Void) {
        self.model = model
        work = .sql(body)
    }
}
