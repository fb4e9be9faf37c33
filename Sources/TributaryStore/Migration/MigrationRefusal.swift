/// Why a migration is not possible with the rows of a store, and what to do.
struct MigrationRefusal: Error {
    let reason: String
}
