import TributaryModel
import TributarySQLite
import TributaryStore

/// The rows of a database without their primary keys, to compare databases.
///
/// A row is its values, and the rows at the other ends of its links, to a depth of four: two databases are equal if each
/// table has the same rows as often. The place in an ordered relationship is a rank.
struct DatabaseShape: Equatable {
    /// For each table the sorted rows, as hash values.
    private(set) var rows: [String: [Int]] = [:]
    /// For each table the columns.
    private(set) var columns: [String: [String]] = [:]
    /// For each table the sorted values of the rows, to print them.
    private(set) var texts: [String: [String]] = [:]

    /// A column that leads to rows of a table, and the column with the place in the list of that row.
    private struct Link {
        let table, column, target: String
        var order: String?
    }

    init(_ path: String) throws {
        let connection = try Connection(.file(path))
        let model = try StoredModel.read(on: connection).map { try Model($0) }
        let names = try connection.rows(
            of: """
                SELECT "name" FROM sqlite_master WHERE "type" = 'table' AND "name" NOT LIKE 'sqlite%'
                AND ("name" NOT GLOB '_*' OR "name" GLOB '_*.*' AND "name" NOT GLOB '_change.*')
                """
        ) { $0.text(at: 0) }
        var links: [Link] = []
        if let model {
            let schema = Schema(model)
            for entity in model.entities {
                for relationship in entity.relationships where relationship.entity == entity {
                    let target = relationship.destination.root.name
                    if let join = schema.join(of: relationship), join.relationship == relationship {
                        links.append(Link(table: join.name, column: join.source, target: entity.root.name))
                        links.append(Link(table: join.name, column: join.target, target: target))
                    } else if let column = schema.table(of: entity)?.column(.relationship(relationship), of: entity) {
                        links.append(Link(table: entity.root.name, column: column.name, target: target))
                    }
                }
            }
            let storages = model.entities.flatMap(\.relationships).compactMap { PairStorage($0, in: schema) }
            for index in links.indices {
                let link = links[index]
                links[index].order =
                    storages.first { $0.table == link.table && $0.source == link.column }?.targetOrder
                    ?? storages.first { $0.table == link.table && $0.target == link.column && !$0.isColumn }?
                    .sourceOrder
            }
        }
        var labels: [String: [Int64: Int]] = [:]
        var numbers: [String: SQLFragment] = [:]
        for name in names {
            let ends = Set(links.filter { $0.table == name }.map(\.column))
            let hidden: Set = ["_pk", "_version"]
            let all = try connection.rows(of: "SELECT \"name\" FROM pragma_table_xinfo(\(name))") { $0.text(at: 0) }
            let plain = all.filter {
                !ends.contains($0) && !hidden.contains($0) && !$0.lowercased().hasPrefix("_order")
            }
            .filter { !$0.hasSuffix("Order") || !name.hasPrefix("_") }.sorted()
            columns[name] = all.sorted()
            // A table of pairs has no primary key.
            let each = all.map { column -> SQLFragment in "\(identifier: column)" }
            numbers[name] = all.contains("_pk") ? "\"_pk\"" : "row_number() OVER (ORDER BY \(each))"
            let values = plain.map { column -> SQLFragment in "\(identifier: column)" }
            var (found, shown): ([Int64: Int], [String]) = ([:], [])
            try connection.forEachRow(of: "SELECT \([numbers[name] ?? "1"] + values) FROM \(identifier: name)") { row in
                let text = "\((1..<row.columnCount).map { row.value(at: $0) })"
                found[row.integer(at: 0)] = text.hashValue
                shown.append(text)
            }
            (labels[name], texts[name]) = (found, shown.sorted())
        }
        let pairs = try links.map { link -> (Link, [(row: Int64, target: Int64, rank: Int)]) in
            let order: SQLFragment = link.order.map { "\(identifier: $0)" } ?? "1"
            return (
                link,
                try connection.rows(
                    of: """
                        SELECT \(numbers[link.table] ?? "1"), \(identifier: link.column), rank() OVER (PARTITION BY \(identifier: link.column)
                        ORDER BY \(order)) FROM \(identifier: link.table) WHERE \(identifier: link.column) IS NOT NULL
                        """
                ) { ($0.integer(at: 0), $0.integer(at: 1), Int($0.integer(at: 2))) }
            )
        }
        for _ in 0..<4 {
            // The sum of hash values does not depend on the order of rows.
            var next = labels.mapValues { $0.mapValues { [$0] } }
            for (link, rows) in pairs {
                for (row, target, rank) in rows {
                    guard let from = labels[link.table]?[row], let to = labels[link.target]?[target] else { continue }
                    next[link.table]?[row]?.append([link.column.hashValue, to, rank].hashValue)
                    next[link.target]?[target]?.append(
                        [link.table.hashValue, link.column.hashValue, from, rank].hashValue)
                }
            }
            labels = next.mapValues { rows in
                rows.mapValues { parts in [parts[0], parts.dropFirst().reduce(0, &+)].hashValue }
            }
        }
        rows = labels.mapValues { $0.values.sorted() }
    }

    /// The tables that differ, with some of their rows; empty for equal databases.
    func differences(from other: DatabaseShape) -> [String] {
        Set(rows.keys).union(other.rows.keys).sorted().compactMap { name in
            if columns[name] != other.columns[name] {
                return "\(name): columns \(columns[name] ?? []) instead of \(other.columns[name] ?? [])"
            }
            guard rows[name] != other.rows[name] else { return nil }
            let (mine, theirs) = (texts[name] ?? [], other.texts[name] ?? [])
            let (more, fewer) = (Set(mine).subtracting(theirs), Set(theirs).subtracting(mine))
            return
                "\(name): \(mine.count) rows instead of \(theirs.count), \(Array(more.prefix(3))) instead of \(Array(fewer.prefix(3)))"
        }
    }
}
