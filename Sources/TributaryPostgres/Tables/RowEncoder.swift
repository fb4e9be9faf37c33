import TributaryStore
import TributaryJSON
import TributarySQLite

/// Checks each row of a batch when it is made, and writes it in the binary format of COPY.
///
/// The threads that prepare chunks do this, so that the one that owns a connection only passes bytes on. An encoded row
/// takes the place of its values in the batch, and `EncodedRow` reads it.
final class RowEncoder {
    private let target: TargetTable
    private let cells: UnsafeMutableBufferPointer<SQLCell>
    private let buffer = CopyBuffer(capacity: 1 << 10)

    /// An encoder of rows of a table, for one thread at a time.
    init(_ target: TargetTable) {
        self.target = target
        cells = .allocate(capacity: target.columns.count)
    }

    deinit { cells.deallocate() }

    /// Why the table cannot hold the row that was added to `batch` last; nil if it can, and then the row is encoded.
    func encodeLastRow(of batch: RowBatch) -> JSONError? {
        let (refusal, hasAbsentValues) = write(batch)
        guard refusal == nil else { return refusal }
        if hasAbsentValues {
            buffer.append(bits: cells.count) { cells[$0].kind == .absent }
            batch.markAbsentValues()
        }
        batch.replaceLast(by: buffer.bytes)
        return nil
    }

    /// Why the table cannot hold the row that was added to `batch` last; nil if it can.
    func refusal(ofLastRowIn batch: RowBatch) -> JSONError? { write(batch).refusal }

    @inline(__always)
    private func write(_ batch: RowBatch) -> (refusal: JSONError?, hasAbsentValues: Bool) {
        batch.read(batch.count - 1, into: cells)
        buffer.removeAll()
        buffer.beginRow(fields: cells.count)
        return target.add(cells, to: buffer)
    }
}
