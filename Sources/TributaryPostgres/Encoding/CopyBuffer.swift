import Foundation

/// Rows in the binary format of COPY, in memory that is used again.
final class CopyBuffer {
    // One thread fills a buffer, and no access to a field overlaps another: the check for each value would cost time.

    @exclusivity(unchecked) private var memory: UnsafeMutableRawPointer
    @exclusivity(unchecked) private var capacity: Int
    /// The number of bytes.
    @exclusivity(unchecked) private(set) var count = 0

    /// The bytes before the first row.
    static let header = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    /// The bytes after the last row.
    static let trailer: [UInt8] = [0xFF, 0xFF]

    /// An empty buffer.
    init(capacity: Int = 128 << 10) {
        self.capacity = capacity
        memory = .allocate(byteCount: capacity, alignment: 8)
    }

    deinit { memory.deallocate() }

    /// All bytes, valid until the buffer changes.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: count) }

    /// Removes all bytes.
    func removeAll() { count = 0 }

    @inline(__always)
    private func reserve(_ more: Int) -> UnsafeMutableRawPointer {
        if count + more > capacity { grow(by: more) }
        defer { count += more }
        return memory + count
    }

    private func grow(by more: Int) {
        capacity = max(count + more, capacity * 2)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
        larger.copyMemory(from: memory, byteCount: count)
        memory.deallocate()
        memory = larger
    }

    /// Begins a row of `fields` values.
    @inline(__always)
    func beginRow(fields: Int) {
        reserve(2).storeBytes(of: Int16(truncatingIfNeeded: fields).bigEndian, as: Int16.self)
    }

    /// Adds bytes as they are.
    @inline(__always)
    func append(_ bytes: UnsafeRawBufferPointer) {
        if let base = bytes.baseAddress { reserve(bytes.count).copyMemory(from: base, byteCount: bytes.count) }
    }

    /// Adds bytes as they are.
    func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes(append) }

    /// Adds a bit for each of `count` columns, the first one in the lowest bit of the first byte.
    func append(bits count: Int, _ isSet: (Int) -> Bool) {
        for start in stride(from: 0, to: count, by: 8) {
            var byte: UInt8 = 0
            for index in start..<min(start + 8, count) where isSet(index) { byte |= 1 << UInt8(index - start) }
            reserve(1).storeBytes(of: byte, as: UInt8.self)
        }
    }

    /// Adds null.
    @inline(__always)
    func addNull() { reserve(4).storeBytes(of: Int32(-1).bigEndian, as: Int32.self) }

    /// Adds a fixed-width integer, as it is.
    @inline(__always)
    func add<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value) {
        let size = MemoryLayout<Value>.size
        let place = reserve(4 + size)
        place.storeBytes(of: Int32(truncatingIfNeeded: size).bigEndian, as: Int32.self)
        place.storeBytes(of: value.bigEndian, toByteOffset: 4, as: Value.self)
    }

    /// Adds bytes, after `prefix` if there is one.
    @inline(__always)
    func add(_ bytes: UnsafeRawBufferPointer, prefix: UInt8? = nil) {
        let extra = prefix == nil ? 0 : 1
        let place = reserve(4 + extra + bytes.count)
        place.storeBytes(of: Int32(truncatingIfNeeded: extra + bytes.count).bigEndian, as: Int32.self)
        if let prefix { place.storeBytes(of: prefix, toByteOffset: 4, as: UInt8.self) }
        if let base = bytes.baseAddress { (place + 4 + extra).copyMemory(from: base, byteCount: bytes.count) }
    }

    /// Adds bytes after a number.
    func add(_ number: UInt64, _ bytes: UnsafeRawBufferPointer) {
        let place = reserve(12)
        place.storeBytes(of: Int32(truncatingIfNeeded: 8 + bytes.count).bigEndian, as: Int32.self)
        place.storeBytes(of: number.bigEndian, toByteOffset: 4, as: UInt64.self)
        append(bytes)
    }

    /// Adds an array of Booleans.
    func add(mask: [Bool]) {
        let size = 20 + 5 * mask.count
        let place = reserve(4 + size)
        // The number of dimensions, no nulls, the type boolean, then the length and the first index.
        for (index, word) in [size, 1, 0, 16, mask.count, 1].enumerated() {
            place.storeBytes(
                of: Int32(truncatingIfNeeded: word).bigEndian, toByteOffset: 4 * index, as: Int32.self)
        }
        for (index, value) in mask.enumerated() {
            place.storeBytes(of: Int32(1).bigEndian, toByteOffset: 24 + 5 * index, as: Int32.self)
            place.storeBytes(of: value ? 1 : 0, toByteOffset: 28 + 5 * index, as: UInt8.self)
        }
    }

    /// Adds the 16-bit words of a value, such as a numeric one.
    func add(words: [Int16]) {
        let place = reserve(4 + 2 * words.count)
        place.storeBytes(of: Int32(truncatingIfNeeded: 2 * words.count).bigEndian, as: Int32.self)
        for (index, word) in words.enumerated() {
            place.storeBytes(of: word.bigEndian, toByteOffset: 4 + 2 * index, as: Int16.self)
        }
    }
}
