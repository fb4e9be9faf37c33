import Foundation
import TributaryJSON
import TributarySQLite
package import TributaryStore

/// Writes the values of a query as JSON, or as text alone.
///
///     JSON   null   7   true   "2001-05-01T00:00:00Z"   "a \"b\""   "iVBORw0KGgo="
///     text          7   true    2001-05-01T00:00:00Z     a "b"       iVBORw0KGgo=
package enum ResultText {
    /// Appends the value in a column of the current row as JSON.
    package static func appendJSON(_ column: Int, of cursor: ValueCursor, to text: inout [UInt8]) {
        if let meaning = cursor.columns[column].meaning {
            let cell = cursor.cell(at: column)
            if isNaN(cell, meaning) { return text += "\"NaN\"".utf8 }
            return RowText.append(cell, meaning, to: &text)
        }
        let (value, isText) = plain(cursor.value(at: column))
        text += isText ? JSONLineWriter.quoted(value) : Array(value.utf8)
    }

    /// Appends the value in a column of the current row as text, which is as it is stored; nothing for null.
    ///
    /// - Returns: Whether it is null.
    @discardableResult
    package static func appendText(_ column: Int, of cursor: ValueCursor, to text: inout [UInt8]) -> Bool {
        let cell = cursor.cell(at: column)
        if cell.kind == .null || cell.kind == .absent { return true }
        guard let meaning = cursor.columns[column].meaning else {
            let value = cursor.value(at: column)
            if !value.isNull { text += Array(plain(value).text.utf8) }
            return value.isNull
        }
        if cell.kind == .text {
            if isNaN(cell, meaning) { text += "NaN".utf8 } else { text += cell.bytes }
            return false
        }
        let start = text.count
        RowText.append(cell, meaning, to: &text)
        // Dates, Base64 and the names of numbers have no escapes.
        if text.count > start, text[start] == UInt8(ascii: "\"") {
            text.removeLast()
            text.remove(at: start)
        }
        return false
    }

    /// Whether a computed number is none, which has another text in SQL than a stored one.
    private static func isNaN(_ cell: SQLCell, _ meaning: ReadableTable.Meaning) -> Bool {
        cell.kind == .text && meaning == .attribute(.decimal) && cell.bytes.elementsEqual("nan".utf8)
    }

    /// A computed value, and whether it is text in JSON.
    private static func plain(_ value: FilterValue) -> (text: String, isText: Bool) {
        switch value {
        case .null: ("null", false)
        case .integer(let number): ("\(number)", false)
        case .double(let number):
            number.isFinite
                ? ("\(number)", false) : (number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity", true)
        case .decimal(let number): ("\(number)", number.isNaN)
        case .boolean(let flag): (flag ? "true" : "false", false)
        case .string(let text): (text, true)
        case .date(let date):
            ISO8601Text.text(of: date.timeIntervalSince1970).map { ($0, true) }
                ?? ("\(date.timeIntervalSince1970)", false)
        case .data(let data): (data.base64EncodedString(), true)
        case .uuid(let id): (id.uuidString, true)
        case .url(let url): (url.absoluteString, true)
        case .list, .object: ("\(value)", true)
        }
    }
}
