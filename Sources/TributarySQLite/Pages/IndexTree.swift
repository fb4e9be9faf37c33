/// Writes the b-tree of an index from its entries in their order, each page as soon as it is full.
package final class IndexTree {
    private let file: PageFile
    private let root: UInt32
    // One thread writes, and no access to a field overlaps another: the check for each row would cost time.

    @exclusivity(unchecked) private var leaf: PageBuilder
    private let above: InteriorLevel
    /// The entry between the last complete leaf and the one before it.
    private var between: [UInt8] = []
    /// The entry that did not fit into the leaf, which becomes a divider if another one follows.
    @exclusivity(unchecked) private var divider: [UInt8]?
    /// The size of the last cell of the leaf.
    @exclusivity(unchecked) private var lastSize = 0

    /// The index whose empty root SQLite has put at page `root`.
    package init(_ file: PageFile, root: UInt32) {
        self.file = file
        self.root = root
        leaf = PageBuilder(.indexLeaf, file.format)
        above = InteriorLevel(.indexInterior, file.format)
    }

    /// Adds an entry: the record of its columns and of the key of its row.
    package func add(_ record: UnsafeRawBufferPointer) throws {
        let local = file.format.localSize(of: record.count, inIndex: true)
        let size = UInt64.varintSize(UInt64(record.count)) + local + (local < record.count ? 4 : 0)
        let overflow =
            local < record.count
            ? try file.appendOverflow(UnsafeRawBufferPointer(rebasing: record[local...])) : 0
        if divider != nil { try endLeaf() }
        func store(at place: UnsafeMutableRawPointer) {
            let cell = place + place.storeVarint(UInt64(record.count))
            if local > 0, let start = record.baseAddress { cell.copyMemory(from: start, byteCount: local) }
            if overflow > 0 { (cell + local).storeBigEndian(UInt64(overflow), bytes: 4) }
        }
        if leaf.fits(size) {
            store(at: leaf.addCell(size))
            lastSize = size
            return
        }
        var bytes = [UInt8](repeating: 0, count: size)
        bytes.withUnsafeMutableBytes { if let start = $0.baseAddress { store(at: start) } }
        divider = bytes
    }

    private func endLeaf() throws {
        guard let divider else { return }
        try appendLeaf()
        between = divider
        self.divider = nil
    }

    private func appendLeaf() throws {
        var number: UInt32 = 0
        try leaf.finish { number = try file.append($0) }
        try above.add(number, after: between) { try file.append($0) }
    }

    /// Writes the last leaf and the pages above the leaves.
    package func finish() throws {
        if let entry = divider {
            // No entry follows, so the one before it divides: a leaf must not be empty.
            divider = leaf.removeLast(lastSize)
            try endLeaf()
            leaf.addCell(entry.count).copyMemory(from: entry, byteCount: entry.count)
        }
        if above.isEmpty {
            return try leaf.finish { try file.overwrite(root, with: $0) }
        }
        try appendLeaf()
        try above.finish(root: root, to: file)
    }
}
