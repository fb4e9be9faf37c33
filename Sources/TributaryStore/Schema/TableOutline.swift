/// A table of a schema as plain data, for a copy of its rows in another database.
///
///     "Book"          _pk → key     isbn → attribute     author → link to "Author"
///     "_Book.tags"    _source → link to "Book"     _target → link to "Tag"     _targetOrder → position
package struct TableOutline: Sendable {
    /// What the values of a column are.
    package enum Meaning: Sendable {
        /// The primary key.
        case key
        /// The primary key of a row of another table.
        case link(to: String)
        /// A place in an order.
        case position
        case attribute(AttributeType)
    }

    /// A column.
    package struct Column: Sendable {
        package let name: String
        package let meaning: Meaning
    }

    package let name: String
    /// The entity of its rows; nil for a join table.
    package let entity: Entity?
    /// The columns: those that identify a row, then the others.
    package let columns: [Column]
    /// The number of columns that identify a row.
    package var keyWidth: Int { entity == nil ? 2 : 1 }
    /// For each uniqueness constraint of the entity its columns.
    package let constraints: [[String]]
}

extension Schema {
    /// The table of an entity without subentities.
    package func outline(of entity: Entity) -> TableOutline? {
        guard let layout = table(of: entity) else { return nil }
        var columns = [TableOutline.Column(name: "_pk", meaning: .key)]
        for property in entity.properties {
            guard let column = layout.column(property, of: entity) else { continue }
            switch property {
            case .attribute(let attribute):
                columns.append(.init(name: column.name, meaning: .attribute(attribute.type)))
            case .relationship(let relationship):
                columns.append(.init(name: column.name, meaning: .link(to: relationship.destination.root.name)))
            }
        }
        columns += orders(in: layout).map { .init(name: $0, meaning: .position) }
        let constraints = entity.uniquenessConstraints.map { constraint in
            constraint.properties.compactMap { layout.column($0, of: entity)?.name }
        }
        return TableOutline(name: layout.name, entity: entity, columns: columns, constraints: constraints)
    }

    /// The join tables of relationships of these entities.
    package func joinOutlines(of entities: [Entity]) -> [TableOutline] {
        joins.filter { entities.contains($0.relationship.entity) }.map { join in
            let relationship = join.relationship
            var columns = [
                TableOutline.Column(name: join.source, meaning: .link(to: relationship.entity.root.name)),
                TableOutline.Column(name: join.target, meaning: .link(to: relationship.destination.root.name)),
            ]
            if join.hasTargetOrder { columns.append(.init(name: "_targetOrder", meaning: .position)) }
            if join.hasSourceOrder { columns.append(.init(name: "_sourceOrder", meaning: .position)) }
            return TableOutline(name: join.name, entity: nil, columns: columns, constraints: [])
        }
    }

    /// The join tables with an end at an entity, and the columns of these ends.
    package func joinEnds(of entity: Entity) -> [(table: String, column: String)] {
        joins.flatMap { join in
            let relationship = join.relationship
            return [(join.source, relationship.entity), (join.target, relationship.destination)]
                .filter { $0.1.root == entity.root }.map { (join.name, $0.0) }
        }
    }
}

extension RelationshipProperty {
    /// The column of a to-one relationship; nil if it has none.
    package func column(in schema: Schema) -> String? {
        schema.table(of: entity)?.column(.relationship(self), of: entity)?.name
    }
}
