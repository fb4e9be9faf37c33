public import Foundation

/// The values of one object, in one block of memory.
///
///     | …, kind of slot 1, kind of slot 0 | offset in slab  | number of slots | slot 0 | slot 1 | …
///       a byte each, backwards              2 bytes           2 bytes           16 bytes each; `base` points at slot 0
///
/// Overwriting a slot releases its old value. A row does not know the types of its attributes.
///
/// The memory is allocated by `allocate`, or by a `RowAllocator` in one of its slabs, and must be released by
/// `deallocate`, which the object that owns the row calls.
@frozen
public struct Row {
    /// The kind of the value in a slot.
    @frozen
    public enum Kind: UInt8, Sendable {
        /// No value.
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

    /// The number of slots.
    @inlinable package var count: Int { Int((base - 2).load(as: UInt16.self)) }

    /// The number of bytes before the slots.
    @inlinable
    static func headLength(_ count: Int) -> Int { (count + 4 + width - 1) / width * width }

    /// Allocates a row of `count` slots, all of them null.
    @inlinable
    package static func allocate(_ count: Int) -> Row {
        let length = headLength(count) + count * width
        return initialize(.allocate(byteCount: length, alignment: width), count, offset: 0)
    }

    /// Makes a row in memory for `count` slots, `offset` units after the start of its slab; 0 for memory of its own.
    @inlinable
    static func initialize(_ start: UnsafeMutableRawPointer, _ count: Int, offset: UInt16) -> Row {
        let head = headLength(count)
        start.initializeMemory(as: UInt8.self, repeating: Kind.null.rawValue, count: head)
        let base = start + head
        (base - 2).storeBytes(of: UInt16(count), as: UInt16.self)
        (base - 4).storeBytes(of: offset, as: UInt16.self)
        return Row(base: base)
    }

    /// Releases all values and the memory.
    @usableFromInline
    package func deallocate() {
        for slot in 0..<count { clear(slot) }
        let offset = (base - 4).load(as: UInt16.self)
        if offset > 0 {
            RowAllocator.deallocate(self, offset: offset)
        } else {
            (base - Row.headLength(count)).deallocate()
        }
    }

    /// A copy of the row in memory of its own.
    package func copy() -> Row {
        let other = Row.allocate(count)
        for slot in 0..<count { other.assign(self, slot) }
        return other
    }

    /// Copies the value that `other` has in `slot`.
    package func assign(_ other: Row, _ slot: Int) {
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
    package func kind(_ slot: Int) -> Kind {
        // The bytes of the kinds are written by this type alone.
        unsafeBitCast((base - 5 - slot).load(as: UInt8.self), to: Kind.self)
    }

    @inlinable
    @inline(__always)
    func address(_ slot: Int) -> UnsafeMutableRawPointer { base + slot * Row.width }

    @inlinable
    @inline(__always)
    package func integer(_ slot: Int) -> Int64 { address(slot).load(as: Int64.self) }

    @inlinable
    @inline(__always)
    package func double(_ slot: Int) -> Double { address(slot).load(as: Double.self) }

    @inlinable
    @inline(__always)
    package func text(_ slot: Int) -> String { address(slot).assumingMemoryBound(to: String.self).pointee }

    /// Calls `body` with the bytes of a text.
    @inlinable
    @inline(__always)
    package func withText<Result>(_ slot: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result
    {
        // In place: a copy would count references.
        try address(slot).assumingMemoryBound(to: String.self).pointee.withUTF8(body)
    }

    @inlinable
    @inline(__always)
    package func data(_ slot: Int) -> Data { address(slot).assumingMemoryBound(to: Data.self).pointee }

    @inlinable
    @inline(__always)
    package func uuid(_ slot: Int) -> UUID { address(slot).load(as: UUID.self) }

    @inlinable
    @inline(__always)
    package func boxed(_ slot: Int) -> AnyObject { address(slot).assumingMemoryBound(to: AnyObject.self).pointee }

    // MARK: Writing

    @inlinable
    @inline(__always)
    func mark(_ slot: Int, _ kind: Kind) {
        (base - 5 - slot).storeBytes(of: kind.rawValue, as: UInt8.self)
    }

    /// Releases the value of a slot, and makes the slot null.
    @inlinable
    package func clear(_ slot: Int) {
        switch kind(slot) {
        case .null: return
        case .integer, .double, .uuid: break
        case .text: address(slot).assumingMemoryBound(to: String.self).deinitialize(count: 1)
        case .data: address(slot).assumingMemoryBound(to: Data.self).deinitialize(count: 1)
        case .boxed: address(slot).assumingMemoryBound(to: AnyObject.self).deinitialize(count: 1)
        }
        mark(slot, .null)
    }

    @inlinable
    @inline(__always)
    package func set(_ value: Int64, _ slot: Int) {
        if kind(slot).rawValue > Kind.double.rawValue { clear(slot) }
        address(slot).storeBytes(of: value, as: Int64.self)
        mark(slot, .integer)
    }

    @inlinable
    @inline(__always)
    package func set(_ value: Double, _ slot: Int) {
        if kind(slot).rawValue > Kind.double.rawValue { clear(slot) }
        address(slot).storeBytes(of: value, as: Double.self)
        mark(slot, .double)
    }

    @inlinable
    @inline(__always)
    package func set(_ value: String, _ slot: Int) {
        if kind(slot) == .text {
            address(slot).assumingMemoryBound(to: String.self).pointee = value
            return
        }
        if kind(slot) != .null { clear(slot) }
        address(slot).initializeMemory(as: String.self, to: value)
        mark(slot, .text)
    }

    @inlinable
    package func set(_ value: Data, _ slot: Int) {
        clear(slot)
        address(slot).initializeMemory(as: Data.self, to: value)
        mark(slot, .data)
    }

    @inlinable
    package func set(_ value: UUID, _ slot: Int) {
        clear(slot)
        address(slot).storeBytes(of: value, as: UUID.self)
        mark(slot, .uuid)
    }

    @inlinable
    package func set(_ value: AnyObject, _ slot: Int) {
        clear(slot)
        address(slot).initializeMemory(as: AnyObject.self, to: value)
        mark(slot, .boxed)
    }
}
