/// Writes the b-tree of a table from its rows in their order, each page as soon as it is full.
package final class TableTree {
    private let file: PageFile
    private let root: UInt32
    // One thread writes, and no access to a field overlaps another: the check for each row would cost time.

    @exclusivity(unchecked) private var leaf: PageBuilder
    private let above: InteriorLevel
    /// The key of the last row, and that of the last row of the last complete leaf.
    @exclusivity(unchecked) private var last: Int64?
    private var lastOfLeaf: Int64 = 0

    /// The table whose empty root SQLite has put at page `root`.
    package init(_ file: PageFile, root: UInt32) {
        self.file = file
        self.root = root
        leaf = PageBuilder(.tableLeaf, file.format)
        above = InteriorLevel(.tableInterior, file.format)
    }

    /// Adds a row, whose key is greater than that of every earlier row.
    package func add(_ key: Int64, _ record: UnsafeRawBufferPointer) throws {
        if let last, key <= last { throw file.failure("the row \(key) would follow the row \(last)", 0) }
        let local = file.format.localSize(of: record.count, inIndex: false)
        let bits = UInt64(bitPattern: key)
        let prefix = UInt64.varintSize(UInt64(record.count)) + UInt64.varintSize(bits)
        let size = prefix + local + (local < record.count ? 4 : 0)
        // The overflow pages are numbered before the leaf that refers to them.
        let overflow =
            local < record.count
            ? try file.appendOverflow(UnsafeRawBufferPointer(rebasing: record[local...])) : 0
        if !leaf.fits(size) { try endLeaf() }
        var cell = leaf.addCell(size)
        cell += cell.storeVarint(UInt64(record.count))
        cell += cell.storeVarint(bits)
        if local > 0, let start = record.baseAddress { cell.copyMemory(from: start, byteCount: local) }
        if overflow > 0 { (cell + local).storeBigEndian(UInt64(overflow), bytes: 4) }
        last = key
    }

    private func endLeaf() throws {
        guard let last else { return }
        var number: UInt32 = 0
        try leaf.finish { number = try file.append($0) }
        try above.add(number, after: divider) { try file.append($0) }
        lastOfLeaf = last
    }

    /// The cell after the last complete leaf.
    private var divider: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 9) { bytes, count in
            guard let start = bytes.baseAddress else { return }
            count = UnsafeMutableRawPointer(start).storeVarint(UInt64(bitPattern: lastOfLeaf))
        }
    }

    /// Ends the current leaf, so that the file has all rows.
    package func flush() throws {
        if leaf.count > 0 { try endLeaf() }
    }

    /// Removes the pages after page `count`, at which an earlier process had synced all rows.
    ///
    /// If that process has finished the table and its only leaf was moved to the root, it is moved back.
    package func truncate(to count: UInt32) throws {
        if try hasRows(root), try !hasRows(count) { try file.move(root, to: count) }
        try file.truncate(to: count)
        try leaf.finish { try file.overwrite(root, with: $0) }
    }

    /// Whether a page is a leaf with rows.
    private func hasRows(_ number: UInt32) throws -> Bool {
        guard file.contains(number) else { return false }
        let page = UnsafeMutableRawBufferPointer.allocate(byteCount: file.format.pageSize, alignment: 8)
        defer { page.deallocate() }
        try file.read(number, into: page)
        return page[0] == PageBuilder.Kind.tableLeaf.rawValue && (page[3] != 0 || page[4] != 0)
    }

    /// Continues after the pages of an earlier process: reads all rows, and passes each key and record to `body`.
    ///
    /// The complete pages above the leaves are in the file; the open ones are made again from the leaves.
    package func resume(after first: UInt32, _ body: (Int64, UnsafeRawBufferPointer) throws -> Void) throws {
        var reader = LeafReader(file)
        for number in first + 1...max(first + 1, file.pageCount) where number <= file.pageCount {
            let isLeaf = try reader.forEachRow(of: number) { key, record in
                if let last, key <= last { throw file.damage(number) }
                last = key
                try body(key, record)
            }
            guard isLeaf, let last else { continue }
            // The pages above that this leaf has completed follow it.
            var following = number
            try above.add(number, after: divider) { page in
                following = file.number(after: following)
                try reader.check(following, against: page)
                return following
            }
            lastOfLeaf = last
        }
    }

    /// Writes the last leaf and the pages above the leaves.
    package func finish() throws {
        if above.isEmpty {
            return try leaf.finish { try file.overwrite(root, with: $0) }
        }
        if leaf.count > 0 { try endLeaf() }
        // A single leaf is the root itself. It is the last page: the pages of later rows would follow another leaf.
        if above.hasOneChild { return try file.moveLastPage(to: root) }
        try above.finish(root: root, to: file)
    }
}
