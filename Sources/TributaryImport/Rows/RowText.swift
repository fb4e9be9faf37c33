import Foundation
import TributaryJSON
package import TributarySQLite
package import TributaryStore

/// Writes the rows of a table as JSON objects, a value as the record had it from which it was imported.
///
///     {"id":1,"born":"2001-05-01T00:00:00Z","isActive":true,"price":0.10,"tags":["a","b"],"photo":"iVBORw0KGgo="}
package struct RowText {
    /// A column, with the place of its member in the names.
    private struct Column {
        let name: Range<Int>
        let form: Form
    }

    /// How the values of a column are written.
    enum Form {
        case plain, inferred, rest, boolean, date, float, json, decimal

        init(_ meaning: ReadableTable.Meaning) {
            switch meaning {
            case .plain: self = .plain
            case .inferred: self = .inferred
            case .rest: self = .rest
            case .attribute(let type):
                switch type.kind {
                case .boolean: self = .boolean
                case .date: self = .date
                case .float: self = .float
                case .json: self = .json
                case .decimal: self = .decimal
                default: self = .plain
                }
            }
        }
    }

    private let columns: [Column]
    /// The members, each in quotes and with a colon, in one array: the loop over columns counts no references.
    private let names: [UInt8]

    /// Writes rows of a table.
    package init(_ table: ReadableTable) { self.init(table.columns.map { ($0.name, $0.meaning) }) }

    /// Writes rows with these columns.
    package init(_ all: [(name: String, meaning: ReadableTable.Meaning)]) {
        var (columns, names): ([Column], [UInt8]) = ([], [])
        for column in all {
            let start = names.count
            names += JSONLineWriter.quoted(column.name) + [UInt8(ascii: ":")]
            columns.append(Column(name: start..<names.count, form: Form(column.meaning)))
        }
        (self.columns, self.names) = (columns, names)
    }

    /// Appends a row, whose values `cell` returns by their columns.
    package func append(_ cell: (Int) -> SQLCell, to text: inout [UInt8]) {
        var buffer = TextBuffer()
        withUnsafeTemporaryAllocation(of: SQLCell.self, capacity: columns.count) { cells in
            for column in cells.indices { cells.initializeElement(at: column, to: cell(column)) }
            append(UnsafeBufferPointer(cells), to: &buffer)
        }
        text += buffer.bytes
    }

    /// Appends a row.
    package func append(_ cells: UnsafeBufferPointer<SQLCell>, to text: inout TextBuffer) {
        append(cells, to: &text) { _ in }
    }

    /// Appends a row with further members, which `body` appends.
    package func append(
        _ cells: UnsafeBufferPointer<SQLCell>, to text: inout TextBuffer, _ body: (inout TextBuffer) throws -> Void
    ) rethrows {
        text.append(UInt8(ascii: "{"))
        columns.withUnsafeBufferPointer { columns in
            names.withUnsafeBytes { names in
                for index in columns.indices {
                    let column = columns[index]
                    if column.form == .rest, RowText.append(members: cells[index], to: &text) { continue }
                    RowText.separate(&text)
                    text.append(UnsafeRawBufferPointer(rebasing: names[column.name]))
                    RowText.append(cells[index], column.form, to: &text)
                }
            }
        }
        try body(&text)
        text.append(UInt8(ascii: "}"))
    }

    /// Appends a comma, unless an object has just begun.
    @inline(__always)
    static func separate(_ text: inout TextBuffer) {
        if text.last != UInt8(ascii: "{") { text.append(UInt8(ascii: ",")) }
    }

    /// Appends the members of an object in a column for all that have none of their own; false if it is something else.
    private static func append(members value: SQLCell, to text: inout TextBuffer) -> Bool {
        if value.kind == .null { return true }
        guard value.kind == .text, let json = json(value.bytes), json.hasPrefix("{") else { return false }
        guard json.utf8.count > 2 else { return true }
        separate(&text)
        text.append(String(json.utf8.dropFirst().dropLast()) ?? "")
        return true
    }

    // MARK: Values

    /// Appends a value as JSON.
    package static func append(_ value: SQLCell, _ meaning: ReadableTable.Meaning, to text: inout [UInt8]) {
        var buffer = TextBuffer(capacity: 64)
        append(value, Form(meaning), to: &buffer)
        text += buffer.bytes
    }

    /// Appends a value as JSON.
    static func append(_ value: SQLCell, _ form: Form, to text: inout TextBuffer) {
        switch value.kind {
        case .absent, .null: text.append("null")
        case .integer where form == .boolean: text.append(value.integer != 0 ? "true" : "false")
        case .integer where form == .date: append(date: Double(value.integer), to: &text)
        case .integer: append(value.integer, to: &text)
        case .real where form == .date: append(date: value.real, to: &text)
        case .real: append(value.real, isFloat: form == .float, to: &text)
        case .text: append(text: value.bytes, form, to: &text)
        case .blob:
            text.append(UInt8(ascii: "\""))
            text.append(Data(value.bytes).base64EncodedString())
            text.append(UInt8(ascii: "\""))
        }
    }

    private static func append(_ number: Int64, to text: inout TextBuffer) {
        var rest = number.magnitude
        // The digits come from the last one on.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var start = digits.count
            repeat {
                start -= 1
                digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            if number < 0 { text.append(UInt8(ascii: "-")) }
            text.append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(digits)[start...]))
        }
    }

    /// Appends the shortest text of a number that JSON has, or else its name as text.
    private static func append(_ number: Double, isFloat: Bool, to text: inout TextBuffer) {
        guard number.isFinite else { return text.append(number < 0 ? "\"-Infinity\"" : "\"Infinity\"") }
        text.append(isFloat && Double(Float(number)) == number ? Float(number).description : number.description)
    }

    private static func append(date: Double, to text: inout TextBuffer) {
        let before = text.count
        text.append(UInt8(ascii: "\""))
        if ISO8601Text.writeWhole(date, to: text.end(withRoomFor: ISO8601Text.width)) {
            text.advance(by: ISO8601Text.width)
        } else if let moment = ISO8601Text.text(of: date) {
            text.append(moment)
        } else {
            text.removeAll(after: before)
            return append(date, isFloat: false, to: &text)
        }
        text.append(UInt8(ascii: "\""))
    }

    /// Appends text, or the JSON or the number that it is.
    private static func append(
        text bytes: UnsafeRawBufferPointer, _ form: Form, to text: inout TextBuffer
    ) {
        switch form {
        case .inferred, .rest:
            // A record had other text as a string: its JSON is kept without white space.
            let first = bytes.first
            if first == UInt8(ascii: "{") || first == UInt8(ascii: "["), let extent = extent(ofCompact: bytes),
                isKept(extent)
            {
                return text.append(bytes)
            }
        case .json:
            if extent(ofCompact: bytes) != nil { return text.append(bytes) }
            if let json = json(bytes) { return text.append(json) }
        case .decimal:
            let literal = String(decoding: bytes, as: UTF8.self)
            if NumberLiteral(literal) != nil { return text.append(literal) }
        case .plain, .boolean, .date, .float: break
        }
        text.append(string: bytes)
    }

    /// What bytes have if they are JSON without white space; else nil.
    private static func extent(ofCompact bytes: UnsafeRawBufferPointer) -> JSONExtent? {
        UTF8Check.isValid(bytes) ? TributaryModel.JSONText.extent(ofCompact: bytes) : nil
    }

    /// JSON without white space; nil if it is none.
    private static func json(_ bytes: UnsafeRawBufferPointer) -> String? {
        try? TributaryModel.JSONText(String(decoding: bytes, as: UTF8.self)).text
    }
}
