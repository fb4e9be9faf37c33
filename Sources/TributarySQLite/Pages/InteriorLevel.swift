/// A level of a b-tree above its leaves: one page that is being filled, and the levels above it.
///
/// A table divides neighbors by the largest key of the left child, an index by an entry of its own. A full page is written
/// when the second child after it comes, because every page needs two children: the last one of a full page may have to
/// go to the next page.
final class InteriorLevel {
    private let format: PageFormat
    private var page: PageBuilder
    /// The latest child that is not held back, which has no divider yet; 0 if there is none.
    private var last: UInt32 = 0
    /// The size of the cell before it.
    private var lastSize = 0
    /// The first child after a full page, and the cell between.
    private var held: (divider: [UInt8], child: UInt32)?
    /// The cell between the page and the one before it; empty for the first page.
    private var before: [UInt8] = []
    private var above: InteriorLevel?

    init(_ kind: PageBuilder.Kind, _ format: PageFormat) {
        self.format = format
        page = PageBuilder(kind, format)
    }

    /// Whether there is no child.
    var isEmpty: Bool { last == 0 }
    /// Whether there is one child.
    var hasOneChild: Bool { last != 0 && page.count == 0 && above == nil }

    /// Adds a child, after the cell between the child before and this one; `append` writes a page that is complete and
    /// returns its number.
    func add(_ child: UInt32, after divider: [UInt8], _ append: (UnsafeRawBufferPointer) throws -> UInt32) throws {
        if last == 0 {
            last = child
        } else if let held {
            self.held = nil
            try endPage(before: held.divider, append)
            last = held.child
            place(child, after: divider)
        } else if page.fits(4 + divider.count) {
            place(child, after: divider)
        } else {
            held = (divider, child)
        }
    }

    private func place(_ child: UInt32, after divider: [UInt8]) {
        lastSize = 4 + divider.count
        let cell = page.addCell(lastSize)
        cell.storeBigEndian(UInt64(last), bytes: 4)
        (cell + 4).copyMemory(from: divider, byteCount: divider.count)
        last = child
    }

    /// Completes the page and adds it to the level above; `divider` is the cell between it and the next one.
    private func endPage(before divider: [UInt8], _ append: (UnsafeRawBufferPointer) throws -> UInt32) throws {
        let parent = above ?? InteriorLevel(page.kind, format)
        above = parent
        var number: UInt32 = 0
        try page.finish(right: last) { number = try append($0) }
        try parent.add(number, after: before, append)
        before = divider
    }

    /// Writes the open pages, the topmost one at `root`; there are at least two children.
    func finish(root: UInt32, to file: PageFile) throws {
        if let held {
            let cell = page.removeLast(lastSize)
            let right = last
            last = cell.withUnsafeBytes { UInt32($0.number(at: 0, bytes: 4)) }
            self.held = nil
            try endPage(before: Array(cell[4...])) { try file.append($0) }
            last = right
            place(held.child, after: held.divider)
        }
        guard let above else { return try page.finish(right: last) { try file.overwrite(root, with: $0) } }
        try endPage(before: []) { try file.append($0) }
        try above.finish(root: root, to: file)
    }
}
