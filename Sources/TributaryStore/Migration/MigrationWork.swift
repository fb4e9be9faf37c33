import TributarySQLite

/// A part of a migration that is carried out at once.
enum MigrationWork {
    /// A statement.
    case execute(SQLFragment)
    /// A query that must have no rows; the values of its first row complete the reason of the refusal.
    case refuse(SQLFragment, ([SQLValue]) -> String)
    /// Anything else.
    case perform((Connection) throws -> Void)
}
