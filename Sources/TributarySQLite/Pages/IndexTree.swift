/// Writes the b-tree of an index from its entries in their order, each page as soon as it is full.
///
/// Leaves that ``IndexLeaves`` has written, of later entries, may follow.
package final class IndexTree {
    private let file: PageFile
    private let root: UInt32
    private let leaves: IndexLeaves
    private let above: InteriorLevel

    /// The index whose empty root SQLite has put at page `root`.
    package init(_ file: PageFile, root: UInt32) {
        self.file = file
        self.root = root
        let above = InteriorLevel(.indexInterior, file.format)
        self.above = above
        leaves = IndexLeaves(file) { number, divider in try above.add(number, after: divider) { try file.append($0) } }
    }

    /// Adds an entry: the record of its columns and of the key of its row.
    package func add(_ record: UnsafeRawBufferPointer) throws { try leaves.add(record) }

    /// Adds a leaf that was written, after the cell between it and all entries so far, of which there is one at least.
    package func add(leaf number: UInt32, after divider: [UInt8]) throws {
        try leaves.finish()
        try above.add(number, after: divider) { try file.append($0) }
    }

    /// Writes the last leaf and the pages above the leaves.
    package func finish() throws {
        try leaves.finish(root: above.isEmpty ? root : nil)
        if !above.isEmpty { try above.finish(root: root, to: file) }
    }
}
