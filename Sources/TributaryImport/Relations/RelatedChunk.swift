package import TributaryStore

/// The rows of a chunk with all of their nested objects, and the links between them.
package struct RelatedChunk: Sendable {
    /// The rows of a unit.
    package struct Rows: Sendable {
        package let batch: RowBatch
        /// For each row the index of its record in the chunk; -1 for the row of a nested object.
        let records: [Int32]
        /// The rows that further objects with equal values stand for, once for each of these.
        let repeats: [Int32]
        package let matched: [Bool]
        package let report: MappingReport
    }

    /// A row of a unit.
    package struct RowID: Sendable, Hashable {
        package let unit: Int32
        package let row: Int32
    }

    /// What an object says about a relation.
    package struct Mention: Sendable {
        package let owner: RowID
        package let relation: Int32
        let action: LinkEvent.Action
        /// The range of the rows among `others`.
        package let others: Range<Int32>
        /// Whether the rows have the number of the owner in the column of the relation.
        let isWritten: Bool
    }

    /// For each unit its rows.
    package let units: [Rows]
    /// The lists of the plan, with what objects say in feed order.
    package let mentions: [[Mention]]
    /// For each list the rows that its mentions name, with their positions.
    package let others: [[(row: RowID, position: Int32)]]
    /// The rows of objects, by number.
    let objects: [RowID]
    /// What each record has made; empty unless that is wanted.
    var records: RecordParts?

    /// Where in a chunk the objects of each record are.
    struct RecordParts: Sendable {
        /// The number of tables that objects get primary keys of.
        let tableCount: Int
        /// For each record its index in the chunk, its objects, the first of its mentions of each list, and the first of
        /// its numbers of each table.
        var records: [Int32] = []
        var objects: [Range<Int32>] = []
        var mentions: [Int32] = []
        var numbers: [Int32] = []
    }

    var byteCount: Int {
        units.reduce(0) { $0 + $1.batch.byteCount + ($1.records.count + $1.repeats.count) * 4 }
            + mentions.reduce(0) { $0 + $1.count * MemoryLayout<Mention>.stride }
            + others.reduce(0) { $0 + $1.count * 12 } + objects.count * 8
    }
}

/// A link in a column of a row: another row, or an object of the chunk by its number.
enum RowLink {
    static func row(_ id: RelatedChunk.RowID) -> Int64 { (Int64(id.unit) << 32 | Int64(id.row)) << 1 }

    static func object(_ number: Int) -> Int64 { Int64(number) << 1 | 1 }

    /// The row of a link; `objects` are the rows of objects by their numbers.
    static func target(_ link: Int64, _ objects: [RelatedChunk.RowID]) -> RelatedChunk.RowID {
        if link & 1 == 1 { return objects[Int(link >> 1)] }
        return RelatedChunk.RowID(unit: Int32(link >> 33), row: Int32(link >> 1 & 0x7FFF_FFFF))
    }
}
