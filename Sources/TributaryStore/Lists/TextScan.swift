package import TributarySQLite

/// A search of the text of all rows in the order of their keys, which ends after a time and can be continued.
///
/// Letters of ASCII match in both cases.
package struct TextScan {
    /// The keys of the rows with the text.
    package private(set) var keys: [SQLValue] = []
    /// The number of rows that were read.
    package private(set) var rows = 0
    /// The key of the last row that was read; nil if there was none.
    package private(set) var last: SQLValue?
    /// Whether all rows after the first key were read.
    package private(set) var isComplete = false

    private let text: [UInt8]

    private init(_ text: String) { self.text = text.utf8.map(TextScan.folded) }

    private static func folded(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }

    /// Whether a text contains the searched one.
    private func isIn(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let first = text.first, bytes.count >= text.count else { return text.isEmpty }
        let last = bytes.count - text.count
        return text.withUnsafeBufferPointer { text in
            var start = 0
            while start <= last {
                if TextScan.folded(bytes[start]) == first {
                    var index = 1
                    while index < text.count, TextScan.folded(bytes[start + index]) == text[index] { index += 1 }
                    if index == text.count { return true }
                }
                start += 1
            }
            return false
        }
    }

    fileprivate static func scan(
        _ connection: Connection, _ query: SQLFragment, _ text: String, limit: Int, until end: ContinuousClock.Instant
    ) throws -> TextScan {
        var scan = TextScan(text)
        let statement = try connection.statement(of: query)
        let count = statement.columnCount
        var bytes = 0
        while scan.keys.count < limit {
            // At least one row is read, so that a search that is continued comes to its end.
            if scan.rows > 0, scan.rows % 64 == 0 || bytes > 1 << 18 {
                if ContinuousClock.now > end { return scan }
                bytes = 0
            }
            guard try statement.step() else {
                scan.isComplete = true
                return scan
            }
            scan.rows += 1
            let key = statement.value(at: 0)
            scan.last = key
            for column in 1..<count {
                let cell = statement.cell(at: column)
                guard cell.kind == .text else { continue }
                bytes += cell.bytes.count
                if scan.isIn(cell.bytes) {
                    scan.keys.append(key)
                    break
                }
            }
        }
        return scan
    }
}

extension QueryableDatabase {
    /// Searches text in attributes of the rows after a key, until `limit` are found or a time is over.
    package func scan(
        _ names: [String], of source: QuerySource, for text: String, after key: SQLValue?, limit: Int,
        until end: ContinuousClock.Instant
    ) throws -> TextScan {
        let compiler = source.compiler
        let columns = names.compactMap { name -> SQLFragment? in
            // A view gives the columns of another program the names of attributes.
            let column = source.isPlain ? name : source.columnName(name)
            return column.map(compiler.column)
        }
        var conditions = compiler.scope(of: source.entity)
        if let key { conditions.append("\(compiler.column("_pk")) > \(key)") }
        let order = compiler.column("_pk")
        let query: SQLFragment = """
            SELECT \([order] + columns) FROM \(compiler.table(of: source.entity))\(FetchCompiler.clause(conditions)) \
            ORDER BY \(order)
            """
        return try explaining { try TextScan.scan(connection, query, text, limit: limit, until: end) }
    }
}
