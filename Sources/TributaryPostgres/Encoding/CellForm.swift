import Foundation
import TributarySQLite

/// How the most frequent values of a column are checked and written; a plain value, as it is asked for each cell.
///
/// `ColumnEncoder` defines which values a column holds, and writes all others.
enum CellForm: UInt8, Sendable {
    case integer, boolean, real, text, json, timestamp, other

    init(_ form: PostgresType.Form) {
        switch form {
        case .int64: self = .integer
        case .boolean: self = .boolean
        case .float64: self = .real
        case .text(nil): self = .text
        case .jsonb: self = .json
        case .timestamp: self = .timestamp
        default: self = .other
        }
    }

    /// Writes a value that the column holds for certain; false for others, and for an absent one.
    @inline(__always)
    func add(_ cell: SQLCell, to buffer: CopyBuffer) -> Bool {
        switch (cell.kind, self) {
        case (.null, _): buffer.addNull()
        case (.integer, .integer): buffer.add(cell.integer)
        case (.integer, .boolean): buffer.add(cell.integer == 0 ? 0 : 1 as UInt8)
        case (.real, .real): buffer.add(cell.real.bitPattern)
        case (.text, .text):
            guard !cell.bytes.hasZero else { return false }
            buffer.add(cell.bytes)
        case (.text, .json):
            guard JSONCheck.problem(cell.bytes) == nil else { return false }
            buffer.add(cell.bytes, prefix: 1)
        case (.real, .timestamp):
            guard let microseconds = ColumnEncoder.exactMicroseconds(cell.real) else { return false }
            buffer.add(microseconds)
        default: return false
        }
        return true
    }
}

extension UnsafeRawBufferPointer {
    /// Whether any byte is 0.
    @inline(__always)
    var hasZero: Bool { baseAddress.map { memchr($0, 0, count) != nil } ?? false }
}
