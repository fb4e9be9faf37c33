package import TributaryJSON
package import TributaryStore

/// The rows of tables of a database, as JSON text that is made while it is read.
///
/// One table is NDJSON, a row a line; of several, each is an array in one object: `{"users":[{…},…],"orders":[…]}`. All
/// rows are of one state of the database. The text is of no known size, and is read once from its beginning to its end.
package struct TableSource: ByteSource {
    /// The path of the database.
    package let name: String
    /// The tables, in the order of the text.
    package let tables: [ReadableTable]

    /// The rows of tables in the database at a path.
    package init(_ path: String, _ tables: [ReadableTable]) { (name, self.tables) = (path, tables) }

    /// What is read, in words: `table users` or `3 tables`.
    package var layout: String {
        tables.count == 1 ? "table \(Excerpt.escape(tables[0].name))" : "\(tables.count) tables"
    }

    /// The options that read the text, with the limits and the threads of other options.
    package func reading(_ options: ReadOptions) -> ReadOptions {
        var options = options
        options.format = tables.count == 1 ? .ndjson : .json
        options.paths = tables.count == 1 ? nil : tables.map { .elements(of: $0.name) }
        options.conversion = TextConversion()
        // A nested value is inside of its row, and that of its table.
        options.limits.depth = min(ReadLimits.deepest, options.limits.depth + 3)
        return options
    }

    /// Opens the database.
    package func open() throws -> any ByteStream { try TableStream(name, tables) }
}
