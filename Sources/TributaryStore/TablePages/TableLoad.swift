import Foundation
import TributaryConcurrency
package import TributarySQLite

/// Fills a table that is empty in a file of its own, page by page, without SQLite.
///
/// The file is a database with the same table and indexes. Until `finish` has written the index pages and the header,
/// SQLite would see an empty database there, and nothing else may open it.
///
/// A checkpoint makes all rows so far durable. Pages before a checkpoint never change, so an interrupted load resumes by
/// removing the pages after it and reading the rest once.
package final class TableLoad {
    /// What a process must keep to resume a load.
    package struct Checkpoint: Sendable, Hashable {
        /// The number of pages before the first row.
        package let emptyPageCount: UInt32
        /// The number of pages that have the rows so far.
        package var pageCount: UInt32
        /// The number of rows so far.
        package var rowCount: Int
    }

    /// Why a load cannot continue.
    package struct Failure: Error, CustomStringConvertible {
        /// What happened, and where.
        package let description: String
    }

    /// The number of rows.
    @exclusivity(unchecked) package private(set) var rowCount = 0
    /// The cells of the key, if rows may have the key of an earlier row.
    private var repeatedKey: Set<Int> = []
    /// The keys of the rows that have the key of an earlier row, once the load is finished.
    package private(set) var repeatedRows = KeyBitmap()
    private let path: String
    private let folder: String
    private var layout: LoadLayout
    private let file: PageFile
    private let tree: TableTree
    private let roots: [UInt32]
    private var emptyPageCount: UInt32
    private let sorters: [KeySorter]
    /// The columns of all indexes, each followed by -1: one array, so that rows count no references.
    private let indexColumns: [Int]
    /// The number of cells with the key of a row at the end of an index entry.
    private let keyCells: Int
    private let encoder = RecordEncoder()
    private let indexEncoder = RecordEncoder()
    /// The values of a row, by the columns of the table.
    private var row: UnsafeMutableBufferPointer<SQLCell>
    private let entry: UnsafeMutableBufferPointer<SQLCell>

    /// Begins a load in a new file, which has the page size and the permissions of the database of `connection`.
    ///
    /// Index entries are sorted in `sortBytes` bytes of memory, those of all indexes together.
    package convenience init(
        _ layout: LoadLayout, creating path: String, like connection: Connection, sortBytes: Int
    ) throws {
        // Created exclusively: a link or a file of another program is never written.
        let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Failure(description: "\(path): it cannot be created: \(String(cString: strerror(errno)))")
        }
        // The database at the path of the connection decides who may read its rows.
        var status = stat()
        if stat(connection.name, &status) == 0 { fchmod(descriptor, status.st_mode & 0o777) }
        close(descriptor)
        guard let size = try connection.integer(of: "PRAGMA page_size") else {
            throw Failure(description: "\(path): the page size of \(connection.name) cannot be read")
        }
        do {
            let side = try Connection(.file(path))
            // A journal that came back after a power failure would undo the pages that are written without SQLite.
            try side.execute("PRAGMA journal_mode = MEMORY")
            try side.execute(SQLFragment(trusted: "PRAGMA page_size = \(size)"))
            try side.transaction {
                // The text is what SQLite stored for the statements of this library.
                for statement in layout.statements { try side.execute(SQLFragment(trusted: statement)) }
            }
        }
        try self.init(layout, path: path, sortBytes: sortBytes)
    }

    /// Resumes a load after a checkpoint; `body` gets the key and the cells of each row, as they were added.
    package convenience init(
        _ layout: LoadLayout, resuming path: String, after checkpoint: Checkpoint, sortBytes: Int,
        _ body: (Int64, UnsafeBufferPointer<SQLCell>) throws -> Void
    ) throws {
        try self.init(layout, path: path, sortBytes: sortBytes)
        emptyPageCount = checkpoint.emptyPageCount
        if checkpoint.rowCount == 0 {
            try file.truncate(to: checkpoint.pageCount)
        } else {
            try tree.truncate(to: checkpoint.pageCount)
        }
        let cells = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: layout.sources.count)
        defer { cells.deallocate() }
        try tree.resume(after: checkpoint.emptyPageCount) { key, record in
            cells.initialize(repeating: .null)
            var decoder = RecordDecoder(record)
            for (column, source) in layout.sources.enumerated() {
                guard let value = decoder.next() else { break }
                row[column] = value
                if case .cell(let index) = source { cells[index] = value }
            }
            if layout.hasRowKeys { row[0] = SQLCell(key) }
            try addEntries(key)
            rowCount += 1
            try body(key, UnsafeBufferPointer(cells))
        }
        guard rowCount == checkpoint.rowCount else {
            throw Failure(
                description: "\(path): it has \(rowCount) rows, not the \(checkpoint.rowCount) of its checkpoint")
        }
    }

    private init(_ layout: LoadLayout, path: String, sortBytes: Int) throws {
        self.path = path
        self.layout = layout
        var roots: [UInt32] = []
        do {
            // SQLite must not write here: its header does not count the pages of an unfinished load.
            var reading = Connection.Options()
            reading.isReadOnly = true
            let side = try Connection(.file(path), options: reading)
            for name in (layout.hasRowKeys ? [layout.table] : []) + layout.indexes.map(\.name) {
                let root = try side.integer(of: "SELECT \"rootpage\" FROM sqlite_master WHERE \"name\" = \(name)")
                guard let page = root else {
                    throw Failure(description: "\(path): it is not the file of a load of \(layout.table)")
                }
                roots.append(UInt32(truncatingIfNeeded: page))
            }
        }
        self.roots = roots
        file = try PageFile(path)
        emptyPageCount = file.pageCount
        tree = TableTree(file, root: roots[0])
        let folder = URL(filePath: path).deletingLastPathComponent().path
        self.folder = folder
        let share = sortBytes / max(1, layout.indexes.count)
        sorters = layout.indexes.map { KeySorter(columnCount: $0.columns.count, byteLimit: share, folder: folder) }
        indexColumns = layout.indexes.flatMap { $0.columns + [-1] }
        keyCells = layout.hasRowKeys ? 1 : 0
        row = .allocate(capacity: layout.sources.count)
        row.initialize(repeating: .null)
        entry = .allocate(capacity: (layout.indexes.map(\.columns.count).max() ?? 0) + 1)
        entry.initialize(repeating: .null)
    }

    deinit {
        row.deallocate()
        entry.deallocate()
    }

    // MARK: Rows

    /// Adds a row, whose key is greater than that of every earlier row.
    @inline(__always)
    package func add(_ key: Int64, _ cells: UnsafeBufferPointer<SQLCell>) throws {
        for (column, source) in layout.sources.enumerated() {
            switch source {
            case .key, .null: row[column] = .null
            case .version: row[column] = SQLCell(1 as Int64)
            case .cell(let index): row[column] = cells[index]
            }
        }
        try tree.add(key, encoder.encode(UnsafeBufferPointer(row)))
        if layout.hasRowKeys { row[0] = SQLCell(key) }
        try addEntries(key)
        rowCount += 1
    }

    /// Lets rows have the key of an earlier row from now on, which is in some cells.
    func acceptRepeatedRows(key cells: [Int]) { repeatedKey = Set(cells) }

    /// Continues after columns were added to the table, which earlier rows do not have.
    package func grow(to layout: LoadLayout) {
        self.layout = layout
        row.deallocate()
        row = .allocate(capacity: layout.sources.count)
        row.initialize(repeating: .null)
    }

    /// Adds the index entries of the current row.
    private func addEntries(_ key: Int64) throws {
        var place = 0
        var number = 0
        for column in indexColumns {
            if column >= 0 {
                entry[place] = row[column]
                place += 1
                continue
            }
            entry[place] = SQLCell(key)
            let cells = UnsafeBufferPointer(rebasing: entry[..<(place + keyCells)])
            try sorters[number].add(indexEncoder.encode(cells), first: cells[0])
            place = 0
            number += 1
        }
    }

    /// Makes all rows so far durable.
    package func checkpoint() throws -> Checkpoint {
        try tree.flush()
        try file.sync()
        return Checkpoint(emptyPageCount: emptyPageCount, pageCount: file.pageCount, rowCount: rowCount)
    }

    /// The bytes of the pages so far.
    package var byteCount: Int { Int(file.pageCount) * file.format.pageSize }

    /// Writes the indexes and completes the database, which SQLite may open then.
    package func finish() throws { try TableLoad.finish([self], threads: Processors.count) }

    /// Writes the indexes of some loads, by several threads, and completes their databases.
    ///
    /// The rows of a table without row keys are in its first index; the pages with the rows so far stay unused.
    static func finish(_ loads: [TableLoad], threads: Int) throws {
        for load in loads where load.layout.hasRowKeys { try load.tree.finish() }
        let indexes = loads.flatMap { load in load.layout.indexes.indices.map { (load, $0) } }
        let share = max(1, (threads + indexes.count - 1) / max(1, indexes.count))
        // A thread uses only what belongs to its index or its part of one, and nothing else uses the loads meanwhile.
        let sorted = UncheckedTransfer(indexes)
        let writings = Guarded<[Int: UncheckedTransfer<IndexWriting>]>([:])
        try Workers.run(indexes.count, threads: threads) { task in
            let (load, index) = sorted.value[task]
            let writing = UncheckedTransfer(try load.writing(of: index, threads: share))
            writings.withLock { $0[task] = writing }
        }
        let ready = indexes.indices.compactMap { number in writings.withLock { $0[number] } }
        let parts = UncheckedTransfer(ready.flatMap(\.value.parts))
        try Workers.run(parts.value.count, threads: threads) { try parts.value[$0].write() }
        for ((load, _), writing) in zip(indexes, ready) { load.add(try writing.value.finish()) }
        for load in loads { try load.file.finish() }
    }

    private func add(_ repeated: KeyBitmap) { if !repeated.isEmpty { repeatedRows = repeated } }

    private func writing(of number: Int, threads: Int) throws -> IndexWriting {
        let index = layout.indexes[number]
        let cells = index.columns.prefix(index.sortedCount).map { column in
            if case .cell(let cell) = layout.sources[column] { cell } else { -1 }
        }
        return try IndexWriting(
            index, sorters[number], to: file, root: roots[number + (layout.hasRowKeys ? 1 : 0)], folder: folder,
            threads: threads, acceptsRepeatedRows: !cells.isEmpty && Set(cells) == repeatedKey
        ) { [path] in Failure(description: "\(path): \($0)") }
    }
}
