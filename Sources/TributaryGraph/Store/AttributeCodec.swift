#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

import TributarySQLite

/// Carries one attribute between a row in memory and a column.
///
///     Boolean 0/1 · Date seconds since 1970 · Decimal, UUID, URI as text · Binary as a blob
///
/// A column that holds something else, because another program has written it, is an error and not a zero.
struct AttributeCodec: Sendable {
    /// Where the value lies in a row.
    let slot: Int
    private let kind: AttributeType.Kind
    private let column: String

    /// A codec for `attribute`; errors call it `column`, as `Book.pages`.
    init(_ attribute: AttributeProperty, column: String) {
        slot = attribute.slot
        kind = attribute.type.kind
        self.column = column
    }

    // MARK: Writing

    /// Binds the value of `row` at `index` of a statement.
    @inline(__always)
    func bind(_ row: Row, to statement: borrowing Statement, at index: Int) throws {
        switch row.kind(slot) {
        case .null: try statement.bindNull(at: index)
        case .integer: try statement.bind(row.integer(slot), at: index)
        case .double: try statement.bind(row.double(slot), at: index)
        case .text: try statement.bind(row.text(slot), at: index)
        case .data: try row.data(slot).withUnsafeBytes { try statement.bind(copying: $0, at: index) }
        case .uuid: try statement.bind(row.uuid(slot).uuidString, at: index)
        case .boxed: try bindBoxed(row, to: statement, at: index)
        }
    }

    private func bindBoxed(_ row: Row, to statement: borrowing Statement, at index: Int) throws {
        switch row.boxed(slot) {
        case let box as Box<Decimal>: try statement.bind("\(box.value)", at: index)
        case let box as Box<URL>: try statement.bind(box.value.absoluteString, at: index)
        default: preconditionFailure("\(column) holds a value that no attribute can have")
        }
    }

    // MARK: Reading

    /// Puts the value of a column of the row at hand into `row`.
    ///
    /// - Throws: `StoreError` if the column holds something else.
    @inline(__always)
    func read(_ statement: borrowing Statement, at index: Int, into row: Row, store: String) throws {
        switch (kind, statement.storage(at: index)) {
        case (_, .null): row.clear(slot)
        case (.integer16, .integer), (.integer32, .integer), (.integer64, .integer), (.boolean, .integer):
            row.set(statement.integer(at: index), slot)
        case (.double, .real), (.float, .real), (.date, .real): row.set(statement.real(at: index), slot)
        // SQLite keeps a whole number as one, whatever the column is declared to be.
        case (.double, .integer), (.float, .integer), (.date, .integer):
            row.set(Double(statement.integer(at: index)), slot)
        case (.string, .text), (.json, .text): row.set(statement.text(at: index), slot)
        case (.binary, .blob), (.transformable, .blob): row.set(statement.withBlob(at: index) { Data($0) }, slot)
        case (.decimal, .text), (.uuid, .text), (.uri, .text):
            guard parse(statement.text(at: index), into: row) else { throw misfit(statement, index, store) }
        default: throw misfit(statement, index, store)
        }
    }

    private func parse(_ text: String, into row: Row) -> Bool {
        switch kind {
        case .decimal:
            // Decimal(string:) reads as much as it can; only the whole text is a number.
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

    private func misfit(_ statement: borrowing Statement, _ index: Int, _ store: String) -> StoreError {
        StoreError(
            .damaged, store, "\(column) holds \(statement.storage(at: index)), which is no \(kind.rawValue)",
            hint: "another program has written it; mend that row")
    }
}
