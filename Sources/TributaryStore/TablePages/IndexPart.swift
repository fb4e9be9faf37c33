import TributaryConcurrency
import TributarySQLite

/// The pages of a range of the entries of an index, which one thread writes.
final class IndexPart {
    /// The first and the last entry of the range.
    private(set) var first = IndexEntry()
    private(set) var last = IndexEntry()
    private let range: SortedRange
    private let index: LoadLayout.Index
    private let file: PageFile
    /// The tree of the first range, which its entries begin.
    private let tree: IndexTree?
    private let folder: String
    /// The keys of rows that have the values of an earlier row although the index is unique, of all ranges.
    private let repeated: Guarded<KeyBitmap>
    /// The numbers of the leaves of another range, each with the cell before it.
    private var leaves: SortedPart?

    init(
        _ range: SortedRange, of index: LoadLayout.Index, to file: PageFile, _ tree: IndexTree?, folder: String,
        repeated: Guarded<KeyBitmap>
    ) {
        (self.range, self.index, self.file, self.tree, self.folder) = (range, index, file, tree, folder)
        self.repeated = repeated
    }

    /// Writes the leaves.
    func write() throws {
        if let tree { return try write { try tree.add($0) } }
        leaves = try SortedPart(in: UnlinkedFile(in: folder), at: 0) { store in
            try withoutActuallyEscaping(store) { store in
                let leaves = IndexLeaves(file, beginsWithDivider: true) { number, divider in
                    try divider.withUnsafeBytes { try store(UInt64(number), $0) }
                }
                try write { try leaves.add($0) }
                try leaves.finish()
            }
        }
    }

    private func write(_ add: (UnsafeRawBufferPointer) throws -> Void) throws {
        try range.forEach { prefix, record in
            if index.isUnique {
                if last.isEqual(to: prefix, record, columns: index.sortedCount) {
                    let key = IndexEntry.rowKey(of: record)
                    _ = repeated.withLock { $0.insert(key) }
                }
                if last.record.isEmpty { first.replace(with: prefix, record) }
                last.replace(with: prefix, record)
            }
            try add(record)
        }
    }

    /// Adds the leaves to the tree of the earlier ranges.
    func addLeaves(to tree: IndexTree) throws {
        guard let leaves else { return }
        let reader = leaves.reader(from: nil, readSize: SortedPart.bufferSize)
        while let next = try reader.next() {
            try tree.add(leaf: UInt32(truncatingIfNeeded: next.prefix), after: Array(next.record))
        }
    }
}
