#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The values of one object, in one piece of memory.
///
///     | …, kind of slot 1, kind of slot 0 | place in a slab | number of slots | slot 0 | slot 1 | …
///       a byte each, backwards              2 bytes           2 bytes           16 bytes each; `base` points at slot 0
///
/// A slot is overwritten in place; what it owned is let go. Nothing here knows what a slot means.
///
/// The memory is made by `allocate`, or by a `RowAllocator` in one of its slabs, and must be given back by `deallocate`, which
/// the object that owns it sees to.
@frozen
public struct Row {
    /// What a slot holds.
    @frozen
    public enum Kind: UInt8, Sendable {
        /// Nothing.
        case null
        /// An `Int64`.
        case integer
        /// A `Double`.
        case double
        /// A `String`.
        case text
        /// A `Data`.
        case data
        /// A `UUID`.
        case uuid
        /// A reference to an object that holds the value.
        case boxed
    }

    @usableFromInline static let width = 16

    @usableFromInline let base: UnsafeMutableRawPointer

    @inlinable
    init(base: UnsafeMutableRawPointer) { self.base = base }

    /// How many slots there are.
    @inlinable var count: Int { Int((base - 2).load(as: UInt16.self)) }

    /// The bytes in front of the slots.
    @inlinable
    static func headLength(_ count: Int) -> Int { (count + 4 + width - 1) / width * width }

    /// Memory for `count` slots, all of them null.
    @inlinable
    static func allocate(_ count: Int) -> Row {
        let length = headLength(count) + count * width
        return initialize(.allocate(byteCount: length, alignment: width), count, place: 0)
    }

    /// Makes a row where there is memory for `count` slots; `place` is 0 if that is its own.
    @inlinable
    static func initialize(_ start: UnsafeMutableRawPointer, _ count: Int, place: UInt16) -> Row {
        let head = headLength(count)
        start.initializeMemory(as: UInt8.self, repeating: Kind.null.rawValue, count: head)
        let base = start + head
        (base - 2).storeBytes(of: UInt16(count), as: UInt16.self)
        (base - 4).storeBytes(of: place, as: UInt16.self)
        return Row(base: base)
    }

    /// Lets go of all values and of the memory.
    func deallocate() {
        for slot in 0..<count { clear(slot) }
        let place = (base - 4).load(as: UInt16.self)
        if place > 0 {
            RowAllocator.giveBack(self, place: place)
        } else {
            (base - Row.headLength(count)).deallocate()
        }
    }

    /// The same values in memory of their own.
    func copy() -> Row {
        let other = Row.allocate(count)
        for slot in 0..<count { other.assign(self, slot) }
        return other
    }

    /// Takes over the value that `other` has in `slot`.
    func assign(_ other: Row, _ slot: Int) {
        switch other.kind(slot) {
        case .null: clear(slot)
        case .integer: set(other.integer(slot), slot)
        case .double: set(other.double(slot), slot)
        case .text: set(other.text(slot), slot)
        case .data: set(other.data(slot), slot)
        case .uuid: set(other.uuid(slot), slot)
        case .boxed: set(other.boxed(slot), slot)
        }
    }

    // MARK: Reading

    @inlinable
    @inline(__always)
    func kind(_ slot: Int) -> Kind {
        // The bytes behind the slots are written by this type alone.
        unsafeBitCast((base - 5 - slot).load(as: UInt8.self), to: Kind.self)
    }

    @inlinable
    @inline(__always)
    func place(_ slot: Int) -> UnsafeMutableRawPointer { base + slot * Row.width }

    @inlinable
    @inline(__always)
    func integer(_ slot: Int) -> Int64 { place(slot).load(as: Int64.self) }

    @inlinable
    @inline(__always)
    func double(_ slot: Int) -> Double { place(slot).load(as: Double.self) }

    @inlinable
    @inline(__always)
    func text(_ slot: Int) -> String { place(slot).assumingMemoryBound(to: String.self).pointee }

    /// Lends the bytes of a text.
    @inline(__always)
    func withText<Result>(_ slot: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        // In place: a copy would count references.
        try place(slot).assumingMemoryBound(to: String.self).pointee.withUTF8(body)
    }

    @inlinable
    @inline(__always)
    func data(_ slot: Int) -> Data { place(slot).assumingMemoryBound(to: Data.self).pointee }

    @inlinable
    @inline(__always)
    func uuid(_ slot: Int) -> UUID { place(slot).load(as: UUID.self) }

    @inlinable
    @inline(__always)
    func boxed(_ slot: Int) -> AnyObject { place(slot).assumingMemoryBound(to: AnyObject.self).pointee }

    // MARK: Writing

    @inlinable
    @inline(__always)
    func mark(_ slot: Int, _ kind: Kind) {
        (base - 5 - slot).storeBytes(of: kind.rawValue, as: UInt8.self)
    }

    /// Lets go of what the slot owns, and leaves it null.
    @inlinable
    func clear(_ slot: Int) {
        switch kind(slot) {
        case .null: return
        case .integer, .double, .uuid: break
        case .text: place(slot).assumingMemoryBound(to: String.self).deinitialize(count: 1)
        case .data: place(slot).assumingMemoryBound(to: Data.self).deinitialize(count: 1)
        case .boxed: place(slot).assumingMemoryBound(to: AnyObject.self).deinitialize(count: 1)
        }
        mark(slot, .null)
    }

    @inlinable
    @inline(__always)
    func set(_ value: Int64, _ slot: Int) {
        if kind(slot).rawValue > Kind.double.rawValue { clear(slot) }
        place(slot).storeBytes(of: value, as: Int64.self)
        mark(slot, .integer)
    }

    @inlinable
    @inline(__always)
    func set(_ value: Double, _ slot: Int) {
        if kind(slot).rawValue > Kind.double.rawValue { clear(slot) }
        place(slot).storeBytes(of: value, as: Double.self)
        mark(slot, .double)
    }

    @inlinable
    @inline(__always)
    func set(_ value: String, _ slot: Int) {
        if kind(slot) == .text {
            place(slot).assumingMemoryBound(to: String.self).pointee = value
            return
        }
        clear(slot)
        place(slot).initializeMemory(as: String.self, to: value)
        mark(slot, .text)
    }

    @inlinable
    func set(_ value: Data, _ slot: Int) {
        clear(slot)
        place(slot).initializeMemory(as: Data.self, to: value)
        mark(slot, .data)
    }

    @inlinable
    func set(_ value: UUID, _ slot: Int) {
        clear(slot)
        place(slot).storeBytes(of: value, as: UUID.self)
        mark(slot, .uuid)
    }

    @inlinable
    func set(_ value: AnyObject, _ slot: Int) {
        clear(slot)
        place(slot).initializeMemory(as: AnyObject.self, to: value)
        mark(slot, .boxed)
    }
}
