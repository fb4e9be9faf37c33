import Foundation
import TributaryJSON
package import TributarySQLite
package import TributaryStore

/// Writes the rows of a table as JSON objects, a value as the record had it from which it was imported.
///
///     {"id":1,"born":"2001-05-01T00:00:00Z","isActive":true,"price":0.10,"tags":["a","b"],"photo":"iVBORw0KGgo="}
package struct RowText {
    private let columns: [(name: [UInt8], meaning: ReadableTable.Meaning)]

    /// Writes rows of a table.
    package init(_ table: ReadableTable) {
        columns = table.columns.map { (JSONLineWriter.quoted($0.name) + [UInt8(ascii: ":")], $0.meaning) }
    }

    /// Appends a row, whose values `cell` returns by their columns.
    package func append(_ cell: (Int) -> SQLCell, to text: inout [UInt8]) { append(cell, to: &text) { _ in } }

    /// Appends a row with further members, which `body` appends.
    package func append(
        _ cell: (Int) -> SQLCell, to text: inout [UInt8], _ body: (inout [UInt8]) throws -> Void
    ) rethrows {
        text.append(UInt8(ascii: "{"))
        let start = text.count
        for index in columns.indices {
            let value = cell(index)
            let members: [UInt8]? = columns[index].meaning == .rest ? RowText.members(of: value) : nil
            if let members, members.isEmpty { continue }
            if text.count > start { text.append(UInt8(ascii: ",")) }
            if let members {
                text += members
            } else {
                text += columns[index].name
                RowText.append(value, columns[index].meaning, to: &text)
            }
        }
        try body(&text)
        text.append(UInt8(ascii: "}"))
    }

    /// The members of an object in a column for all that have none of their own; nil if it is something else.
    private static func members(of value: SQLCell) -> [UInt8]? {
        if value.kind == .null { return [] }
        guard value.kind == .text, let text = json(value.bytes), text.hasPrefix("{") else { return nil }
        return Array(text.utf8.dropFirst().dropLast())
    }

    // MARK: Values

    /// Appends a value as JSON.
    package static func append(_ value: SQLCell, _ meaning: ReadableTable.Meaning, to text: inout [UInt8]) {
        var type: AttributeType?
        if case .attribute(let found) = meaning { type = found }
        switch value.kind {
        case .absent, .null: text += "null".utf8
        case .integer where type == .boolean: text += (value.integer != 0 ? "true" : "false").utf8
        case .integer where type == .date: append(date: Double(value.integer), to: &text)
        case .integer: append(value.integer, to: &text)
        case .real where type == .date: append(date: value.real, to: &text)
        case .real: append(value.real, isFloat: type == .float, to: &text)
        case .text: append(text: value.bytes, meaning, to: &text)
        case .blob:
            text.append(UInt8(ascii: "\""))
            text += Data(value.bytes).base64EncodedData()
            text.append(UInt8(ascii: "\""))
        }
    }

    private static func append(_ number: Int64, to text: inout [UInt8]) {
        var rest = number.magnitude
        // The digits come from the last one on.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var start = digits.count
            repeat {
                start -= 1
                digits[start] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            } while rest > 0
            if number < 0 { text.append(UInt8(ascii: "-")) }
            text += digits[start...]
        }
    }

    /// Appends the shortest text of a number that JSON has, or else its name as text.
    private static func append(_ number: Double, isFloat: Bool, to text: inout [UInt8]) {
        guard number.isFinite else { return append(string: number < 0 ? "-Infinity" : "Infinity", to: &text) }
        text += (isFloat && Double(Float(number)) == number ? "\(Float(number))" : "\(number)").utf8
    }

    private static func append(date: Double, to text: inout [UInt8]) {
        guard let moment = ISO8601Text.text(of: date) else { return append(date, isFloat: false, to: &text) }
        append(string: moment, to: &text)
    }

    /// Appends text, or the JSON or the number that it is.
    private static func append(
        text bytes: UnsafeRawBufferPointer, _ meaning: ReadableTable.Meaning, to text: inout [UInt8]
    ) {
        switch meaning {
        case .inferred, .rest:
            // A record had other text as a string: its JSON is kept without white space.
            let first = bytes.first
            if first == UInt8(ascii: "{") || first == UInt8(ascii: "["), let json = json(bytes),
                json.utf8.count == bytes.count
            {
                text += json.utf8
                return
            }
        case .attribute(.json):
            if let json = json(bytes) {
                text += json.utf8
                return
            }
        case .attribute(.decimal):
            let literal = String(decoding: bytes, as: UTF8.self)
            if NumberLiteral(literal) != nil {
                text += literal.utf8
                return
            }
        case .plain, .attribute: break
        }
        append(string: bytes, to: &text)
    }

    /// JSON without white space; nil if it is none.
    private static func json(_ bytes: UnsafeRawBufferPointer) -> String? {
        try? TributaryModel.JSONText(String(decoding: bytes, as: UTF8.self)).text
    }

    // MARK: Strings

    /// Appends text in quotes; invalid UTF-8 is repaired.
    private static func append(string bytes: UnsafeRawBufferPointer, to text: inout [UInt8]) {
        let isASCII = !bytes.contains { $0 >= 0x80 }
        guard isASCII || String(validating: bytes, as: UTF8.self) != nil else {
            return append(string: String(decoding: bytes, as: UTF8.self), to: &text)
        }
        text.append(UInt8(ascii: "\""))
        var start = 0
        for index in bytes.indices {
            let byte = bytes[index]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            text += bytes[start..<index]
            text += escape(byte)
            start = index + 1
        }
        text += bytes[start...]
        text.append(UInt8(ascii: "\""))
    }

    private static func escape(_ byte: UInt8) -> [UInt8] {
        switch byte {
        case UInt8(ascii: "\""): Array("\\\"".utf8)
        case UInt8(ascii: "\\"): Array("\\\\".utf8)
        case UInt8(ascii: "\n"): Array("\\n".utf8)
        case UInt8(ascii: "\r"): Array("\\r".utf8)
        case UInt8(ascii: "\t"): Array("\\t".utf8)
        default: Array("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
        }
    }

    private static func append(string: String, to text: inout [UInt8]) { text += JSONLineWriter.quoted(string) }
}
