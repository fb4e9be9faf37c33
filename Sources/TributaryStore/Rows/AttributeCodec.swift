import Foundation
import TributarySQLite

/// Copies values of an attribute from a column into rows in memory; it is small, because it copies millions.
///
///     Boolean 0/1 · Date seconds since 1970 · Decimal, UUID, URI as text · Binary as a blob
@usableFromInline
package struct AttributeCodec: Sendable {
    let slot: Int
    /// The column of the value in a query.
    let column: Int
    let kind: AttributeType.Kind

    init(_ attribute: AttributeProperty, column: Int) {
        slot = attribute.slot
        kind = attribute.type.kind
        self.column = column
    }

    /// Copies the value of the current row of `source` into `row`; false if the attribute cannot have such a value.
    @inline(__always)
    func read(_ source: some RowSource, into row: Row) -> Bool {
        let cell = source.cell(at: column)
        switch (kind, cell.kind) {
        case (_, .null): row.clear(slot)
        case (.integer16, .integer), (.integer32, .integer), (.integer64, .integer), (.boolean, .integer),
            (.undefined, .integer):
            row.set(cell.integer, slot)
        case (.double, .real), (.float, .real), (.date, .real), (.undefined, .real): row.set(cell.real, slot)
        // SQLite may have stored a whole number as an integer, whatever the declared type of the column.
        case (.double, .integer), (.float, .integer), (.date, .integer): row.set(Double(cell.integer), slot)
        case (.string, .text), (.json, .text), (.undefined, .text):
            row.set(String(decoding: cell.bytes, as: UTF8.self), slot)
        case (.binary, .blob), (.transformable, .blob), (.undefined, .blob): row.set(Data(cell.bytes), slot)
        case (.decimal, .text), (.uuid, .text), (.uri, .text):
            return parse(String(decoding: cell.bytes, as: UTF8.self), into: row)
        default: return false
        }
        return true
    }

    private func parse(_ text: String, into row: Row) -> Bool {
        switch kind {
        case .decimal:
            // Decimal(string:) also accepts a number that is followed by other text.
            guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let value = Decimal(string: text),
                !value.isNaN
            else { return false }
            row.set(Box(value), slot)
        case .uuid:
            guard let value = UUID(uuidString: text) else { return false }
            row.set(value, slot)
        default:
            guard let value = URL(string: text) else { return false }
            row.set(Box(value), slot)
        }
        return true
    }
}
