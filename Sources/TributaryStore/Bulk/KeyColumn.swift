import Foundation
package import TributarySQLite

/// The values of one attribute for many records, in contiguous memory, compared as the store compares them.
///
/// Integers and reals are compared by value, text by its UTF-8 bytes, data byte by byte. Decimals, UUIDs and other
/// values that the store keeps as text are text here.
package struct KeyColumn {
    /// The representation of the values.
    enum Form { case integer, real, bytes }

    package let attribute: AttributeProperty
    let form: Form
    private(set) var integers: [Int64] = []
    private(set) var reals: [Double] = []
    private(set) var bytes: [UInt8] = []
    /// The end of each value in `bytes`.
    private(set) var ends: [Int] = []

    /// No values of `attribute` yet.
    package init(_ attribute: AttributeProperty, capacity: Int = 0) {
        self.attribute = attribute
        switch attribute.type.storage {
        case .integer: form = .integer
        case .real: form = .real
        case .text, .blob, .any: form = .bytes
        }
        switch form {
        case .integer: integers.reserveCapacity(capacity)
        case .real: reals.reserveCapacity(capacity)
        case .bytes: ends.reserveCapacity(capacity)
        }
    }

    /// Adds a value; returns false and adds a placeholder if the attribute cannot have the value.
    @inline(__always)
    package mutating func append(_ value: SQLValue) -> Bool {
        switch (form, value) {
        case (.integer, .integer(let number)):
            integers.append(number)
            return true
        case (.real, .real(let number)):
            reals.append(number)
            return true
        case (.bytes, .text(let text)):
            bytes.append(contentsOf: text.utf8)
            ends.append(bytes.count)
            return true
        case (.bytes, .blob(let blob)):
            bytes.append(contentsOf: blob)
            ends.append(bytes.count)
            return true
        default:
            switch form {
            case .integer: integers.append(0)
            case .real: reals.append(0)
            case .bytes: ends.append(bytes.count)
            }
            return false
        }
    }

    /// The bytes of a value.
    func range(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

    /// The text of a value.
    func text(_ index: Int) -> String { String(decoding: bytes[range(index)], as: UTF8.self) }

    /// The value as a part of a key.
    func part(_ index: Int) -> KeyPart {
        switch form {
        case .integer: .integer(integers[index])
        case .real: .real(reals[index])
        case .bytes:
            attribute.type.storage == .blob ? .blob(Array(bytes[range(index)])) : .text(Array(bytes[range(index)]))
        }
    }

    /// The value as a `FilterValue`.
    package func filterValue(_ index: Int) -> FilterValue {
        Row.temporary(attribute.slot + 1) { row in
            write(index, to: row)
            return attribute.filterValue(in: row)
        }
    }

    /// Calls `body` with a function that returns the cell of a value; the cells are valid until `body` returns.
    func withCells<Result>(_ body: ((Int) -> SQLCell) throws -> Result) rethrows -> Result {
        switch form {
        case .integer: try body { SQLCell(integers[$0]) }
        case .real: try body { SQLCell(reals[$0]) }
        case .bytes:
            try bytes.withUnsafeBytes { all in
                let isBlob = attribute.type.storage == .blob
                return try body { index in
                    let part = UnsafeRawBufferPointer(rebasing: all[range(index)])
                    return isBlob ? SQLCell(blob: part) : SQLCell(text: part)
                }
            }
        }
    }

    /// The value in a row, as the store keeps it.
    package static func value(of attribute: AttributeProperty, in row: Row) -> SQLValue {
        let slot = attribute.slot
        switch row.kind(slot) {
        case .null: return .null
        case .integer: return .integer(row.integer(slot))
        case .double: return .real(row.double(slot))
        case .data: return .blob(Array(row.data(slot)))
        default: return .text(attribute.keyText(in: row))
        }
    }

    // MARK: Order

    /// A negative number, 0 or a positive number if one value is less than, equal to or greater than the other.
    func order(_ one: Int, _ other: Int) -> Int {
        switch form {
        case .integer: KeyColumn.order(integers[one], integers[other])
        case .real: KeyColumn.order(reals[one], reals[other])
        case .bytes:
            bytes.withUnsafeBytes { all in
                KeyColumn.order(all[range(one)], all[range(other)])
            }
        }
    }

    /// The order of a value relative to the value in a row; nil if that is null.
    @inline(__always)
    func order(_ index: Int, _ row: Row) -> Int? {
        let slot = attribute.slot
        switch form {
        case .integer:
            return row.kind(slot) == .integer ? KeyColumn.order(integers[index], row.integer(slot)) : nil
        case .real: return row.kind(slot) == .double ? KeyColumn.order(reals[index], row.double(slot)) : nil
        case .bytes:
            switch row.kind(slot) {
            case .null: return nil
            case .data:
                return row.data(slot).withUnsafeBytes { other in
                    bytes.withUnsafeBytes { KeyColumn.order($0[range(index)], other[...]) }
                }
            default:
                var text = attribute.keyText(in: row)
                return text.withUTF8 { other in
                    bytes.withUnsafeBytes { KeyColumn.order($0[range(index)], UnsafeRawBufferPointer(other)[...]) }
                }
            }
        }
    }

    @inline(__always)
    static func order<Value: Comparable>(_ one: Value, _ other: Value) -> Int {
        one < other ? -1 : one == other ? 0 : 1
    }

    @inline(__always)
    private static func order(_ one: Slice<UnsafeRawBufferPointer>, _ other: Slice<UnsafeRawBufferPointer>) -> Int {
        let one = UnsafeRawBufferPointer(rebasing: one)
        let other = UnsafeRawBufferPointer(rebasing: other)
        let common = min(one.count, other.count)
        if common > 0, let left = one.baseAddress, let right = other.baseAddress {
            let order = memcmp(left, right, common)
            if order != 0 { return Int(order) }
        }
        return one.count - other.count
    }

    // MARK: Rows

    /// Writes a value to a row.
    @inline(__always)
    func write(_ index: Int, to row: Row) {
        let slot = attribute.slot
        switch form {
        case .integer: row.set(integers[index], slot)
        case .real: row.set(reals[index], slot)
        case .bytes:
            switch attribute.type.kind {
            case .binary: row.set(Data(bytes[range(index)]), slot)
            case .decimal: row.set(Box(Decimal(string: text(index)) ?? 0), slot)
            case .uuid: if let value = UUID(uuidString: text(index)) { row.set(value, slot) }
            case .uri: if let value = URL(string: text(index)) { row.set(Box(value), slot) }
            default: row.set(text(index), slot)
            }
        }
    }
}

extension AttributeProperty {
    /// The value in a row as the text that the store keeps; the attribute must be stored as text.
    fileprivate func keyText(in row: Row) -> String {
        switch row.kind(slot) {
        case .text: return row.text(slot)
        case .uuid: return row.uuid(slot).uuidString
        default:
            switch filterValue(in: row) {
            case .decimal(let number): return "\(number)"
            case .url(let url): return url.absoluteString
            default: return ""
            }
        }
    }
}
