/// Allocates the rows of the objects of one entity in one context, which have one size and are short-lived.
///
///     slab   | header | row | row | row | …        a row has its offset from the start of its slab
///
/// Slabs with free rows are linked in a list; an empty slab is returned to the system. The allocator belongs to the
/// queue of the context and must exist as long as its rows.
@usableFromInline
package final class RowAllocator {
    @usableFromInline
    struct Slab {
        let allocator: Unmanaged<RowAllocator>  // exists longer than its rows, and so than the slab
        let capacity: Int
        @usableFromInline var used = 0
        /// The number of rows that were ever used; the memory after them was never written.
        var touched = 0
        /// The row released last, which points to the row released before it.
        @usableFromInline var free: UnsafeMutableRawPointer?
        var next: UnsafeMutablePointer<Slab>?
        var previous: UnsafeMutablePointer<Slab>?
    }

    /// The length from which on rows have memory of their own.
    private static let longest = 4 << 10
    private static let slabLength = 32 << 10
    private static let unit = Row.width

    private let slotCount: Int
    private let rowLength: Int
    private var capacity = 4
    @exclusivity(unchecked) @usableFromInline var current: UnsafeMutablePointer<Slab>?
    /// The slabs with free rows, except the current one.
    @exclusivity(unchecked) private var others: UnsafeMutablePointer<Slab>?

    /// An allocator for rows of `count` slots.
    package init(_ count: Int) {
        slotCount = count
        // A released row holds a pointer, for which a row without slots needs room as well.
        rowLength = Row.headLength(count) + max(count, 1) * Row.width
    }

    deinit {
        current?.deallocate()
        while let slab = others {
            others = slab.pointee.next
            slab.deallocate()
        }
    }

    /// Allocates a row, all of whose slots are null.
    @inlinable
    @inline(__always)
    package func allocate() -> Row {
        if let slab = current, let base = slab.pointee.free {
            slab.pointee.free = base.load(as: UnsafeMutableRawPointer?.self)
            slab.pointee.used += 1
            return Row(base: base)
        }
        return allocateFresh()
    }

    @usableFromInline
    @inline(never)
    func allocateFresh() -> Row {
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
            UnsafeMutableRawPointer(slab) + distance, slotCount, offset: UInt16(distance / RowAllocator.unit))
    }

    private static let headLength = (MemoryLayout<Slab>.size + unit - 1) / unit * unit

    private func makeSlab() -> UnsafeMutablePointer<Slab> {
        let room = RowAllocator.slabLength - RowAllocator.headLength
        capacity = min(capacity * 2, room / rowLength)
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: RowAllocator.headLength + capacity * rowLength, alignment: RowAllocator.unit)
        let slab = memory.bindMemory(to: Slab.self, capacity: 1)
        slab.initialize(to: Slab(allocator: .passUnretained(self), capacity: capacity))
        return slab
    }

    /// Releases a row `offset` units after the start of its slab; its slots are null.
    static func deallocate(_ row: Row, offset: UInt16) {
        let start = row.base - Row.headLength(row.count) - Int(offset) * unit
        let slab = start.assumingMemoryBound(to: Slab.self)
        row.base.storeBytes(of: slab.pointee.free, as: UnsafeMutableRawPointer?.self)
        slab.pointee.free = row.base
        slab.pointee.used -= 1
        slab.pointee.allocator._withUnsafeGuaranteedRef { $0.relink(slab) }
    }

    /// Links a slab that was full before the release of a row, and deallocates an empty one.
    @inline(__always)
    private func relink(_ slab: UnsafeMutablePointer<Slab>) {
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
