import TributaryConcurrency
import TributarySQLite

/// The writing of an index of a load by several threads, each of which writes the pages of a range of its entries.
///
/// The first range begins the tree. The leaves of the others are added to it once all threads have ended.
final class IndexWriting {
    let parts: [IndexPart]
    private let tree: IndexTree
    private let repeated = Guarded(KeyBitmap())
    private let failure: (String) -> TableLoad.Failure
    private let index: LoadLayout.Index
    private let acceptsRepeatedRows: Bool

    /// The writing of an index whose empty root is at page `root`, by at most `threads` threads.
    init(
        _ index: LoadLayout.Index, _ sorter: KeySorter, to file: PageFile, root: UInt32, folder: String, threads: Int,
        acceptsRepeatedRows: Bool, failure: @escaping (String) -> TableLoad.Failure
    ) throws {
        (self.index, self.acceptsRepeatedRows, self.failure) = (index, acceptsRepeatedRows, failure)
        let tree = IndexTree(file, root: root)
        self.tree = tree
        parts = try sorter.ranges(threads).enumerated().map { [repeated] number, range in
            IndexPart(range, of: index, to: file, number == 0 ? tree : nil, folder: folder, repeated: repeated)
        }
    }

    /// Completes the tree; returns the keys of rows that have the values of an earlier row although the index is unique.
    func finish() throws -> KeyBitmap {
        for (number, part) in parts.enumerated().dropFirst() {
            try part.addLeaves(to: tree)
            if index.isUnique, parts[number - 1].last.isEqual(to: part.first, columns: index.sortedCount) {
                _ = repeated.withLock { $0.insert(part.first.rowKey) }
            }
        }
        let found = repeated.withLock { keys in
            defer { keys = KeyBitmap() }
            return keys
        }
        if !found.isEmpty, !acceptsRepeatedRows {
            throw failure("two rows have the same values of the index \(index.name)")
        }
        try tree.finish()
        return found
    }
}
