/// What has become of rows that were carried into a table.
package struct BulkOutcome: Sendable {
    /// Why a row was refused.
    package enum Fault: Sendable {
        /// A column must have a value.
        case incomplete(String)
        /// A value is there already that must be unique.
        case notUnique(String)
        /// The key belongs to an object of another entity.
        case otherEntity(String)
    }

    /// Rows that were new.
    package var inserted = 0
    /// Rows that changed one.
    package var updated = 0
    /// Rows that said nothing new.
    package var unchanged = 0
    /// Rows whose key was there already, where only new ones are wanted.
    package var duplicate = 0
    /// Rows that were passed over.
    package var skipped = 0
    /// Rows that were refused: in which batch, which of its rows, why.
    package var refused: [(batch: Int, row: Int, fault: Fault)] = []
    /// The numbers of the new rows.
    package var insertedKeys: [Int64] = []
    /// The numbers of the rows that were changed.
    package var updatedKeys: [Int64] = []

    package init() {}

    /// How many rows they are.
    package var total: Int { inserted + updated + unchanged + duplicate + skipped + refused.count }

    /// Adds what another part has done.
    package mutating func add(_ other: BulkOutcome) {
        inserted += other.inserted
        updated += other.updated
        unchanged += other.unchanged
        duplicate += other.duplicate
        skipped += other.skipped
        refused += other.refused
        insertedKeys += other.insertedKeys
        updatedKeys += other.updatedKeys
    }
}
