import Synchronization
import TributaryConcurrency
import TributaryJSON
import TributaryStore

/// The text of the rows of tables, made row by row.
final class TableStream: ByteStream {
    /// What is being written.
    fileprivate struct State {
        let cursor: TableCursor
        let tables: [ReadableTable]
        /// The number of tables that are written or being written.
        var opened = 0
        /// Writes the rows of the table that is being written; nil between tables.
        var row: RowText?
        var isFirstRow = true
        var isAtEnd = false
        /// The text that is not read yet, at most a row more than a buffer, behind what was read.
        var text: [UInt8] = []
        /// The number of bytes of `text` that were read.
        var start = 0
    }

    private let state: Guarded<State>
    private let isCancelled = Atomic<Bool>(false)

    /// Opens the database at a path.
    init(_ path: String, _ tables: [ReadableTable]) throws {
        state = Guarded(State(cursor: try TableCursor(path), tables: tables))
    }

    /// Makes text until the buffer is full, or all rows are written.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        try state.withLock { state in
            while state.text.count - state.start < buffer.count, !state.isAtEnd {
                guard !isCancelled.load(ordering: .relaxed) else { return 0 }
                do {
                    try state.advance()
                } catch {
                    throw JSONError(.sourceRead, "\(error)")
                }
            }
            return state.take(into: buffer)
        }
    }

    var isReady: Bool { true }

    func cancel() { isCancelled.store(true, ordering: .relaxed) }
}

extension TableStream.State {
    /// Writes the next row, or what is between two tables.
    fileprivate mutating func advance() throws {
        let isOne = tables.count == 1
        guard let row else { return try openNext() }
        guard try cursor.next() else {
            self.row = nil
            if !isOne { text += "]".utf8 }
            return
        }
        if !isOne { text += (isFirstRow ? "\n" : ",\n").utf8 }
        isFirstRow = false
        row.append(cursor.cell, to: &text)
        if isOne { text += "\n".utf8 }
    }

    /// Begins the next table, or ends the text.
    private mutating func openNext() throws {
        let isOne = tables.count == 1
        guard opened < tables.count else {
            if !isOne { text += "}\n".utf8 }
            isAtEnd = true
            return
        }
        let table = tables[opened]
        try cursor.open(table)
        if !isOne { text += (opened == 0 ? "{" : ",\n").utf8 + JSONLineWriter.quoted(table.name) + ":[".utf8 }
        (row, isFirstRow, opened) = (RowText(table), true, opened + 1)
    }

    /// Moves text into a buffer; returns the number of bytes.
    fileprivate mutating func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, text.count - start)
        buffer.copyBytes(from: text[start..<start + count])
        start += count
        // A long row is not moved for each part that is read.
        if text.count - start < buffer.count {
            text.removeFirst(start)
            start = 0
        }
        return count
    }
}
