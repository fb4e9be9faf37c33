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

    /// A row that was refused.
    package struct Refusal: Sendable {
        /// The place of its batch.
        package var batch: Int
        /// Its place in the batch; -1 if several rows were folded into it.
        package var row: Int
        /// The number of its record.
        package let ordinal: Int
        package let fault: Fault
    }

    /// How many rows have ended in which way; refused ones are not counted here.
    package var counts = RecordCounts()
    /// Rows that were refused.
    package var refused: [Refusal] = []
    /// The numbers of the new rows.
    package var insertedKeys: [Int64] = []
    /// The numbers of the rows that were changed.
    package var updatedKeys: [Int64] = []

    package init() {}

    /// How many rows they are.
    package var total: Int { counts.total + refused.count }

    /// Adds a row that was refused.
    mutating func refuse(_ batch: Int, _ row: Int, _ ordinal: Int, _ fault: Fault) {
        refused.append(Refusal(batch: batch, row: row, ordinal: ordinal, fault: fault))
    }

    /// Adds what another part has done.
    package mutating func add(_ other: BulkOutcome) {
        counts += other.counts
        refused += other.refused
        insertedKeys += other.insertedKeys
        updatedKeys += other.updatedKeys
    }
}
