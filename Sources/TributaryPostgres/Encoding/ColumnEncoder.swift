import Foundation
import TributaryJSON
import TributarySQLite

/// Writes the cells of one column in the binary format of COPY, and finds those that PostgreSQL cannot hold.
struct ColumnEncoder: Sendable {
    /// The name of the column.
    let name: String
    let type: PostgresType
    /// The seconds from 1970 to 2000, where PostgreSQL begins to count.
    private static let epoch: Int64 = 946_684_800
    /// The points in time that PostgreSQL holds, from 4713 BC to 294276 AD, in microseconds.
    private static let timestamps = Int64(-211_813_488_000_000_000)...9_223_371_331_199_000_000

    // MARK: Checking

    private var zero: JSONError {
        JSONError(
            .storeValue, "\(name) has the character U+0000, which PostgreSQL cannot hold in text",
            hint: "remove it from the source")
    }

    /// Why the column cannot hold a value; nil if it can.
    func refusal(of cell: SQLCell) -> JSONError? {
        func refused(_ what: String) -> JSONError {
            JSONError(.storeValue, "\(name) is \(type.name), which cannot hold \(what)")
        }
        switch (cell.kind, type.form) {
        case (.absent, _), (.null, _), (.integer, .int64), (.integer, .boolean), (.real, .float64), (.blob, .bytes):
            return nil
        case (.integer, .int32):
            return Int32(exactly: cell.integer) == nil ? refused("\(cell.integer)") : nil
        case (.integer, .int16):
            return Int16(exactly: cell.integer) == nil ? refused("\(cell.integer)") : nil
        case (.integer, .float64):
            return Int64(exactly: Double(cell.integer)) == cell.integer ? nil : refused("\(cell.integer) exactly")
        case (.integer, .float32):
            return Int64(exactly: Float(cell.integer)) == cell.integer ? nil : refused("\(cell.integer) exactly")
        case (.real, .float32):
            return Double(Float(cell.real)) == cell.real ? nil : refused("\(cell.real) exactly")
        case (.integer, .numeric), (.real, .numeric), (.text, .numeric): return numericRefusal(of: cell, refused)
        case (.text, .text(let limit)):
            if cell.bytes.hasZero { return zero }
            guard let limit, cell.bytes.count > limit else { return nil }
            let count = String(decoding: cell.bytes, as: UTF8.self).unicodeScalars.count
            return count > limit ? refused("a text of \(count) characters") : nil
        case (.text, .json), (.text, .jsonb):
            return JSONCheck.problem(cell.bytes).map(refused)
        case (.text, .array):
            if let problem = JSONCheck.problem(cell.bytes) { return refused(problem) }
            return ArrayText.text(of: cell.bytes) == nil
                ? JSONError(.storeValue, "\(name) is \(type.name), which takes an array of plain values, or its text")
                : nil
        case (.text, .uuid): return uuid(cell) == nil ? refused("this text") : nil
        case (.text, .converted): return cell.bytes.hasZero ? zero : nil
        case (.real, .timestamp), (.integer, .timestamp):
            return microseconds(cell) == nil ? refused("this point in time") : nil
        case (.real, .date), (.integer, .date):
            guard let time = microseconds(cell) else { return refused("this day") }
            return time % 86_400_000_000 == 0 ? nil : refused("a time of the day")
        default: return refused("a value of this kind")
        }
    }

    private func numericRefusal(of cell: SQLCell, _ refused: (String) -> JSONError) -> JSONError? {
        guard case .numeric(let precision, let scale) = type.form else { return nil }
        let text = ColumnEncoder.digits(of: cell)
        guard let number = PostgresNumeric(text) else { return refused("\(text.prefix(40))") }
        guard let precision else { return nil }
        return number.wholeDigits > precision - scale || number.fractionDigits > max(0, scale)
            ? refused(text) : nil
    }

    // MARK: Writing

