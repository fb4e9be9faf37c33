import CTributaryThread
import Foundation
package import TributarySQLite

/// Rows of one table, packed, in feed order.
///
/// Millions of rows wait here to be written, so a value takes few bytes: a tag and only the bytes that it needs.
///
/// `@unchecked Sendable`: a thread that passes a batch on does not change it any more; the next one may replace links.
@usableFromInline
package final class RowBatch: @unchecked Sendable {
    /// The properties of a row besides its values.
    @usableFromInline
    package struct Entry {
        /// The offset of its values.
        @usableFromInline var start: Int
        /// The position of its record among the records of the chunk that get primary keys of the table, from 0.
        @usableFromInline package var ordinal: Int
        /// A sort key: the first eight bytes of the key, in the store's order.
        @usableFromInline package var prefix: UInt64
        /// A hash of the whole key.
        @usableFromInline package var hash: UInt64
        /// Whether a mandatory column has no value, so that the row can only change an existing one.
        @usableFromInline package var isIncomplete: Bool
        /// What it stands for.
        @usableFromInline package var kind = Kind.record
        /// Whether a column has no value, as far as a target has looked.
        @usableFromInline package internal(set) var hasAbsentValues = false

        @inlinable
        init(start: Int, ordinal: Int) {
            self.start = start
            self.ordinal = ordinal
            prefix = 0
            hash = 0
            isIncomplete = false
        }
    }

    /// What a row stands for.
    @usableFromInline
    package enum Kind: UInt8, Sendable {
        /// A record.
        case record
        /// An object inside of a record, which may have some values only.
        case part
        /// A key that something refers to.
        case reference
    }

    /// The largest number of columns that a row has values for.
    package var width: Int
    /// The kinds of values of each column, if they are inferred; empty for other tables.
    package var kinds: [ValueKinds] = []

    // One thread fills a batch, and no access to a field overlaps another: the check for each value would cost time.

    /// The rows.
    @exclusivity(unchecked) @usableFromInline package internal(set) var entries: [Entry] = []
    /// Whether any row can only change an existing one.
    package private(set) var hasIncompleteRows = false
    /// Whether any row lacks the value of a column, as far as a target has looked.
    package private(set) var hasAbsentValues = false
    @exclusivity(unchecked) @usableFromInline var memory: UnsafeMutableRawPointer
    @exclusivity(unchecked) @usableFromInline var used = 0
    @exclusivity(unchecked) @usableFromInline var capacity: Int
    /// The file with the values; nil while they are in memory.
    private var file: RowFile?
    /// Where the memory comes from and goes to; nil is the system.
    private let source: RowMemory?

    /// An empty batch for rows of `width` columns, in memory from `source` if that has any.
    package init(width: Int, capacity: Int = 64 << 10, from source: RowMemory? = nil) {
        (self.width, self.source) = (width, source)
        if let block = source?.take(max(64, capacity)) {
            (memory, self.capacity) = (block.start, block.capacity)
        } else {
            self.capacity = max(64, capacity)
            memory = RowBatch.memory(self.capacity, from: nil)
        }
    }

    deinit {
        if let source { source.give(.init(start: memory, capacity: capacity)) } else { free(memory) }
    }

    /// The number of rows.
    package var count: Int { entries.count }
    /// The size of the values in bytes.
    package var valueBytes: Int { used }
    /// The size of the batch in memory, in bytes.
    package var byteCount: Int { capacity + entries.capacity * MemoryLayout<Entry>.stride }

    // MARK: Filling

    @inlinable
    @inline(__always)
    func reserve(_ count: Int) -> UnsafeMutableRawPointer {
        if used + count > capacity { grow(to: used + count) }
        defer { used += count }
        return memory + used
    }

    @usableFromInline
    func grow(to needed: Int) {
        capacity = max(needed, capacity + capacity / 2)
        memory = RowBatch.memory(capacity, from: memory)
    }

    /// Memory of `byteCount` bytes with the contents of `earlier`, which is freed.
    ///
    /// `realloc` moves the pages of a large block instead of copying them.
    private static func memory(_ byteCount: Int, from earlier: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer {
        guard let memory = realloc(earlier, max(1, byteCount)) else {
            preconditionFailure("out of memory: cannot allocate \(byteCount) bytes for rows")
        }
        return memory
    }

    /// Begins a row, whose values are then added column by column.
    @inlinable
    @inline(__always)
    package func begin(ordinal: Int) {
        entries.append(Entry(start: used, ordinal: ordinal))
    }

    /// Removes all rows, and keeps the memory.
    package func removeAll() {
        entries.removeAll(keepingCapacity: true)
        used = 0
    }

    /// Removes the row begun last.
    package func removeLast() {
        guard let last = entries.popLast() else { return }
        used = last.start
    }

    /// Marks the row begun last as one that can only change an existing row.
    package func markIncomplete() {
        entries[entries.count - 1].isIncomplete = true
        hasIncompleteRows = true
    }

    /// Marks the row begun last as one that lacks the value of a column.
    package func markAbsentValues() {
        entries[entries.count - 1].hasAbsentValues = true
        hasAbsentValues = true
    }

    /// Replaces the values of the row begun last, which is finished, by the form that a target has for them.
    ///
    /// From then on only `packed` returns them.
    package func replaceLast(by form: UnsafeRawBufferPointer) {
        used = entries[entries.count - 1].start
        if let base = form.baseAddress { reserve(form.count).copyMemory(from: base, byteCount: form.count) }
    }

    /// Sets what the row begun last stands for.
    package func mark(_ kind: Kind) { entries[entries.count - 1].kind = kind }

    /// Removes all rows from `count` on.
    package func truncate(to count: Int) { while entries.count > count { removeLast() } }

    /// Reserves capacity for `rows` rows.
    package func reserve(rows: Int) { entries.reserveCapacity(rows) }

    /// A new batch with the rows at ascending `indexes`.
    package func rows(at indexes: some Collection<Int>) -> RowBatch {
        let batch = RowBatch(width: width)
        for row in indexes {
            let last = batch.count
            batch.add(
                packed: packed(row), ordinal: entries[row].ordinal, hash: entries[row].hash,
                isIncomplete: entries[row].isIncomplete)
            batch.entries[last].prefix = entries[row].prefix
            batch.entries[last].kind = entries[row].kind
            if entries[row].hasAbsentValues { batch.markAbsentValues() }
        }
        return batch
    }

    /// Adds no value for a column.
    @inlinable
    @inline(__always)
    package func addAbsent() { reserve(1).storeBytes(of: Tag.absent.rawValue, as: UInt8.self) }

    /// Adds null.
    @inlinable
    @inline(__always)
    package func addNull() { reserve(1).storeBytes(of: Tag.null.rawValue, as: UInt8.self) }

    /// Adds a whole number.
    @inlinable
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
            addWide(.integer64, UInt64(bitPattern: value))
        }
    }

    @inlinable
    @inline(__always)
    func addWide(_ tag: Tag, _ bits: UInt64) {
        let place = reserve(9)
        place.storeBytes(of: tag.rawValue, as: UInt8.self)
        place.storeBytes(of: bits, toByteOffset: 1, as: UInt64.self)
    }

    /// Adds a link to another row, which `replaceLinks` replaces by its primary key.
    package func add(link: Int64) { addWide(.integer64, UInt64(bitPattern: link)) }

    /// What a link becomes.
    package enum Replacement: Sendable {
        case key(Int64)
        case null
        /// No value.
        case absent
    }

    /// Replaces the links among the first `count` columns of a row; `body` gets nil for null, which stays.
    package func replaceLinks(ofRow row: Int, count: Int, _ body: (_ column: Int, _ link: Int64?) -> Replacement) {
        var place = memory + entries[row].start
        for column in 0..<count {
            switch unsafeBitCast(place.load(as: UInt8.self), to: Tag.self) {
            case .integer64:
                switch body(column, place.loadUnaligned(fromByteOffset: 1, as: Int64.self)) {
                case .key(let key): place.storeBytes(of: key, toByteOffset: 1, as: Int64.self)
                case .null: place.storeBytes(of: Tag.wideNull.rawValue, as: UInt8.self)
                case .absent: place.storeBytes(of: Tag.wideAbsent.rawValue, as: UInt8.self)
                }
                place += 9
            case .wideNull, .wideAbsent: place += 9
            case .null:
                _ = body(column, nil)
                place += 1
            default: place += 1
            }
        }
    }

    /// Restores a link that was replaced.
    package func restoreLink(_ link: Int64, ofRow row: Int, column: Int) {
        var place = memory + entries[row].start
        for _ in 0..<column {
            switch unsafeBitCast(place.load(as: UInt8.self), to: Tag.self) {
            case .integer64, .wideNull, .wideAbsent: place += 9
            default: place += 1
            }
        }
        place.storeBytes(of: Tag.integer64.rawValue, as: UInt8.self)
        place.storeBytes(of: link, toByteOffset: 1, as: Int64.self)
    }

    /// Whether two rows have the same values.
    package func hasEqualValues(_ row: Int, _ other: Int) -> Bool {
        packed(row).elementsEqualFast(packed(other))
    }

    /// Adds a number with a fraction.
    @inlinable
    @inline(__always)
    package func add(_ value: Double) { addWide(.real, value.bitPattern) }

    /// Adds text.
    @inlinable
    @inline(__always)
    package func add(text: UnsafeRawBufferPointer) {
        withRoomForText(text.count) { place in
            if let base = text.baseAddress { place.copyMemory(from: base, byteCount: text.count) }
            return text.count
        }
    }

    /// Adds text of at most `limit` bytes; `body` writes it and returns its length.
    @inlinable
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
    package func add(_ text: String) {
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

    /// Finishes the row begun last, whose columns have been added: computes the hash and the sort prefix of its key.
    @inline(__always)
    package func finish(key: [Int], scratch: UnsafeMutableBufferPointer<SQLCell>) {
        let last = entries.count - 1
        read(last, upTo: key.max(), into: scratch)
        if let first = key.first { entries[last].prefix = scratch[first].sortPrefix }
        entries[last].hash = SQLCell.hash(of: key, in: scratch)
    }

    // MARK: Reading

    /// Reads the values of a row into `cells`, one for each column; text and bytes point into the batch.
    @inline(__always)
    package func read(_ row: Int, into cells: UnsafeMutableBufferPointer<SQLCell>) {
        let packed = packed(row)
        guard let start = packed.baseAddress else { return }
        RowBatch.read(from: start, to: start + packed.count, into: cells)
    }

    /// Reads the values of a row up to `column`.
    @inline(__always)
    package func read(_ row: Int, upTo column: Int?, into cells: UnsafeMutableBufferPointer<SQLCell>) {
        read(row, into: UnsafeMutableBufferPointer(start: cells.baseAddress, count: column.map { $0 + 1 } ?? 0))
    }

    @inline(__always)
    private static func read(
        from start: UnsafeRawPointer, to end: UnsafeRawPointer, into cells: UnsafeMutableBufferPointer<SQLCell>
    ) {
        var place = start
        var column = 0
        while place < end, column < cells.count {
            cells[column] = RowBatch.next(&place)
            column += 1
        }
        // Absent columns at the end of a row have no bytes.
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
        case .wideNull:
            place = value + 8
            return .null
        case .wideAbsent:
            place = value + 8
            return .absent
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

    /// Loads the first values of a row into the cache of the processor.
    @inline(__always)
    package func prefetch(_ row: Int) { tributary_prefetch(memory + entries[row].start) }

    /// Loads the place of a row into the cache of the processor, which `prefetch` needs.
    @inline(__always)
    package func prefetchEntry(_ row: Int) {
        entries.withUnsafeBufferPointer { entries in
            if let base = entries.baseAddress { tributary_prefetch(base + row) }
        }
    }

    /// The bytes of a row, for `add(packed:)` of another batch.
    @inline(__always)
    package func packed(_ row: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory + entries[row].start, count: length(row))
    }

    @inline(__always)
    private func length(_ row: Int) -> Int {
        (row + 1 < entries.count ? entries[row + 1].start : used) - entries[row].start
    }

    // MARK: Out of memory

    /// Moves the values to an unlinked file in `folder`; they stay in memory if it cannot be created.
    ///
    /// From then on rows must be read with `load`.
    package func moveOut(to folder: String) {
        guard let made = RowFile(UnsafeRawBufferPointer(start: memory, count: used), in: folder) else { return }
        file = made
        free(memory)
        capacity = 0
        memory = RowBatch.memory(capacity, from: nil)
    }

    /// Reads the values of a row from memory or file; text and bytes are valid until the buffer is used again.
    @inline(__always)
    package func load(_ row: Int, into cells: UnsafeMutableBufferPointer<SQLCell>, _ buffer: RowFile.Buffer) throws {
        guard let file else { return read(row, into: cells) }
        let packed = try file.read(length(row), at: entries[row].start, buffer)
        RowBatch.read(from: packed, to: packed + length(row), into: cells)
    }

    /// Adds a row from the bytes that `packed` returned.
    package func add(packed: UnsafeRawBufferPointer, ordinal: Int, hash: UInt64 = 0, isIncomplete: Bool) {
        begin(ordinal: ordinal)
        entries[entries.count - 1].hash = hash
        if let base = packed.baseAddress { reserve(packed.count).copyMemory(from: base, byteCount: packed.count) }
        if isIncomplete { markIncomplete() }
    }

    @usableFromInline
    enum Tag: UInt8 {
        case absent, null, integer8, integer32, integer64, real, text8, text32, blob
        /// Null, or no value, in the place of a link.
        case wideNull, wideAbsent
    }
}
