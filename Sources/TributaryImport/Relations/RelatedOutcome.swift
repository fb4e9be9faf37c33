package import TributaryStore

/// The outcome of the records of a group of chunks, and of the objects inside of them.
package struct RelatedOutcome {
    /// A record whose row was refused.
    package struct Refusal {
        package let chunk: Int
        package let unit: Int
        package let record: Int
        package let fault: BulkOutcome.Fault
    }

    /// The counts of records, without the refused ones.
    package var counts = RecordCounts()
    /// For each entity the counts of objects inside of records.
    package var related: [String: RecordCounts] = [:]
    package var refused: [Refusal] = []
    /// For each unit the primary keys of rows that were found or made.
    var seenKeys: [(unit: Int, keys: [Int64])] = []
    /// For each unit the primary keys of rows that are only referred to.
    var referredKeys: [(unit: Int, keys: [Int64])] = []
    /// For each unit the primary keys of new and of changed rows.
    var keys: [(unit: Int, inserted: [Int64], updated: [Int64])] = []

    /// No records.
    package init() {}
}
