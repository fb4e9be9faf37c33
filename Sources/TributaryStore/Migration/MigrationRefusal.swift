/// Why a migration is not possible with the rows of a store: what is in the way, and what to do.
struct MigrationRefusal: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
