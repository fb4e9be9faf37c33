extension ModelCheck {
    /// Reports a name that cannot be the name of a table or a column, or of a step of a key path.
    mutating func checkName(_ name: String, of owner: String) {
        if name.isEmpty {
            report("\(owner) has no name; give it one")
        } else if name.utf8.contains(0) {
            report("\(owner) has a NUL in its name, which SQL cannot hold; remove it")
        } else if model.isInferred {
            // Names found in data are as they are; those of ours are never among them.
            if ReservedNames.isColumn(name) { report("\(owner) has a name that belongs to the store; rename it") }
        } else if name.hasPrefix("_") {
            report("\(owner) begins with \"_\", as what belongs to the store does; rename it")
        } else if name.hasPrefix("@") {
            report("\(owner) begins with \"@\", as operators in key paths do; rename it")
        } else if name.lowercasedASCII.hasPrefix("sqlite_") {
            report("\(owner) begins with \"sqlite_\", which SQLite keeps for itself; rename it")
        } else if name.utf8.contains(UInt8(ascii: ".")) {
            report("\(owner) has a point in its name, where a key path is divided; rename it")
        }
    }

    /// Reports names of one table that SQLite takes for the same column, and tables with too many columns.
    mutating func checkColumns() {
        var roots = [Int](repeating: 0, count: model.entities.count)
        var spellings: [Int: [String: (name: String, entity: String)]] = [:]
        var columns: [Int: Set<String>] = [:]
        for index in parentsFirst {
            let root = parents[index].map { roots[$0] } ?? index
            roots[index] = root
            let entity = model.entities[index]
            // Siblings that agree in name and type share a column.
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
                let place = other.entity == entity.name ? "" : " of entity \"\(other.entity)\""
                report(
                    "entity \"\(entity.name)\": property \"\(name)\" and property \"\(other.name)\"\(place) differ in case only, which is the same column to SQLite; rename one"
                )
            }
        }
        for (place, entity) in model.entities.enumerated() where places[entity.name] == place {
            var known: [String: String] = [:]
            for relationship in entity.relationships where relationship.isToMany && !relationship.isTransient {
                // An order stands in a column of the table where the relationship leads.
                if relationship.isOrdered, let to = places[relationship.destination] {
                    columns[roots[to], default: []].insert("_order.\(entity.name).\(relationship.name)")
                }
                let folded = relationship.name.lowercasedASCII
                if let other = known.updateValue(relationship.name, forKey: folded), other != relationship.name {
                    report(
                        "entity \"\(entity.name)\": relationship \"\(relationship.name)\" and relationship \"\(other)\" differ in case only, which is the same table to SQLite; rename one"
                    )
                }
            }
        }
        for (root, names) in columns.sorted(by: { $0.key < $1.key }) where names.count > Self.mostColumns {
            report(
                "entity \"\(model.entities[root].name)\": the table would have \(names.count) columns with those of its subentities, and \(Self.mostColumns) is the most; move some properties to an entity of their own"
            )
        }
    }
}
