import TributaryStore
package import TributaryJSON

/// Finds the records of refused rows, lazily.
package final class RecordFinder {
    private let chunks: ArraySlice<PreparedChunk>
    private let maker: ChunkMaker
    private let table: Int
    /// For each chunk the indexes of the records of the table, by ordinal.
    private var indexes: [Int: [Int]] = [:]

    /// A finder for records in chunks by their ordinals in the table of a route.
    package init(_ chunks: ArraySlice<PreparedChunk>, _ maker: ChunkMaker, route: Int) {
        self.chunks = chunks
        self.maker = maker
        table = maker.tables[route]
    }

    /// The record of an ordinal; nil if the chunk has dropped its records.
    package func record(_ offset: Int, _ ordinal: Int) -> Record? {
        guard let records = chunks[chunks.startIndex + offset].chunk else { return nil }
        let ofTable =
            indexes[offset]
            ?? records.indices.filter { maker.choice.route(of: records[$0]).map { maker.tables[$0] } == table }
        indexes[offset] = ofTable
        return ordinal < ofTable.count ? records[ofTable[ordinal]] : nil
    }

    /// The text of the origin of a row that may be rejected later; empty if its chunk has dropped its records.
    package func origin(_ ordinal: Int, ofChunk offset: Int) -> String {
        record(offset, ordinal).map { RowOrigin($0, keepingBytes: maker.rejectedBytes).text } ?? ""
    }

    /// The reject of a refused row, whose chunk has its records.
    func reject(_ refused: BulkOutcome.Refusal, ofChunk offset: Int) -> Reject {
        guard let record = record(offset, refused.ordinal) else {
            fatalError("internal error: a refused row has no record")
        }
        return record.reject(refused.fault.error, keepingBytes: maker.rejectedBytes)
    }
}
