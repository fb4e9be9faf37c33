extension ModelCheck {
    mutating func checkRelationships(of index: Int) {
        let entity = model.entities[index].name
        for relationship in model.entities[index].relationships {
            let owner = "entity \"\(entity)\": relationship \"\(relationship.name)\""
            checkCounts(of: relationship, owner)
            guard let destination = entityIndexes[relationship.destination] else {
                report(
                    relationship.destination.isEmpty
                        ? "\(owner) has no destination; name an entity"
                        : "\(owner) has the destination \"\(relationship.destination)\", which is not an entity of the model; add it or correct the name"
                )
                continue
            }
            checkInverse(of: relationship, index, destination, owner)
        }
    }

    private mutating func checkCounts(of relationship: RelationshipDescription, _ owner: String) {
        if relationship.isOrdered, !relationship.isToMany {
            report("\(owner) is to-one and cannot be ordered; make it to-many or remove the order")
        }
        if relationship.minimumCount < 0 || relationship.maximumCount < 0 {
            report("\(owner) has a negative count; use 0 for none or any")
        } else if relationship.maximumCount != 0, relationship.minimumCount > relationship.maximumCount {
            report("\(owner) has a minimum count above its maximum count; swap them")
        }
        if !relationship.isToMany, max(relationship.minimumCount, relationship.maximumCount) > 1 {
            report("\(owner) is to-one and cannot have a count above 1; make it to-many or remove the counts")
        }
    }

    private mutating func checkInverse(
        of relationship: RelationshipDescription, _ index: Int, _ destination: Int, _ owner: String
    ) {
        var holder = destination
        if let name = relationship.inverseEntity {
            guard let ancestor = entityIndexes[name] else {
                report("\(owner) has its inverse at \"\(name)\", which is not an entity of the model; correct the name")
                return
            }
            guard isKind(destination, of: ancestor) else {
                report(
                    "\(owner) has its inverse at entity \"\(name)\", which is neither its destination nor an ancestor of it; name one of these"
                )
                return
            }
            holder = ancestor
        }
        guard let inverse = relationship.inverse else { return }
        let end = "\"\(inverse)\" of entity \"\(model.entities[holder].name)\""
        guard case .relationship(let other) = properties[holder][inverse] else {
            report("\(owner) has \(end) as its inverse, which is not a relationship; add it or correct the name")
            return
        }
        guard let origin = entityIndexes[other.destination], isKind(origin, of: index) else {
            report(
                "\(owner) has \(end) as its inverse, which has the destination \"\(other.destination)\"; change that to \"\(model.entities[index].name)\""
            )
            return
        }
        guard other.inverse == relationship.name else {
            let found = other.inverse.map { "has \"\($0)\" as its own inverse" } ?? "has no inverse"
            report("\(owner) has \(end) as its inverse, which \(found); make each the inverse of the other")
            return
        }
    }
}
