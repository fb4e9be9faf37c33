package import TributarySQLite

/// A query for values: the SQL with its values, and the columns of the result.
package struct ValueQuery: Sendable {
    /// A column of the result.
    struct Column: Sendable {
        let name: String
        let kind: FilterKind
        /// The destination entity, for objects.
        let entity: Entity?
        /// The column with the name of the object's own entity, if it may be a subentity.
        var entityColumn: Int?
    }

    /// The SQL with its bound values.
    package let sql: SQLFragment
    let columns: [Column]
    let model: Model

    /// The rows of the result, in their order; `reference` creates the reference to an object from its entity and key.
    package func rows(
        on connection: Connection, reference: (Entity, Int64) -> FilterReference
    ) throws -> [ValueRow] {
        let header = ValueRow.Header(columns.map(\.name))
        return try connection.rows(of: sql) { row in
            var values: [FilterValue] = []
            values.reserveCapacity(columns.count)
            for (index, column) in columns.enumerated() {
                guard column.kind == .object else {
                    values.append(try Self.value(row.value(at: index), of: column))
                    continue
                }
                guard let entity = column.entity, !row.isNull(at: index) else {
                    values.append(.null)
                    continue
                }
                // A dangling reference has no row to name its entity.
                let name = column.entityColumn.flatMap { row.isNull(at: $0) ? nil : row.text(at: $0) }
                values.append(
                    .object(reference(name.flatMap { model[$0] } ?? entity, row.integer(at: index))))
            }
            return ValueRow(header, values)
        }
    }

    /// A value by the type of its column.
    private static func value(_ value: SQLValue, of column: Column) throws(FetchError) -> FilterValue {
        if value == .null { return .null }
        let isFit: Bool
        switch (column.kind, value) {
        case (.integer, .integer), (.boolean, .integer), (.data, .blob), (.opaque, _): isFit = true
        case (.real, .real), (.real, .integer), (.date, .real), (.date, .integer): isFit = true
        case (.moment, .real), (.moment, .integer), (.number, .real), (.number, .integer): isFit = true
        case (.string, .text), (.uuid, .text), (.url, .text), (.any, .text): isFit = true
        case (.number, .text(let text)): isFit = isNumber(text)
        default: isFit = false
        }
        let decoded = isFit ? FilterCodec.decode(value, as: column.kind) : .null
        // Only a packed value can decode to null without being null in SQL.
        if decoded.isNull, column.kind != .any {
            throw FetchError(
                .damaged, "the column \(column.name) holds a value of another type; another program wrote it")
        }
        return decoded
    }

    /// Whether the whole text is a number; `Decimal(string:)` ignores trailing text.
    private static func isNumber(_ text: String) -> Bool {
        text == "nan" || text == "NaN" || text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    }
}
