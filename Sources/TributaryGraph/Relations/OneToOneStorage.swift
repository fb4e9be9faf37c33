package import TributarySQLite

/// Where a one-to-one relationship is stored: in a column on each side.
package struct OneToOneStorage: Sendable {
    /// The relationship of the owners.
    package let relationship: RelationshipProperty
    private let own: (table: String, column: String)
    private let other: (table: String, column: String)
    /// Whether both sides are the same relationship.
    private let isSymmetric: Bool

    /// The storage of a to-one relationship whose inverse is to-one; nil for others.
    package init?(_ relationship: RelationshipProperty, in schema: Schema) {
        guard !relationship.isToMany, let inverse = relationship.inverse, !inverse.isToMany,
            let column = schema.table(of: relationship.entity)?.column(
                .relationship(relationship), of: relationship.entity),
            let otherColumn = schema.table(of: relationship.destination)?.column(
                .relationship(inverse), of: relationship.destination)
        else { return nil }
        self.relationship = relationship
        own = (relationship.entity.root.name, column.name)
        other = (relationship.destination.root.name, otherColumn.name)
        isSymmetric = inverse == relationship
    }

    /// What is said about a pair, from either side.
    package enum Link: Sendable {
        /// An owner has this partner, or none.
        case owner(Int64, Int64?)
        /// A partner has this owner, or none.
        case partner(Int64, Int64?)
    }

    /// Links objects in feed order; an object that gets another partner leaves its earlier one.
    ///
    /// - Parameters:
    ///   - links: What is said about them.
    ///   - connection: The connection that writes.
    /// - Returns: The objects, and the partners, whose rows have changed.
    /// - Throws: `SQLiteError`.
    package func apply(
        _ links: [Link], on connection: Connection
    ) throws -> (owners: Set<Int64>, partners: Set<Int64>) {
        guard !links.isEmpty else { return ([], []) }
        var owners: Set<Int64> = []
        var partners: Set<Int64> = []
        for link in links {
            let (owner, partner) =
                switch link {
                case .owner(let owner, let partner): (Int64?.some(owner), partner)
                case .partner(let partner, let owner): (owner, Int64?.some(partner))
                }
            if let owner { owners.insert(owner) }
            if let partner { partners.insert(partner) }
        }
        if isSymmetric { return (try applySymmetric(links, owners.union(partners), on: connection), []) }
        // An earlier partner of an object that is linked anew loses its link too.
        let stored = try read(own, owners, on: connection)
        let storedBack = try read(other, partners.union(stored.values), on: connection)
        let allStored = try read(own, owners.union(storedBack.values), on: connection)
        var (forward, back) = (allStored, storedBack)
        for link in links {
            let (owner, partner) =
                switch link {
                case .owner(let owner, let partner): (Int64?.some(owner), partner)
                case .partner(let partner, let owner): (owner, Int64?.some(partner))
                }
            if let owner, let earlier = forward.removeValue(forKey: owner) { back[earlier] = nil }
            if let partner, let earlier = back.removeValue(forKey: partner) { forward[earlier] = nil }
            guard let owner, let partner else { continue }
            forward[owner] = partner
            back[partner] = owner
        }
        return (
            try write(own, allStored, forward, on: connection), try write(other, storedBack, back, on: connection)
        )
    }

    private func applySymmetric(_ links: [Link], _ keys: Set<Int64>, on connection: Connection) throws -> Set<Int64> {
        let first = try read(own, keys, on: connection)
        let stored = try read(own, keys.union(first.values), on: connection)
        var both = stored
        for link in links {
            let (one, another) =
                switch link {
                case .owner(let owner, let partner): (owner, partner)
                case .partner(let partner, let owner): (partner, owner)
                }
            for key in [one, another].compactMap(\.self) {
                if let earlier = both.removeValue(forKey: key) { both[earlier] = nil }
            }
            guard let another else { continue }
            both[one] = another
            both[another] = one
        }
        return try write(own, stored, both, on: connection)
    }

    /// The partners of objects.
    ///
    /// - Throws: `SQLiteError`.
    package func partners(
        of owners: Set<Int64>, isReversed: Bool, on connection: Connection
    ) throws -> [Int64: Int64] {
        try read(isReversed ? other : own, owners, on: connection)
    }

    private func read(
        _ side: (table: String, column: String), _ keys: Set<Int64>, on connection: Connection
    ) throws -> [Int64: Int64] {
        var found: [Int64: Int64] = [:]
        let column = SQLIdentifier(side.column).quoted
        let sql =
            "SELECT t.\"_pk\", t.\(column) FROM \(SQLIdentifier(KeyTable.name).quoted) AS k"
            + " CROSS JOIN \(SQLIdentifier(side.table).quoted) AS t ON t.\"_pk\" = k.\"c0\" WHERE t.\(column) IS NOT NULL"
        let cells = keys.sorted().map { SQLCell($0) }
        try cells.withUnsafeBufferPointer { cells in
            try connection.keys.withRows(cells, width: 1) {
                try connection.withUnboundStatement(sql) { row in
                    while try row.step() { found[row.integer(at: 0)] = row.integer(at: 1) }
                }
            }
        }
        return found
    }

    /// Writes the links that differ from the stored ones; returns the keys of their rows.
    private func write(
        _ side: (table: String, column: String), _ stored: [Int64: Int64], _ links: [Int64: Int64],
        on connection: Connection
    ) throws -> Set<Int64> {
        let changed = Set(stored.keys).union(links.keys).filter { stored[$0] != links[$0] }
        guard !changed.isEmpty else { return [] }
        let sql =
            "UPDATE \(SQLIdentifier(side.table).quoted) SET \(SQLIdentifier(side.column).quoted) = ?,"
            + " \"_version\" = \"_version\" + 1 WHERE \"_pk\" = ?"
        try connection.withUnboundStatement(sql) { statement in
            for key in changed.sorted() {
                try statement.bind(links[key].map { SQLCell($0) } ?? .null, at: 0)
                try statement.bind(SQLCell(key), at: 1)
                _ = try statement.step()
                statement.rewind()
            }
        }
        return changed
    }
}
