import TributarySQLite

/// Finds the rows that have the keys of a table: one SELECT, whatever their number.
///
///     … WHERE "id" IN (SELECT value FROM json_each('[1,2,5]')) ORDER BY "id", "_pk"
///
/// The text of the statement is the same for any number of keys, which are one bound value. Keys that JSON in SQLite would
/// spoil (reals, bytes, text with U+0000) are bound one by one.
struct KeyQuery {
    private let table: SortedKeys
    private let entity: Entity
    private let compiler: FetchCompiler
    private let columns: [String]
    /// The most values that are bound in one statement.
    static let limit = 20_000

    init?(_ table: SortedKeys, of entity: Entity, _ compiler: FetchCompiler) {
        guard let layout = compiler.schema.table(of: entity) else { return nil }
        let columns = table.columns.compactMap { layout.column(.attribute($0.attribute), of: entity)?.name }
        guard columns.count == table.columns.count else { return nil }
        self.table = table
        self.entity = entity
        self.compiler = compiler
        self.columns = columns
    }

    /// The queries: one, or several where very many keys are bound one by one.
    var queries: [RowQuery] {
        let samples = table.samples.map(Int.init)
        if let list = json(samples) { return [query(list)] }
        let step = KeyQuery.limit / columns.count
        return stride(from: 0, to: samples.count, by: step).map { start in
            query(values(samples[start..<min(start + step, samples.count)]))
        }
    }

    private func query(_ list: SQLFragment) -> RowQuery {
        let layout = compiler.layout(.all, of: entity)
        let names = columns.map(compiler.column)
        let subject: SQLFragment = names.count == 1 ? names[0] : "(\(names))"
        let conditions = ["\(subject) IN (\(list))"] + compiler.scope(of: entity)
        let sql: SQLFragment = """
            SELECT \(layout.names.map(compiler.column)) FROM \(compiler.table(of: entity))\
            \(FetchCompiler.clause(conditions)) ORDER BY \(names), \(compiler.column("_pk"))
            """
        return RowQuery(sql: sql, layout: layout)
    }

    /// The keys bound one by one.
    private func values(_ samples: ArraySlice<Int>) -> SQLFragment {
        let rows = samples.map { sample -> SQLFragment in
            "(\(table.columns.map { SQLFragment($0.value(sample)) }))"
        }
        return "VALUES \(rows)"
    }

    /// The keys as JSON; nil if it would not say them exactly.
    private func json(_ samples: [Int]) -> SQLFragment? {
        guard table.columns.allSatisfy(\.isExactInJSON),
            !compiler.schema.tables.contains(where: { $0.name.lowercasedASCII == "json_each" })
        else { return nil }
        var text: [UInt8] = [UInt8(ascii: "[")]
        text.reserveCapacity(samples.count * 12)
        for sample in samples {
            if text.count > 1 { text.append(UInt8(ascii: ",")) }
            if columns.count > 1 { text.append(UInt8(ascii: "[")) }
            for (place, column) in table.columns.enumerated() {
                if place > 0 { text.append(UInt8(ascii: ",")) }
                column.appendJSON(sample, to: &text)
            }
            if columns.count > 1 { text.append(UInt8(ascii: "]")) }
        }
        text.append(UInt8(ascii: "]"))
        let list = String(decoding: text, as: UTF8.self)
        if columns.count == 1 { return "SELECT \"_k\".value FROM json_each(\(list)) AS \"_k\"" }
        let parts = columns.indices.map { place -> SQLFragment in
            "json_extract(\"_k\".value, \(SQLFragment(stringLiteral: "'$[\(place)]'")))"
        }
        return "SELECT \(parts) FROM json_each(\(list)) AS \"_k\""
    }
}

extension KeyColumn {
    /// Whether SQLite reads the values from JSON as they are: whole numbers, and text without U+0000.
    var isExactInJSON: Bool {
        switch form {
        case .integer: true
        case .real: false
        case .bytes: attribute.type.storage == .text && !bytes.contains(0)
        }
    }

    func appendJSON(_ index: Int, to text: inout [UInt8]) {
        guard form == .bytes else {
            text.append(contentsOf: String(integers[index]).utf8)
            return
        }
        text.append(UInt8(ascii: "\""))
        for byte in bytes[range(index)] {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                text += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }

    /// The value as filters know it.
    func filterValue(_ index: Int) -> FilterValue {
        Row.temporary(attribute.slot + 1) { row in
            write(index, to: row)
            return attribute.filterValue(in: row)
        }
    }
}
