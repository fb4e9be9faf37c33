import TributaryImport
import TributarySQLite
import TributaryStore

/// A value of a row as a page shows it: a part of its text, and what it is.
struct ShownValue {
    /// What a value is, which decides its look.
    enum Kind: String { case null, number, text, date, word, json, bytes }

    /// The text, or a part of it; the first bytes in hexadecimal for bytes.
    let text: String
    /// What it is.
    let kind: Kind
    /// The bytes of the whole value.
    let size: Int
    /// Whether the text is a part.
    let isCut: Bool

    /// The value in a column of the current row, of which at most so many bytes are read as text.
    init(_ column: Int, of cursor: ValueCursor, most: Int) {
        let cell = cursor.cell(at: column)
        let meaning = cursor.columns[column].meaning
        switch cell.kind {
        case .absent, .null: (text, kind, size, isCut) = ("", .null, 0, false)
        case .blob:
            size = cell.bytes.count
            (text, kind, isCut) = (ValueText.hexadecimal(cell.bytes.prefix(64)), .bytes, size > 64)
        case .text:
            let bytes = cell.bytes
            size = bytes.count
            let part = UnsafeRawBufferPointer(rebasing: bytes[..<ShownValue.end(of: bytes, most: most)])
            isCut = part.count < size
            text = String(decoding: part, as: UTF8.self)
            switch meaning {
            case .attribute(.decimal): kind = .number
            case .attribute(.json), .rest: kind = .json
            case .inferred: kind = bytes.first == UInt8(ascii: "{") || bytes.first == UInt8(ascii: "[") ? .json : .text
            default: kind = .text
            }
        case .integer, .real:
            var bytes: [UInt8] = []
            let isNull = ResultText.appendText(column, of: cursor, to: &bytes)
            (text, size, isCut) = (String(decoding: bytes, as: UTF8.self), bytes.count, false)
            switch meaning {
            case _ where isNull: kind = .null
            case .attribute(.date): kind = .date
            case .attribute(.boolean): kind = .word
            default: kind = .number
            }
        }
    }

    /// The end of a part of text that divides no character.
    private static func end(of bytes: UnsafeRawBufferPointer, most: Int) -> Int {
        guard bytes.count > most else { return bytes.count }
        var end = most
        while end > most - 4, end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return end
    }

    /// What a cell of a table shows.
    var cell: PageValues {
        let shown =
            switch kind {
            case .bytes: SizeText.bytes(size)
            // White space would make a row as high as its text.
            case .text, .json: text.split(whereSeparator: \.isWhitespace).joined(separator: " ") + (isCut ? "…" : "")
            default: text
            }
        return [
            "text": .text(shown), "address": "", "kind": .text(kind.rawValue), "isNull": .flag(kind == .null),
            "isEmpty": .flag(kind == .text && size == 0),
        ]
    }

    /// The text of a link to the row with the value.
    var label: String {
        let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let short = String(line.prefix(80))
        return short.count < line.count || isCut ? short + "…" : short
    }
}
