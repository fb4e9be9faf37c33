/// Writes the leaves of an index from its entries in their order, each page as soon as it is full.
package final class IndexLeaves {
    private let file: PageFile
    /// Gets the number of each leaf, with the cell between it and the leaf before.
    private let complete: (UInt32, [UInt8]) throws -> Void
    // One thread writes, and no access to a field overlaps another: the check for each row would cost time.

    @exclusivity(unchecked) private var leaf: PageBuilder
    /// The cell between the last complete leaf and the one before it; nil before the first entry of a later range.
    private var between: [UInt8]?
    /// The cell that did not fit into the leaf, which becomes a divider if another one follows.
    @exclusivity(unchecked) private var divider: [UInt8]?
    /// The size of the last cell of the leaf.
    @exclusivity(unchecked) private var lastSize = 0
    /// Whether no leaf is complete.
    private(set) var isFirst = true

    /// Writes leaves to a file; `complete` gets the number of each one and the cell before it, which has no bytes before
    /// the first leaf.
    ///
    /// With `beginsWithDivider` the first of two or more entries is the cell before the first leaf, which others precede.
    package init(
        _ file: PageFile, beginsWithDivider: Bool = false, complete: @escaping (UInt32, [UInt8]) throws -> Void
    ) {
        (self.file, self.complete) = (file, complete)
        leaf = PageBuilder(.indexLeaf, file.format)
        between = beginsWithDivider ? nil : []
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
        if between != nil, leaf.fits(size) {
            store(at: leaf.addCell(size))
            lastSize = size
            return
        }
        var bytes = [UInt8](repeating: 0, count: size)
        bytes.withUnsafeMutableBytes { if let start = $0.baseAddress { store(at: start) } }
        if between == nil { between = bytes } else { divider = bytes }
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
        isFirst = false
        try complete(number, between ?? [])
    }

    /// Completes the last leaf; alone it becomes the page `root`.
    package func finish(root: UInt32? = nil) throws {
        if let entry = divider {
            // No entry follows, so the one before it divides: a leaf must not be empty.
            divider = leaf.removeLast(lastSize)
            try endLeaf()
            leaf.addCell(entry.count).copyMemory(from: entry, byteCount: entry.count)
        }
        if let root, isFirst { return try leaf.finish { try file.overwrite(root, with: $0) } }
        if leaf.count > 0 { try appendLeaf() }
    }
}