    /// Adds a value that `refusal(of:)` returns nil for, and that `CellForm` does not write.
    func add(_ cell: SQLCell, to buffer: CopyBuffer) {
        var number: Double { cell.kind == .integer ? Double(cell.integer) : cell.real }
        switch type.form {
        case .text, .converted, .json, .bytes: buffer.add(cell.bytes)
        case .jsonb: buffer.add(cell.bytes, prefix: 1)
        case .int16: buffer.add(Int16(truncatingIfNeeded: cell.integer))
        case .int32: buffer.add(Int32(truncatingIfNeeded: cell.integer))
        case .float32: buffer.add(Float(number).bitPattern)
        case .float64: buffer.add(number.bitPattern)
        case .numeric:
            guard let numeric = PostgresNumeric(ColumnEncoder.digits(of: cell)) else { return buffer.addNull() }
            buffer.add(words: numeric.words)
        case .array:
            guard let text = ArrayText.text(of: cell.bytes) else { return buffer.addNull() }
            text.withUnsafeBytes { buffer.add($0) }
        case .uuid:
            guard let uuid = uuid(cell) else { return buffer.addNull() }
            withUnsafeBytes(of: uuid.uuid) { buffer.add($0) }
        case .timestamp: buffer.add(microseconds(cell) ?? 0)
        case .date: buffer.add(Int32(truncatingIfNeeded: (microseconds(cell) ?? 0) / 86_400_000_000))
        default: preconditionFailure("internal error: a value of another kind than \(name) has")
        }
    }

    /// The microseconds since 2000; nil if PostgreSQL does not hold them.
    private func microseconds(_ cell: SQLCell) -> Int64? {
        let seconds = cell.kind == .integer ? Double(cell.integer) : cell.real
        // Those whose microseconds since 1970 have more than 64 bits are refused too.
        guard seconds > -300_000_000_000, seconds < 9_223_372_036_854 else { return nil }
        if let time = ColumnEncoder.exactMicroseconds(seconds) { return time }
        let time = ColumnEncoder.microseconds(seconds) - ColumnEncoder.epoch * 1_000_000
        return ColumnEncoder.timestamps.contains(time) ? time : nil
    }

    /// The microseconds since 2000 of seconds since 1970 that a double holds to the microsecond; nil for others, from the
    /// years before 1834 and after 2105.
    @inline(__always)
    static func exactMicroseconds(_ seconds: Double) -> Int64? {
        guard seconds.magnitude < 4_294_967_296 else { return nil }
        return Int64((seconds * 1_000_000).rounded()) - epoch * 1_000_000
    }

    /// Microseconds of seconds that a double does not hold to the microsecond: those of its shortest text, as in the source.
    private static func microseconds(_ seconds: Double) -> Int64 {
        let product = (seconds * 1_000_000).rounded()
        let parts = "\(seconds)".split(separator: ".")
        guard parts.count == 2, parts[1].utf8.count <= 6, let whole = Int64(parts[0]), let part = Int64(parts[1]) else {
            return Int64(product)
        }
        let scale = (parts[1].utf8.count..<6).reduce(1) { value, _ in value * 10 } as Int64
        return whole * 1_000_000 + (seconds < 0 ? -part : part) * scale
    }

    /// The seconds of microseconds since 2000, as the text of the point in time is read.
    private static func seconds(_ microseconds: Int64) -> Double {
        let all = microseconds + epoch * 1_000_000
        guard all.magnitude >= 1 << 53 else { return Double(all) / 1_000_000 }
        let digits = String(all.magnitude % 1_000_000 + 1_000_000).dropFirst()
        return Double("\(all < 0 ? "-" : "")\(all.magnitude / 1_000_000).\(digits)") ?? Double(all) / 1_000_000
    }

    private func uuid(_ cell: SQLCell) -> UUID? { UUID(uuidString: String(decoding: cell.bytes, as: UTF8.self)) }

    private static func digits(of cell: SQLCell) -> String {
        switch cell.kind {
        case .integer: "\(cell.integer)"
        case .real: "\(cell.real)"
        default: String(decoding: cell.bytes, as: UTF8.self)
        }
    }

    // MARK: Reading

    /// The stored value of a field of a key in the binary format, as the cell of a record with the value has it.
    func value(of bytes: UnsafeRawBufferPointer) -> SQLValue {
        func number<Value: FixedWidthInteger & BitwiseCopyable>(_ type: Value.Type) -> Value {
            Value(bigEndian: bytes.loadUnaligned(as: Value.self))
        }
        guard !bytes.isEmpty || type.form == .text(limit: nil) else { return .null }
        switch type.form {
        case .boolean: return .integer(bytes[0] == 0 ? 0 : 1)
        case .int16: return .integer(Int64(number(Int16.self)))
        case .int32: return .integer(Int64(number(Int32.self)))
        case .int64: return .integer(number(Int64.self))
        case .uuid: return .text(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)).uuidString)
        case .bytes: return .blob(Array(bytes))
        case .timestamp: return .real(ColumnEncoder.seconds(number(Int64.self)))
        case .date: return .real(Double(Int64(number(Int32.self)) * 86_400 + ColumnEncoder.epoch))
        default: return .text(String(decoding: bytes, as: UTF8.self))
        }
    }
}
