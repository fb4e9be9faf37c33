package import TributarySQLite

/// Where the pairs of a relationship are stored: in a column of its destination, or in a join table.
///
///     Author.books    Book.author        "Book" ("author" → source, "_pk" → target)
///     Book.tags       Tag.books          "_Book.tags" ("_source", "_target")
package struct PairStorage: Sendable {
    /// The relationship from the sources to the targets; for a join table the one that names it.
    package let relationship: RelationshipProperty
    package let table: String
    /// The column of the source's key.
    package let source: String
    /// The column of the target's key.
    package let target: String
    /// The column with the position of a target among those of its source.
    package let targetOrder: String?
    /// The column with the position of a source among those of its target.
    package let sourceOrder: String?
    /// Whether the pairs are in a column of the targets, each of which then has one source at most.
    package let isColumn: Bool
    /// Whether a pair has no direction.
    package let isSymmetric: Bool
    /// Whether a target cannot be without a source.
    package let needsSource: Bool

    /// The storage of a to-many relationship, or of a to-one relationship whose inverse is to-many; nil for others.
    package init?(_ relationship: RelationshipProperty, in schema: Schema) {
        if let join = schema.join(of: relationship) {
            self.relationship = join.relationship
            table = join.name
            (source, target) = (join.source, join.target)
            targetOrder = join.hasTargetOrder ? "_targetOrder" : nil
            sourceOrder = join.hasSourceOrder ? "_sourceOrder" : nil
            isColumn = false
            isSymmetric = join.relationship.inverse == join.relationship
            needsSource = false
            return
        }
        let many = relationship.isToMany ? relationship : relationship.inverse
        guard let many, many.isToMany, let inverse = many.inverse, !inverse.isToMany,
            let column = schema.table(of: many.destination)?.column(.relationship(inverse), of: many.destination)
        else { return nil }
        self.relationship = many
        table = many.destination.root.name
        (source, target) = (column.name, "_pk")
        targetOrder = many.isOrdered ? Schema.orderColumn(many) : nil
        sourceOrder = nil
        isColumn = true
        isSymmetric = false
        needsSource = !inverse.isOptional
    }

    /// Whether the targets of a source have an order.
    package var isOrdered: Bool { targetOrder != nil }

    private var name: String { SQLIdentifier(table).quoted }
    private var sourceName: String { SQLIdentifier(source).quoted }
    private var targetName: String { SQLIdentifier(target).quoted }

    // MARK: Statements

    /// Selects the pairs whose source, or target, is a key of the key table, in their order if they are sorted.
    func selection(byTarget: Bool, isSorted: Bool = true) -> String {
        let order = byTarget && sourceOrder != nil ? " ORDER BY 2, 4, 1" : " ORDER BY 1, 3, 2"
        let orders = [targetOrder, sourceOrder].map { $0.map { "p.\(SQLIdentifier($0).quoted)" } ?? "NULL" }
        let by = byTarget ? targetName : sourceName
        return "SELECT p.\(sourceName), p.\(targetName), \(orders.joined(separator: ", "))"
            + " FROM \(SQLIdentifier(KeyTable.name).quoted) AS k CROSS JOIN \(name) AS p ON p.\(by) = k.\"c0\""
            + " WHERE p.\(sourceName) IS NOT NULL\(isSorted ? order : "")"
    }

    /// For each owner the others of its pairs, in their order.
    package func others(
        of owners: Set<Int64>, areTargets: Bool, on connection: Connection
    ) throws -> [Int64: [Int64]] {
        var found: [Int64: [Int64]] = [:]
        try connection.keys.withKeys(owners.sorted()) {
            try connection.withUnboundStatement(selection(byTarget: areTargets)) { row in
                while try row.step() {
                    let (source, target) = (row.integer(at: 0), row.integer(at: 1))
                    found[areTargets ? target : source, default: []].append(areTargets ? source : target)
                }
            }
        }
        return found
    }

    /// Adds a pair: source, position, target.
    package var addition: String {
        if isColumn {
            let order = targetOrder.map { ", \(SQLIdentifier($0).quoted) = ?2" } ?? ""
            return "UPDATE \(name) SET \(sourceName) = ?1\(order), \"_version\" = \"_version\" + 1 WHERE \"_pk\" = ?3"
        }
        return "INSERT OR IGNORE INTO \(columns) VALUES (?1, ?3\(isOrdered ? ", ?2" : ""))"
    }

    /// The table with the columns of a new pair: source, target and position of the target.
    private var columns: String {
        "\(name) (\(sourceName), \(targetName)\(targetOrder.map { ", \(SQLIdentifier($0).quoted)" } ?? ""))"
    }

    /// Removes a pair: source, target.
    package var removal: String {
        if isColumn {
            let order = targetOrder.map { ", \(SQLIdentifier($0).quoted) = NULL" } ?? ""
            return "UPDATE \(name) SET \(sourceName) = NULL\(order), \"_version\" = \"_version\" + 1"
                + " WHERE \(sourceName) = ?1 AND \"_pk\" = ?2"
        }
        return "DELETE FROM \(name) WHERE \(sourceName) = ?1 AND \(targetName) = ?2"
    }

    /// Sets the position of a target, or of a source: source, position, target.
    package func positioning(ofSources: Bool) -> String? {
        guard let order = ofSources ? sourceOrder : targetOrder else { return nil }
        return "UPDATE \(name) SET \(SQLIdentifier(order).quoted) = ?2 WHERE \(sourceName) = ?1 AND \(targetName) = ?3"
    }

    /// Inserts the pairs of the key table, which has the source, the target and the position of each.
    var insertion: String {
        "INSERT OR IGNORE INTO \(columns) SELECT \"c0\", \"c1\"\(isOrdered ? ", \"c2\"" : "")"
            + " FROM \(SQLIdentifier(KeyTable.name).quoted)"
    }
}
