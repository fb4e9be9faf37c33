/// The children of a level of a b-tree, and the cells between them.
///
/// A table divides by the largest key of the left child, an index by an entry of its own.
struct InteriorPages {
    private(set) var children: [UInt32] = []
    /// The cells that divide neighbors, without the number of the left child.
    private var dividers: [UInt8] = []
    /// Where each divider begins; the last one ends with the bytes.
    private var starts: [Int] = []

    /// Adds a child.
    mutating func add(_ child: UInt32) { children.append(child) }

    /// Adds the cell between the last child and the next one.
    mutating func divide(_ bytes: UnsafeRawBufferPointer) {
        starts.append(dividers.count)
        dividers.append(contentsOf: bytes)
    }

    private func divider(_ index: Int) -> ArraySlice<UInt8> {
        dividers[starts[index]..<(index + 1 < starts.count ? starts[index + 1] : dividers.count)]
    }

    /// Writes the levels above, the last one at `root`; there are at least two children.
    func write(_ kind: PageBuilder.Kind, root: UInt32, to file: PageFile) throws {
        var level = self
        var page = PageBuilder(kind, file.format)
        while true {
            let groups = level.groups(file.format)
            var above = InteriorPages()
            for group in groups {
                for index in group.dropLast() {
                    let divider = level.divider(index)
                    let cell = page.addCell(4 + divider.count)
                    cell.storeBigEndian(UInt64(level.children[index]), bytes: 4)
                    divider.withUnsafeBytes { bytes in
                        UnsafeMutableRawBufferPointer(start: cell + 4, count: bytes.count).copyMemory(from: bytes)
                    }
                }
                let last = group.upperBound - 1
                try page.finish(right: level.children[last]) { bytes in
                    if groups.count == 1 { return try file.overwrite(root, with: bytes) }
                    above.add(try file.append(bytes))
                }
                if last + 1 < level.children.count { level.divider(last).withUnsafeBytes { above.divide($0) } }
            }
            if groups.count == 1 { return }
            level = above
        }
    }

    /// The children of each page of the next level: as many as fit, and at least two, because every page needs a cell.
    private func groups(_ format: PageFormat) -> [Range<Int>] {
        var groups: [Range<Int>] = []
        var start = 0
        while start < children.count {
            var end = start + 1
            var used = PageBuilder.Kind.tableInterior.headerSize
            while end < children.count {
                used += 2 + max(PageBuilder.smallestCell, 4 + divider(end - 1).count)
                if used > format.usableSize { break }
                end += 1
            }
            groups.append(start..<end)
            start = end
        }
        if groups.count > 1, let last = groups.last, last.count == 1 {
            groups[groups.count - 2] = groups[groups.count - 2].dropLast()
            groups[groups.count - 1] = last.lowerBound - 1..<last.upperBound
        }
        return groups
    }
}
