/// Encodes rows and index entries in SQLite's record format.
///
/// This is the only place that knows the format: a header with the type of each value, and then the values. Values must
/// be as the affinities of their columns leave them.
package final class RecordEncoder {
    // One thread writes, and no access to a field overlaps another: the check for each row would cost time.

    @exclusivity(unchecked) private var memory = UnsafeMutableRawPointer.allocate(byteCount: 1 << 12, alignment: 8)
    @exclusivity(unchecked) private var capacity = 1 << 12
    @exclusivity(unchecked) private var types: [UInt64] = []

    package init() {}

    deinit { memory.deallocate() }

    /// The record of some values, absent ones as null; it is valid until the next call.
    @inline(__always)
    package func encode(_ cells: UnsafeBufferPointer<SQLCell>) -> UnsafeRawBufferPointer {
        if types.count < cells.count { types = [UInt64](repeating: 0, count: cells.count) }
        var headerSize = 0
        var bodySize = 0
        return types.withUnsafeMutableBufferPointer { types in
            for index in 0..<cells.count {
                let cell = cells[index]
                let type = RecordEncoder.type(of: cell)
                types[index] = type
                headerSize += type < 0x80 ? 1 : UInt64.varintSize(type)
                bodySize += RecordEncoder.size(of: type)
            }
            // The size of the header includes its own bytes.
            var ownSize = 1
            while UInt64.varintSize(UInt64(headerSize + ownSize)) > ownSize { ownSize += 1 }
            headerSize += ownSize
            reserve(headerSize + bodySize)
            var header = memory + memory.storeVarint(UInt64(headerSize))
            var body = memory + headerSize
            for index in 0..<cells.count {
                let type = types[index]
                header += header.storeVarint(type)
                body += RecordEncoder.store(cells[index], type, at: body)
            }
            return UnsafeRawBufferPointer(start: memory, count: headerSize + bodySize)
        }
    }

    private func reserve(_ count: Int) {
        guard count > capacity else { return }
        memory.deallocate()
        capacity = count + count / 2
        memory = .allocate(byteCount: capacity, alignment: 8)
    }

    /// The type of a value in a record.
    @inline(__always)
    private static func type(of cell: SQLCell) -> UInt64 {
        switch cell.kind {
        case .absent, .null: return 0
        case .integer:
            let value = cell.integer
            // The numbers 0 and 1 need no bytes.
            if value == 0 { return 8 }
            if value == 1 { return 9 }
            let bits = 65 - (value < 0 ? ~value : value).leadingZeroBitCount
            if bits <= 32 { return UInt64(bits + 7) / 8 }
            return bits <= 48 ? 5 : 6
        case .real: return 7
        case .text: return 13 + 2 * UInt64(cell.bytes.count)
        case .blob: return 12 + 2 * UInt64(cell.bytes.count)
        }
    }

    /// The number of bytes of a value of a type.
    @inline(__always)
    static func size(of type: UInt64) -> Int {
        switch type {
        case 0, 8, 9: 0
        case 1...4: Int(type)
        case 5: 6
        case 6, 7: 8
        // Types that SQLite keeps for itself, in no record of a database.
        case 10, 11: 0
        default: Int((type - 12) / 2)
        }
    }

    @inline(__always)
    private static func store(_ cell: SQLCell, _ type: UInt64, at place: UnsafeMutableRawPointer) -> Int {
        let size = size(of: type)
        if type >= 12 {
            if size > 0, let start = cell.bytes.baseAddress { place.copyMemory(from: start, byteCount: size) }
        } else if type == 7 {
            place.storeBytes(of: cell.real.bitPattern.bigEndian, as: UInt64.self)
        } else {
            place.storeBigEndian(UInt64(bitPattern: cell.integer), bytes: size)
        }
        return size
    }
}
