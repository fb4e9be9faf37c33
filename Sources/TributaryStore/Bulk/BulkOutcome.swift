/// The outcome of rows that were written into a table.
package struct BulkOutcome: Sendable {
    /// Why a row was refused.
    package enum Fault: Sendable {
        /// A mandatory column has no value.
        case incomplete(String)
        /// A value that must be unique exists already.
        case notUnique(String)
        /// The key belongs to an object of another entity.
        case otherEntity(String)
        /// A constraint or a trigger of a table of another program refuses it.
        case violated(String)
    }

    /// A row that was refused.
    package struct Refusal: Sendable {
        /// The index of its batch.
        package var batch: Int
        /// Its index in the batch; -1 if several rows were folded into it.
        package var row: Int
        /// The ordinal of its record.
        package let ordinal: Int
        package let fault: Fault
    }

    /// The counts of all rows but the refused ones.
    package var counts = RecordCounts()
    /// The refused rows.
    package var refused: [Refusal] = []
    /// The primary keys of the new rows, except those of a load.
    package var insertedKeys: [Int64] = []
    /// The primary keys of the changed rows.
    package var updatedKeys: [Int64] = []

    /// The primary keys of the rows of the table that have the key of a row, and of the new rows of a load, if they are
    /// wanted.
    package var seenKeys: [Int64] = []

    /// The primary keys of rows that are only referred to, if they are wanted.
    package var referredKeys: [Int64] = []

    package init() {}

    /// The number of rows, refused ones included.
    package var total: Int { counts.total + refused.count }

    /// Adds a refused row.
    mutating func refuse(_ batch: Int, _ row: Int, _ ordinal: Int, _ fault: Fault) {
        refused.append(Refusal(batch: batch, row: row, ordinal: ordinal, fault: fault))
    }

    /// Adds the outcome of other rows.
    package mutating func add(_ other: BulkOutcome) {
        counts += other.counts
        refused += other.refused
        insertedKeys += other.insertedKeys
        updatedKeys += other.updatedKeys
        seenKeys += other.seenKeys
        referredKeys += other.referredKeys
    }
}
