import TributarySQLite

/// Which values the rows of a batch lack, by the ordinals of their records; columns that are added later have none.
///
/// The row of a table has the defaults of the columns for which its record had no value: with this a record is got back
/// from its row. A column takes one byte if no row or all rows have a value, and otherwise one bit a record more.
struct AbsentValues {
    private enum Column: UInt8 {
        case none, all, some
    }

    /// The number of columns and of ordinals, then the columns.
    let bytes: [UInt8]
    /// The number of ordinals.
    let count: Int
    /// For each column where its bits begin; nil if no row or every row has a value.
    private let columns: [(kind: Column, start: Int)]

    /// The values that the rows of a batch lack.
    init(of batch: RowBatch) {
        count = (batch.entries.map(\.ordinal).max() ?? -1) + 1
        let size = (count + 7) / 8
        let cells = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: batch.width)
        defer { cells.deallocate() }
        var bits = [UInt8](repeating: 0, count: size * batch.width)
        var counts = [Int](repeating: 0, count: batch.width)
        for (row, entry) in batch.entries.enumerated() {
            batch.read(row, into: cells)
            for column in 0..<batch.width where cells[column].kind == .absent {
                bits[column * size + entry.ordinal >> 3] |= 1 << UInt8(entry.ordinal & 7)
                counts[column] += 1
            }
        }
        var bytes = [batch.width, count].flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        var columns: [(kind: Column, start: Int)] = []
        for column in 0..<batch.width {
            let kind: Column = counts[column] == 0 ? .none : counts[column] == batch.count ? .all : .some
            bytes.append(kind.rawValue)
            columns.append((kind, bytes.count))
            if kind == .some { bytes += bits[column * size..<(column + 1) * size] }
        }
        (self.bytes, self.columns) = (bytes, columns)
    }

    /// The values of `bytes` that were stored; nil if they are damaged.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 8 else { return nil }
        func number(at place: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << ($1 * 8) } }
        count = number(at: 4)
        var place = 8
        var columns: [(kind: Column, start: Int)] = []
        for _ in 0..<number(at: 0) {
            guard place < bytes.count, let kind = Column(rawValue: bytes[place]) else { return nil }
            columns.append((kind, place + 1))
            place += kind == .some ? 1 + (count + 7) / 8 : 1
        }
        guard place == bytes.count else { return nil }
        (self.bytes, self.columns) = (bytes, columns)
    }

    /// Whether the record of an ordinal had no value for a column.
    func contains(_ ordinal: Int, column: Int) -> Bool {
        guard column < columns.count else { return true }
        let (kind, start) = columns[column]
        return kind == .all || kind == .some && bytes[start + ordinal >> 3] & 1 << UInt8(ordinal & 7) != 0
    }
}
