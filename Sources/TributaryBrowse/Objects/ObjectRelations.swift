import TributaryModel
import TributarySQLite
import TributaryStore

/// The relations of an object in both directions.
struct ObjectRelations {
    private let key: SQLValue
    private let number: Int64
    private let source: QuerySource
    private let database: BrowsedDatabase

    /// The relations of the object with a key.
    init(_ key: SQLValue, _ source: QuerySource, _ database: BrowsedDatabase) {
        (self.key, self.source, self.database) = (key, source, database)
        if case .integer(let number) = key { self.number = number } else { number = 0 }
    }

    /// What the template shows of each relationship, then of those of other entities that have no inverse.
    func values() throws -> [PageValues] {
        var relations: [PageValues] = []
        for relationship in source.entity.relationships where !relationship.isTransient {
            let destination = try database.source(relationship.destination.name)
            guard !destination.isPlain else { continue }
            var list = RowList(ValueRequest(entity: destination.entity.name))
            var address: String?
            if relationship.isToMany {
                list.scope = .destinations(relationship, of: number)
                address = ColumnLinks.objects(of: relationship, of: source.entity.name, key)
            } else {
                list.scope = .keys(try destinations(of: relationship))
            }
            var values = try RelatedRows(database).values(list, in: destination, all: address)
            (values["name"], values["entity"]) = (.text(relationship.name), .text(destination.entity.name))
            values["entityAddress"] = .text(Addresses.list(destination.entity.name))
            relations.append(values)
        }
        for relationship in incoming {
            let owner = try database.source(relationship.entity.name)
            guard !owner.isPlain else { continue }
            var list = RowList(ValueRequest(entity: owner.entity.name))
            list.scope = .owners(relationship, of: number)
            let address = Addresses.list(
                owner.entity.name,
                [("of", source.entity.name), ("key", ValueText.text(of: key)), ("into", relationship.name)])
            var values = try RelatedRows(database).values(list, in: owner, all: address)
            (values["name"], values["isIncoming"]) = (.text(relationship.name), true)
            values["entity"] = .text(owner.entity.name)
            values["entityAddress"] = .text(Addresses.list(owner.entity.name))
            relations.append(values)
        }
        return relations
    }

    /// The key of the object to which a to-one relationship leads.
    private func destinations(of relationship: RelationshipProperty) throws -> [SQLValue] {
        var request = ValueRequest(entity: source.entity.name)
        request.columns = [ValueRequest.Column("c", .keyPath([relationship.name]))]
        var list = RowList(request)
        list.scope = .keys([key])
        var keys: [SQLValue] = []
        _ = try database.database.forEachRow(of: list, in: source) { cursor, _ in keys.append(cursor.cell(at: 0).value)
        }
        return keys
    }

    /// The relationships of all entities that may lead here and have no inverse.
    private var incoming: [RelationshipProperty] {
        let entities = database.database.model?.entities ?? []
        return entities.flatMap { entity in
            entity.relationships.filter { relationship in
                relationship.entity == entity && relationship.inverse == nil && !relationship.isTransient
                    && source.entity.isKind(of: relationship.destination)
            }
        }
    }
}
