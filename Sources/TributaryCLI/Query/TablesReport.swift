import TributaryImport
import TributaryJSON
import TributaryStore

/// The tables of a database as text or JSON.
enum TablesReport {
    /// A paragraph for each table.
    ///
    ///     users  1,000 rows, 56 KiB
    ///         id INTEGER, name TEXT, city INTEGER
    ///         key id
    ///         index byName (name), 12 KiB
    ///         city → cities
    static func text(_ tables: [TableSummary], _ terminal: TerminalText) -> String {
        guard !tables.isEmpty else { return "the database has no tables\n" }
        return tables.map { table in
            var lines = [terminal.bold(Excerpt.escape(table.name)) + "  " + size(of: table)]
            let columns = table.columns.map { column in
                [column.name, column.type].filter { !$0.isEmpty }.map { Excerpt.escape($0) }.joined(separator: " ")
            }
            if !columns.isEmpty { lines.append(columns.joined(separator: ", ")) }
            lines += table.keys.map { "key \(names($0))" }
            lines += table.indexes.map { index in
                let columns = index.columns.map { $0 ?? "an expression" }
                return "\(index.isUnique ? "unique index" : "index") \(Excerpt.escape(index.name)) (\(names(columns)))"
                    + (index.bytes.map { ", \(bytes($0))" } ?? "")
            }
            lines += table.relations.map { relation in
                let end = Excerpt.escape(relation.destination)
                return "\(Excerpt.escape(relation.name)) → \(relation.isToMany ? "many " : "")\(end)"
            }
            return terminal.plain(lines.joined(separator: "\n    ")) + "\n"
        }.joined(separator: "\n")
    }

    private static func names(_ names: [String]) -> String { names.map { Excerpt.escape($0) }.joined(separator: ", ") }

    private static func size(of table: TableSummary) -> String {
        let rows = table.rows.map { count in
            (count == TableSummary.mostRows ? "at least " : "") + FigureText.counted(count, "row")
        }
        let parts = [table.isView ? "view" : nil, rows, table.bytes.map(bytes)].compactMap(\.self)
        return parts.joined(separator: ", ")
    }

    private static func bytes(_ count: Int) -> String {
        count >= 10 << 20 ? "\(FigureText.grouped(count >> 20)) MiB" : "\(FigureText.grouped((count + 1023) >> 10)) KiB"
    }

    /// One object with an array of the tables.
    static func json(_ tables: [TableSummary]) -> [UInt8] {
        var writer = JSONLineWriter()
        writer.add("tables", json: JSONLineWriter.array(tables.map(json)))
        return writer.finish()
    }

    private static func json(_ table: TableSummary) -> [UInt8] {
        JSONLineWriter.object { object in
            object.add("name", table.name)
            object.add("kind", table.isView ? "view" : "table")
            object.add("rows", table.rows)
            object.add("rowsAreMore", table.rows == TableSummary.mostRows)
            object.add("bytes", table.bytes)
            let columns = table.columns.map { column in
                JSONLineWriter.object {
                    $0.add("name", column.name)
                    $0.add("type", column.type)
                    $0.add("required", column.isRequired)
                }
            }
            object.add("columns", json: JSONLineWriter.array(columns))
            let keys = table.keys.map { JSONLineWriter.array($0.map(JSONLineWriter.quoted)) }
            object.add("keys", json: JSONLineWriter.array(keys))
            let indexes = table.indexes.map { index in
                JSONLineWriter.object {
                    $0.add("name", index.name)
                    $0.add("columns", json: JSONLineWriter.array(index.columns.map(TablesReport.json)))
                    $0.add("unique", index.isUnique)
                    $0.add("bytes", index.bytes)
                }
            }
            object.add("indexes", json: JSONLineWriter.array(indexes))
            let relations = table.relations.map { relation in
                JSONLineWriter.object {
                    $0.add("name", relation.name)
                    $0.add("to", relation.destination)
                    $0.add("many", relation.isToMany)
                }
            }
            object.add("relations", json: JSONLineWriter.array(relations))
        }
    }

    private static func json(_ column: String?) -> [UInt8] {
        column.map(JSONLineWriter.quoted) ?? Array("null".utf8)
    }
}
