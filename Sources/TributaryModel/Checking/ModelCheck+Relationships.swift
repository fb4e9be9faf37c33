extension ModelCheck {
    mutating func checkRelationships(of index: Int) {
        let entity = model.entities[index].name
        for relationship in model.entities[index].relationships {
            let owner = "entity \"\(entity)\": relationship \"\(relationship.name)\""
            checkCounts(of: relationship, owner)
            guard let destination = places[relationship.destination] else {
                report(
                    relationship.destination.isEmpty
                        ? "\(owner) has no destination; name an entity"
                        : "\(owner) leads to \"\(relationship.destination)\", which is no entity of the model; add it or correct the name"
                )
                continue
            }
            checkInverse(of: relationship, index, destination, owner)
        }
    }

    private mutating func checkCounts(of relationship: RelationshipDescription, _ owner: String) {
        if relationship.isOrdered, !relationship.isToMany {
            report("\(owner) leads to one and cannot be ordered; make it to-many or remove the order")
        }
        if relationship.minimumCount < 0 || relationship.maximumCount < 0 {
            report("\(owner) has a negative count; use 0 for none or any")
        } else if relationship.maximumCount != 0, relationship.minimumCount > relationship.maximumCount {
            report("\(owner) has a minimum count above its maximum count; exchange them")
        }
        if !relationship.isToMany, max(relationship.minimumCount, relationship.maximumCount) > 1 {
            report("\(owner) leads to one and cannot count further; make it to-many or remove the counts")
        }
    }

    private mutating func checkInverse(
        of relationship: RelationshipDescription, _ index: Int, _ destination: Int, _ owner: String
    ) {
        var holder = destination
        if let name = relationship.inverseEntity {
            guard let place = places[name] else {
                report("\(owner) has its inverse at \"\(name)\", which is no entity of the model; correct the name")
                return
            }
            guard isKind(destination, of: place) else {
                report(
                    "\(owner) has its inverse at entity \"\(name)\", which is neither its destination nor an ancestor of it; name one of these"
                )
                return
            }
            holder = place
        }
        guard let inverse = relationship.inverse else { return }
        let place = "\"\(inverse)\" of entity \"\(model.entities[holder].name)\""
        guard case .relationship(let other, _) = known[holder][inverse] else {
            report("\(owner) has \(place) as its inverse, which is no relationship; add it or correct the name")
            return
        }
        guard let back = places[other.destination], isKind(back, of: index) else {
            report(
                "\(owner) has \(place) as its inverse, which leads to \"\(other.destination)\"; let it lead to \"\(model.entities[index].name)\""
            )
            return
        }
        guard other.inverse == relationship.name else {
            let found = other.inverse.map { "has \"\($0)\" as its own inverse" } ?? "has no inverse"
            report("\(owner) has \(place) as its inverse, which \(found); let both name one another")
            return
        }
    }
}
