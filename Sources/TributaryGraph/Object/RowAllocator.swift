/// Memory for the rows of the objects of one entity in one context: all have one size, and come and go by the thousand.
///
///     slab   | what it is | row | row | row | …        a row knows how far it lies behind the beginning of its slab
///
/// Slabs with room are chained; one that is empty goes back to the system. It belongs to the queue of the context, as its
/// objects do, and must live as long as the rows.
final class RowAllocator {
    private struct Slab {
        let stock: Unmanaged<RowAllocator>  // the rows, and so the slab, end before it
        let capacity: Int
        /// How many rows are in use.
        var used = 0
        /// How many rows have ever been; those behind were never touched.
        var touched = 0
        /// The row given back last, which leads to the one before.
        var free: UnsafeMutableRawPointer?
        var next: UnsafeMutablePointer<Slab>?
        var previous: UnsafeMutablePointer<Slab>?
    }

    /// Rows from this length on have memory of their own.
    private static let longest = 4 << 10
    private static let slabLength = 32 << 10
    private static let unit = Row.width

    private let slotCount: Int
    private let rowLength: Int
    private var capacity = 4
    @exclusivity(unchecked) private var current: UnsafeMutablePointer<Slab>?
    /// Slabs besides the current one that have room.
    @exclusivity(unchecked) private var others: UnsafeMutablePointer<Slab>?

    /// Memory for rows of `count` slots.
    init(_ count: Int) {
        slotCount = count
        // One that was given back leads to another, and has room for that where it has no slots.
        rowLength = Row.headLength(count) + max(count, 1) * Row.width
    }

    deinit {
        current?.deallocate()
        while let slab = others {
            others = slab.pointee.next
            slab.deallocate()
        }
    }

    /// A row, all of its slots null.
    @inline(__always)
    func allocate() -> Row {
        if let slab = current, let base = slab.pointee.free {
            slab.pointee.free = base.load(as: UnsafeMutableRawPointer?.self)
            slab.pointee.used += 1
            return Row(base: base)
        }
        return allocateFresh()
    }

    @inline(never)
    private func allocateFresh() -> Row {
        guard rowLength < RowAllocator.longest else { return Row.allocate(slotCount) }
        if current.map({ $0.pointee.used == $0.pointee.capacity }) ?? true {
            current = others ?? makeSlab()
            if let current, current == others { unlink(current) }
            return allocate()
        }
        guard let slab = current else { fatalError("internal error: no slab after allocation") }
        let distance = RowAllocator.headLength + slab.pointee.touched * rowLength
        slab.pointee.touched += 1
        slab.pointee.used += 1
        return Row.initialize(
            UnsafeMutableRawPointer(slab) + distance, slotCount, place: UInt16(distance / RowAllocator.unit))
    }

    private static let headLength = (MemoryLayout<Slab>.size + unit - 1) / unit * unit

    private func makeSlab() -> UnsafeMutablePointer<Slab> {
        let room = RowAllocator.slabLength - RowAllocator.headLength
        capacity = min(capacity * 2, room / rowLength)
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: RowAllocator.headLength + capacity * rowLength, alignment: RowAllocator.unit)
        let slab = memory.bindMemory(to: Slab.self, capacity: 1)
        slab.initialize(to: Slab(stock: .passUnretained(self), capacity: capacity))
        return slab
    }

    /// Takes back a row that lies `place` units behind the beginning of its slab; its slots are null.
    static func giveBack(_ row: Row, place: UInt16) {
        let start = row.base - Row.headLength(row.count) - Int(place) * unit
        let slab = start.assumingMemoryBound(to: Slab.self)
        row.base.storeBytes(of: slab.pointee.free, as: UnsafeMutableRawPointer?.self)
        slab.pointee.free = row.base
        slab.pointee.used -= 1
        slab.pointee.stock._withUnsafeGuaranteedRef { $0.settle(slab) }
    }

    @inline(__always)
    private func settle(_ slab: UnsafeMutablePointer<Slab>) {
        guard slab != current else { return }
        if slab.pointee.used == slab.pointee.capacity - 1 {
            slab.pointee.next = others
            slab.pointee.previous = nil
            others?.pointee.previous = slab
            others = slab
        }
        if slab.pointee.used == 0 {
            unlink(slab)
            slab.deallocate()
        }
    }

    private func unlink(_ slab: UnsafeMutablePointer<Slab>) {
        slab.pointee.next?.pointee.previous = slab.pointee.previous
        if let previous = slab.pointee.previous {
            previous.pointee.next = slab.pointee.next
        } else {
            others = slab.pointee.next
        }
        (slab.pointee.next, slab.pointee.previous) = (nil, nil)
    }
}
