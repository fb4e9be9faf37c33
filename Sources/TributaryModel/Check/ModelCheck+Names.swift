extension ModelCheck {
    /// Reports a name that cannot be used as a table, a column or a key in a key path.
    mutating func checkName(_ name: String, of owner: String) {
        if name.isEmpty {
            report("\(owner) has no name; give it one")
        } else if name.utf8.contains(0) {
            report("\(owner) has a NUL in its name, which SQL cannot hold; remove it")
        } else if model.isInferred {
            // Inferred names are kept as they are in the data; only the store's own column names are refused.
            if ReservedNames.isColumn(name) { report("\(owner) has a name that is reserved for the store; rename it") }
        } else if name.hasPrefix("_") {
            report("\(owner) begins with \"_\", which is reserved for the store; rename it")
        } else if name.hasPrefix("@") {
            report("\(owner) begins with \"@\", which is reserved for operators in key paths; rename it")
        } else if name.lowercasedASCII.hasPrefix("sqlite_") {
            report("\(owner) begins with \"sqlite_\", which SQLite reserves; rename it")
        } else if name.utf8.contains(UInt8(ascii: ".")) {
            report("\(owner) has a dot in its name, which separates the keys of a key path; rename it")
        }
    }

    /// Reports column names that SQLite does not distinguish, and tables with too many columns.
    mutating func checkColumns() {
        var roots = [Int](repeating: 0, count: model.entities.count)
        var spellings: [Int: [String: (name: String, entity: String)]] = [:]
        var columns: [Int: Set<String>] = [:]
        for index in parentsFirst {
            let root = parents[index].map { roots[$0] } ?? index
            roots[index] = root
            let entity = model.entities[index]
            // Properties of sibling entities with the same name and type share a column.
            let attributes = entity.attributes.filter { !$0.isTransient }.map { ($0.name, $0.type.description) }
            let links = entity.relationships.filter { !$0.isTransient && !$0.isToMany }.map {
                ($0.name, $0.destination)
            }
            for (name, type) in attributes + links {
                columns[root, default: []].insert("\(name)\u{0}\(type)")
            }
            for name in (attributes + links).map({ $0.0 }) {
                let folded = name.lowercasedASCII
                guard let other = spellings[root, default: [:]][folded] else {
                    spellings[root, default: [:]][folded] = (name, entity.name)
                    continue
                }
                guard other.name != name else { continue }
                let owner = other.entity == entity.name ? "" : " of entity \"\(other.entity)\""
                report(
                    "entity \"\(entity.name)\": property \"\(name)\" and property \"\(other.name)\"\(owner) differ in case only, which is the same column to SQLite; rename one"
                )
            }
        }
        for (index, entity) in model.entities.enumerated() where entityIndexes[entity.name] == index {
            var known: [String: String] = [:]
            for relationship in entity.relationships where relationship.isToMany && !relationship.isTransient {
                // The order of a relationship is a column in the table of its destination.
                if relationship.isOrdered, let destination = entityIndexes[relationship.destination] {
                    columns[roots[destination], default: []].insert("_order.\(entity.name).\(relationship.name)")
                }
                let folded = relationship.name.lowercasedASCII
                if let other = known.updateValue(relationship.name, forKey: folded), other != relationship.name {
                    report(
                        "entity \"\(entity.name)\": relationship \"\(relationship.name)\" and relationship \"\(other)\" differ in case only, which is the same table to SQLite; rename one"
                    )
                }
            }
        }
        for (root, names) in columns.sorted(by: { $0.key < $1.key }) where names.count > Self.columnLimit {
            report(
                "entity \"\(model.entities[root].name)\": the table would have \(names.count) columns with those of its subentities, and \(Self.columnLimit) is the limit; move some properties to another entity"
            )
        }
    }
}
