public import TributarySQLite

/// The cells of one row of a batch, which are bound to a statement or read like the columns of a query.
@usableFromInline
package final class RowCells {
    @usableFromInline let cells: UnsafeMutableBufferPointer<SQLCell>

    /// Allocates cells for rows of `width` values.
    package init(_ width: Int) { cells = .allocate(capacity: width) }

    deinit { cells.deallocate() }

    /// Reads a row; its text and bytes stay in the batch.
    @inline(__always)
    package func read(_ row: Int, of batch: RowBatch) { batch.read(row, into: cells) }

    /// Binds values to a statement at the indexes from `start`; the batch must exist until the statement has run.
    @inline(__always)
    package func bind(_ range: Range<Int>, to statement: borrowing Statement, at start: Int = 0) throws {
        for index in range { try statement.bind(cells[index], at: start + index - range.lowerBound) }
    }
}

extension RowCells: RowSource {
    @usableFromInline
    @inline(__always)
    package func cell(at index: Int) -> SQLCell { cells[index] }
    @inlinable
    @inline(__always)
    package func integer(at index: Int) -> Int64 { cells[index].integer }
    @usableFromInline
    @inline(__always)
    package func text(at index: Int) -> String { String(decoding: cells[index].bytes, as: UTF8.self) }
    @usableFromInline
    @inline(__always)
    package func storage(at index: Int) -> SQLCell.Kind {
        let kind = cells[index].kind
        return kind == .absent ? .null : kind
    }
    @usableFromInline
    package func holds(_ bytes: [UInt8], at index: Int) -> Bool {
        cells[index].kind == .text && cells[index].bytes.elementsEqual(bytes)
    }
    @usableFromInline
    package func copyValues(_ codec: RowCodec, into row: Row) -> AttributeCodec? { codec.copy(self, into: row) }
}

extension RowBatch {
    /// Binds the values of the first row to a statement; the batch must exist until the statement has run.
    package func bindFirst(to statement: borrowing Statement) throws {
        let cells = RowCells(width)
        cells.read(0, of: self)
        try cells.bind(0..<width, to: statement)
    }
}
