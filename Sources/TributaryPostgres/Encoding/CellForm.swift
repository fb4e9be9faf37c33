import Foundation
import TributarySQLite

/// How the most frequent values of a column are checked and written; a plain value, as it is asked for each cell.
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

    /// Whether a column of the form holds a value, as far as that is known at once; false for an absent one.
    @inline(__always)
    func surelyHolds(_ cell: SQLCell) -> Bool {
        switch (cell.kind, self) {
        case (.null, _), (.integer, .integer), (.integer, .boolean), (.real, .real): return true
        case (.text, .text): return !cell.bytes.hasZero
        case (.text, .json): return JSONCheck.problem(cell.bytes) == nil
        // The years from 1 to 9999.
        case (.real, .timestamp): return cell.real > -62_135_596_800 && cell.real < 253_402_300_800
        default: return false
        }
    }

    /// Writes a value; false if it is one of the others, or absent.
    @inline(__always)
    func add(_ cell: SQLCell, to buffer: CopyBuffer) -> Bool {
        switch (cell.kind, self) {
        case (.null, _): buffer.addNull()
        case (.integer, .integer): buffer.add(cell.integer)
        case (.integer, .boolean): buffer.add(cell.integer == 0 ? 0 : 1 as UInt8)
        case (.real, .real): buffer.add(cell.real.bitPattern)
        case (.text, .text): buffer.add(cell.bytes)
        case (.text, .json): buffer.add(cell.bytes, prefix: 1)
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
