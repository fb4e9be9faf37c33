package import TributarySQLite

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Rows of one table, packed: what many records say about its columns, in the order of the feed.
///
/// Millions of rows wait here for their turn, so a value takes as few bytes as it needs: a byte that says what it is, and
/// what is left of it. A batch is filled by one thread and then only read.
///
/// `@unchecked Sendable`: nobody changes a batch once it has been handed on.
package final class RowBatch: @unchecked Sendable {
    /// What a row is besides its values.
    package struct Entry {
        /// Where its values begin.
        fileprivate(set) var start: Int
        /// The number of its record among all records of the batch that get numbers, from 0.
        package var ordinal: Int
        /// A sort key: the first eight bytes of the key, in the store's order.
        var prefix: UInt64
        /// A hash of the whole key.
        package var hash: UInt64
        /// Whether a column that must have a value has none, unless the row is there already.
        package var isIncomplete: Bool
    }

    /// The most columns that any row speaks of.
    package var width: Int

    // One thread fills a batch, and nothing calls out while a field is read or written: what the compiler would check
    // for each value cannot happen.

    /// The rows.
    @exclusivity(unchecked) package private(set) var entries: [Entry] = []
    /// Whether any row can only change one that is there.
    package private(set) var hasIncompleteRows = false
    @exclusivity(unchecked) private var memory: UnsafeMutableRawPointer
    @exclusivity(unchecked) private var used = 0
    @exclusivity(unchecked) private var capacity: Int
    /// Where the values are, if they are not in memory.
    private var file: RowFile?

    /// An empty batch for rows of so many columns.
    package init(width: Int, capacity: Int = 64 << 10) {
        self.width = width
        self.capacity = max(64, capacity)
        memory = RowBatch.memory(self.capacity, from: nil)
    }

    deinit { free(memory) }

    /// The number of rows.
    package var count: Int { entries.count }
    /// The bytes of the values.
    var valueBytes: Int { used }
    /// The memory it takes.
    package var byteCount: Int { capacity + entries.capacity * MemoryLayout<Entry>.stride }

    // MARK: Filling

    @inline(__always)
    private func reserve(_ count: Int) -> UnsafeMutableRawPointer {
        if used + count > capacity { grow(to: used + count) }
        defer { used += count }
        return memory + used
    }

    private func grow(to needed: Int) {
        capacity = max(needed, capacity + capacity / 2)
        memory = RowBatch.memory(capacity, from: memory)
    }

    /// Memory of so many bytes, with what is in `earlier`, which is given up.
    ///
    /// Of the C library: the pages of something large are moved there, not copied to new ones.
    private static func memory(_ byteCount: Int, from earlier: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer {
        guard let memory = realloc(earlier, max(1, byteCount)) else {
            preconditionFailure("there is no memory for \(byteCount) bytes of rows")
        }
        return memory
    }

    /// Begins a row, whose values are then added column by column.
    @inline(__always)
    package func begin(ordinal: Int) {
        entries.append(Entry(start: used, ordinal: ordinal, prefix: 0, hash: 0, isIncomplete: false))
    }

    /// Removes all rows; the memory stays.
    func removeAll() {
        entries.removeAll(keepingCapacity: true)
        used = 0
    }

    /// Takes the row back that was begun last.
    package func takeBack() {
        guard let last = entries.popLast() else { return }
        used = last.start
    }

    /// Says that the row begun last can only change a row that is there.
    package func markIncomplete() {
        entries[entries.count - 1].isIncomplete = true
        hasIncompleteRows = true
    }

    /// Makes room for so many rows.
    package func reserve(rows: Int) { entries.reserveCapacity(rows) }

    /// The rows at `places`, which ascend, as a batch of their own.
    package func rows(at places: some Collection<Int>) -> RowBatch {
        let batch = RowBatch(width: width)
        for row in places {
            let last = batch.count
            batch.add(packed: packed(row), ordinal: entries[row].ordinal, isIncomplete: entries[row].isIncomplete)
            batch.entries[last].prefix = entries[row].prefix
            batch.entries[last].hash = entries[row].hash
        }
        return batch
    }

    /// Adds nothing about a column.
    @inline(__always)
    package func addAbsent() { reserve(1).storeBytes(of: Tag.absent.rawValue, as: UInt8.self) }

    /// Adds the null of a column.
    @inline(__always)
    package func addNull() { reserve(1).storeBytes(of: Tag.null.rawValue, as: UInt8.self) }

    /// Adds a whole number.
    @inline(__always)
    package func add(_ value: Int64) {
        if let small = Int8(exactly: value) {
            let place = reserve(2)
            place.storeBytes(of: Tag.integer8.rawValue, as: UInt8.self)
            place.storeBytes(of: small, toByteOffset: 1, as: Int8.self)
        } else if let middle = Int32(exactly: value) {
            let place = reserve(5)
            place.storeBytes(of: Tag.integer32.rawValue, as: UInt8.self)
            place.storeBytes(of: middle, toByteOffset: 1, as: Int32.self)
        } else {
            let place = reserve(9)
            place.storeBytes(of: Tag.integer64.rawValue, as: UInt8.self)
            place.storeBytes(of: value, toByteOffset: 1, as: Int64.self)
        }
    }

    /// Adds a number with a fraction.
    @inline(__always)
    package func add(_ value: Double) {
        let place = reserve(9)
        place.storeBytes(of: Tag.real.rawValue, as: UInt8.self)
        place.storeBytes(of: value, toByteOffset: 1, as: Double.self)
    }

    /// Adds text.
    @inline(__always)
    package func add(text: UnsafeRawBufferPointer) {
        withRoomForText(text.count) { place in
            if let base = text.baseAddress { place.copyMemory(from: base, byteCount: text.count) }
            return text.count
        }
    }

    /// Adds text of at most `limit` bytes, which `body` writes and counts.
    @inline(__always)
    package func withRoomForText(_ limit: Int, _ body: (UnsafeMutableRawPointer) -> Int) {
        let start = used
        let isShort = limit < 256
        let place = reserve(limit + (isShort ? 2 : 5))
        let count = body(place + (isShort ? 2 : 5))
        if isShort {
            place.storeBytes(of: Tag.text8.rawValue, as: UInt8.self)
            place.storeBytes(of: UInt8(truncatingIfNeeded: count), toByteOffset: 1, as: UInt8.self)
        } else {
            place.storeBytes(of: Tag.text32.rawValue, as: UInt8.self)
            place.storeBytes(of: UInt32(truncatingIfNeeded: count), toByteOffset: 1, as: UInt32.self)
        }
        used = start + count + (isShort ? 2 : 5)
    }

    /// Adds text.
    func add(_ text: String) {
        var text = text
        text.withUTF8 { add(text: UnsafeRawBufferPointer($0)) }
    }

    /// Adds bytes.
    package func add(blob: UnsafeRawBufferPointer) {
        let place = reserve(blob.count + 5)
        place.storeBytes(of: Tag.blob.rawValue, as: UInt8.self)
        place.storeBytes(of: UInt32(truncatingIfNeeded: blob.count), toByteOffset: 1, as: UInt32.self)
        if let base = blob.baseAddress { (place + 5).copyMemory(from: base, byteCount: blob.count) }
    }

    /// Adds any value.
    package func add(_ value: SQLValue) {
        switch value {
        case .null: addNull()
        case .integer(let number): add(number)
        case .real(let number): add(number)
        case .text(let text): add(text)
        case .blob(let bytes): bytes.withUnsafeBytes { add(blob: $0) }
        }
    }

    /// Adds a cell.
    package func add(_ cell: SQLCell) {
        switch cell.kind {
        case .absent: addAbsent()
        case .null: addNull()
        case .integer: add(cell.integer)
        case .real: add(cell.real)
        case .text: add(text: cell.bytes)
        case .blob: add(blob: cell.bytes)
        }
    }

    /// Notes the key of the row begun last, of which all columns have been added.
    @inline(__always)
    package func finish(key: [Int], scratch: UnsafeMutableBufferPointer<SQLCell>) {
        let last = entries.count - 1
        read(last, upTo: key.max(), into: scratch)
        if let first = key.first { entries[last].prefix = scratch[first].sortPrefix }
        entries[last].hash = SQLCell.hash(of: key, in: scratch)
    }

    // MARK: Reading

    /// Spreads the values of a row over `cells`, one for each column of the table; text and bytes stay in the batch.
    @inline(__always)
    package func read(_ row: Int, into cells: UnsafeMutableBufferPointer<SQLCell>) {
        let packed = packed(row)
        guard let start = packed.baseAddress else { return }
        RowBatch.spread(start, start + packed.count, over: cells)
    }

    /// Spreads the values of a row up to that of `column`.
    @inline(__always)
    package func read(_ row: Int, upTo column: Int?, into cells: UnsafeMutableBufferPointer<SQLCell>) {
        read(row, into: UnsafeMutableBufferPointer(start: cells.baseAddress, count: column.map { $0 + 1 } ?? 0))
    }

    @inline(__always)
    private static func spread(
        _ start: UnsafeRawPointer, _ end: UnsafeRawPointer, over cells: UnsafeMutableBufferPointer<SQLCell>
    ) {
        var place = start
        var column = 0
        while place < end, column < cells.count {
            cells[column] = RowBatch.next(&place)
            column += 1
        }
        // What stands at the end and was not spoken of has no bytes.
        while column < cells.count {
            cells[column] = .absent
            column += 1
        }
    }

    @inline(__always)
    private static func next(_ place: inout UnsafeRawPointer) -> SQLCell {
        let tag = unsafeBitCast(place.load(as: UInt8.self), to: Tag.self)
        let value = place + 1
        switch tag {
        case .absent:
            place = value
            return .absent
        case .null:
            place = value
            return .null
        case .integer8:
            place = value + 1
            return SQLCell(Int64(value.load(as: Int8.self)))
        case .integer32:
            place = value + 4
            return SQLCell(Int64(value.loadUnaligned(as: Int32.self)))
        case .integer64:
            place = value + 8
            return SQLCell(value.loadUnaligned(as: Int64.self))
        case .real:
            place = value + 8
            return SQLCell(value.loadUnaligned(as: Double.self))
        case .text8:
            let count = Int(value.load(as: UInt8.self))
            place = value + 1 + count
            return SQLCell(text: UnsafeRawBufferPointer(start: value + 1, count: count))
        case .text32, .blob:
            let count = Int(value.loadUnaligned(as: UInt32.self))
            place = value + 4 + count
            let bytes = UnsafeRawBufferPointer(start: value + 4, count: count)
            return tag == .blob ? SQLCell(blob: bytes) : SQLCell(text: bytes)
        }
    }

    /// The bytes of a row, as another batch may take them over.
    @inline(__always)
    package func packed(_ row: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory + entries[row].start, count: length(row))
    }

    @inline(__always)
    private func length(_ row: Int) -> Int {
        (row + 1 < entries.count ? entries[row + 1].start : used) - entries[row].start
    }

    // MARK: Out of memory

    /// Puts the values into a file of `folder` that has no name; if that cannot be made, they stay where they are.
    ///
    /// From then on rows are read with `load`.
    package func moveOut(to folder: String) {
        guard let made = RowFile(UnsafeRawBufferPointer(start: memory, count: used), in: folder) else { return }
        file = made
        free(memory)
        capacity = 0
        memory = RowBatch.memory(capacity, from: nil)
    }

    /// Spreads the values of a row over `cells`, wherever they are; text and bytes stay until the room is used again.
    ///
    /// - Throws: `RowFile.Failure`.
    @inline(__always)
    package func load(_ row: Int, into cells: UnsafeMutableBufferPointer<SQLCell>, _ room: RowFile.Room) throws {
        guard let file else { return read(row, into: cells) }
        let packed = try file.read(length(row), at: entries[row].start, room)
        RowBatch.spread(packed, packed + length(row), over: cells)
    }

    /// Adds a row that `packed` gave.
    package func add(packed: UnsafeRawBufferPointer, ordinal: Int, isIncomplete: Bool) {
        begin(ordinal: ordinal)
        if let base = packed.baseAddress { reserve(packed.count).copyMemory(from: base, byteCount: packed.count) }
        if isIncomplete { markIncomplete() }
    }

    private enum Tag: UInt8 {
        case absent, null, integer8, integer32, integer64, real, text8, text32, blob
    }
}
