/// Writes the b-tree of a table: leaves in the order of the rows, and the pages above them at the end.
package struct TableTree: ~Copyable {
    private let file: PageFile
    private let root: UInt32
    private var leaf: PageBuilder
    private var above = InteriorPages()
    /// The key of the last row, and that of the last row of the last complete leaf.
    private var last: Int64?
    private var lastOfLeaf: Int64 = 0

    /// The table whose empty root SQLite has put at page `root`.
    package init(_ file: PageFile, root: UInt32) {
        self.file = file
        self.root = root
        leaf = PageBuilder(.tableLeaf, file.format)
    }

    /// Adds a row, whose key is greater than that of every earlier row.
    package mutating func add(_ key: Int64, _ record: UnsafeRawBufferPointer) throws {
        if let last { precondition(key > last, "rows must have rising keys") }
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

    private mutating func endLeaf() throws {
        guard let last else { return }
        if !above.children.isEmpty {
            withUnsafeTemporaryAllocation(byteCount: 9, alignment: 8) { bytes in
                guard let start = bytes.baseAddress else { return }
                let count = start.storeVarint(UInt64(bitPattern: lastOfLeaf))
                above.divide(UnsafeRawBufferPointer(start: start, count: count))
            }
        }
        let file = file
        var number: UInt32 = 0
        try leaf.finish { number = try file.append($0) }
        above.add(number)
        lastOfLeaf = last
    }

    /// Writes the last leaf and the pages above the leaves.
    package consuming func finish() throws {
        if above.children.isEmpty {
            let (file, root) = (file, root)
            return try leaf.finish { try file.overwrite(root, with: $0) }
        }
        if leaf.count > 0 { try endLeaf() }
        try above.write(.tableInterior, root: root, to: file)
    }
}
