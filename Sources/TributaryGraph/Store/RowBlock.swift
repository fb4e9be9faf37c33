import Foundation
import TributarySQLite

/// Rows of a table as plain bytes: what one thread has taken out of objects, and another one gives to SQLite.
///
///     cells  | number | value | value | … | number | value | …       16 bytes each, in the order of the columns
///     bytes  | texts and data, one behind the other; a cell knows where its own begin
///
/// `@unchecked Sendable`: it has one owner at a time, and changes hands through a `BoundedQueue`.
final class RowBlock: @unchecked Sendable {
    /// What a cell holds.
    enum Kind: UInt8 {
        case null, integer, double, text, data
    }

    fileprivate struct Cell {
        /// The number, or where the bytes begin.
        var bits: UInt64
        /// How many bytes there are, and the kind in the last of its own eight.
        var length: Int

        var kind: Kind { unsafeBitCast(UInt8(truncatingIfNeeded: length), to: Kind.self) }  // as `put` has written it
        var count: Int { length >> 8 }
    }

    fileprivate var cells: UnsafeMutablePointer<Cell>
    private var capacity: Int
    private var bytes: UnsafeMutableRawPointer
    private var byteCapacity: Int
    /// How many cells there are.
    private(set) var count = 0
    /// How many bytes stand beside them.
    private(set) var byteCount = 0

    init(cells capacity: Int = 16) {
        self.capacity = capacity
        cells = .allocate(capacity: capacity)
        byteCapacity = 256
        bytes = .allocate(byteCount: byteCapacity, alignment: 1)
    }

    deinit {
        cells.deallocate()
        bytes.deallocate()
    }

    /// Forgets all rows.
    func clear() { (count, byteCount) = (0, 0) }

    // MARK: Putting in

    @inline(__always)
    func append(_ value: Int64) { put(UInt64(bitPattern: value), 0, .integer) }

    @inline(__always)
    func append(_ value: Double) { put(value.bitPattern, 0, .double) }

    @inline(__always)
    func appendNull() { put(0, 0, .null) }

    @inline(__always)
    func append(copying source: UnsafeRawBufferPointer, _ kind: Kind) {
        if source.count > byteCapacity - byteCount { growBytes(for: source.count) }
        if let start = source.baseAddress { (bytes + byteCount).copyMemory(from: start, byteCount: source.count) }
        put(UInt64(byteCount), source.count, kind)
        byteCount += source.count
    }

    func append(_ text: String) {
        var text = text
        text.withUTF8 { append(copying: UnsafeRawBufferPointer($0), .text) }
    }

    @inline(__always)
    private func put(_ bits: UInt64, _ count: Int, _ kind: Kind) {
        if self.count == capacity { growCells() }
        (cells + self.count).initialize(to: Cell(bits: bits, length: count << 8 | Int(kind.rawValue)))
        self.count += 1
    }

    @inline(never)
    private func growCells() {
        let grown = UnsafeMutablePointer<Cell>.allocate(capacity: capacity * 2)
        grown.moveInitialize(from: cells, count: count)
        cells.deallocate()
        cells = grown
        capacity *= 2
    }

    @inline(never)
    private func growBytes(for more: Int) {
        byteCapacity = max(byteCapacity * 2, byteCount + more)
        let grown = UnsafeMutableRawPointer.allocate(byteCount: byteCapacity, alignment: 1)
        grown.copyMemory(from: bytes, byteCount: byteCount)
        bytes.deallocate()
        bytes = grown
    }

    // MARK: Taking out

    /// Binds the cells from `first` on, one for each place of the statement from `start` on.
    ///
    /// Texts stay in the block until the statement has run.
    @inline(__always)
    func bind(_ first: Int, _ count: Int, to statement: borrowing Statement, at start: Int = 0) throws {
        for place in 0..<count {
            let cell = cells[first + place]
            let index = start + place
            switch cell.kind {
            case .null: try statement.bindNull(at: index)
            case .integer: try statement.bind(Int64(bitPattern: cell.bits), at: index)
            case .double: try statement.bind(Double(bitPattern: cell.bits), at: index)
            case .text: try statement.bind(unmovedText: content(cell), at: index)
            case .data: try statement.bind(unmovedBlob: content(cell), at: index)
            }
        }
    }

    @inline(__always)
    fileprivate func content(_ cell: Cell) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: bytes + Int(cell.bits), count: cell.count)
    }

    /// A row that a query has given.
    struct Line {
        fileprivate unowned(unsafe) let block: RowBlock  // whoever reads a line holds the block
        fileprivate let first: Int
    }

    /// The row whose cells begin at `first`.
    func line(_ first: Int) -> Line { Line(block: self, first: first) }

    /// Appends what a statement has in a column.
    @inline(__always)
    func append(_ column: Int, of statement: borrowing Statement) {
        let cell = statement.cell(at: column)
        switch cell.kind {
        case .absent, .null: appendNull()
        case .integer: append(cell.integer)
        case .real: append(cell.real)
        case .text: append(copying: cell.bytes, .text)
        case .blob: append(copying: cell.bytes, .data)
        }
    }
}

extension RowBlock.Line: RowSource {
    @inline(__always)
    private func cell(_ index: Int) -> RowBlock.Cell { block.cells[first + index] }

    @inline(__always)
    func cell(at index: Int) -> SQLCell {
        let cell = cell(index)
        switch cell.kind {
        case .null: return .null
        case .integer: return SQLCell(Int64(bitPattern: cell.bits))
        case .double: return SQLCell(Double(bitPattern: cell.bits))
        case .text: return SQLCell(text: block.content(cell))
        case .data: return SQLCell(blob: block.content(cell))
        }
    }

    @inline(__always)
    func storage(at index: Int) -> SQLStorage {
        switch cell(index).kind {
        case .null: .null
        case .integer: .integer
        case .double: .real
        case .text: .text
        case .data: .blob
        }
    }

    @inline(__always)
    func integer(at index: Int) -> Int64 { Int64(bitPattern: cell(index).bits) }
    @inline(__always)
    func text(at index: Int) -> String { String(decoding: block.content(cell(index)), as: UTF8.self) }
    func holds(_ bytes: [UInt8], at index: Int) -> Bool {
        storage(at: index) == .text && block.content(cell(index)).elementsEqual(bytes)
    }
}
