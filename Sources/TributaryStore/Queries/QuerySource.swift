/// What a query reads: an entity of a stored model, or a table of another program as an entity.
package struct QuerySource: Sendable {
    /// The entity.
    package let entity: Entity
    /// Whether it is a table or view of another program, whose values are those that SQLite has.
    package let isPlain: Bool
    /// Whether each row has a key of its own, which views and tables with a key of several columns may lack.
    package internal(set) var identifiesRows = true
    /// The column of a table of another program whose value is the key of a row, if there is one.
    package internal(set) var keyColumn: String?
    /// The columns of a table of another program by the names of their attributes.
    var columnNames: [String: String] = [:]
    /// Translates requests, and keeps the model.
    let compiler: FetchCompiler

    /// An entity of a model, whose rows have the order of their keys if they have keys.
    init(_ entity: Entity, of model: Model, isPlain: Bool = false, hasKeys: Bool = true) {
        (self.entity, self.isPlain) = (entity, isPlain)
        var compiler = FetchCompiler(schema: Schema(model), model: model)
        compiler.ordersByKey = hasKeys
        self.compiler = compiler
    }

    /// The names of all properties that have a column: attributes and to-one relationships.
    package var fields: [String] {
        entity.properties.filter { compiler.schema.table(of: entity)?.column($0, of: entity) != nil }.map(\.name)
    }

    /// The path, or that of the key of the object to which it leads, if that has a key of one attribute.
    ///
    ///     ["author"] → ["author", "id"]     ["title"] → ["title"]
    package func valuePath(_ path: [String]) -> [String] {
        guard case .relationship(let relationship)? = property(at: path), !relationship.isToMany,
            let key = ReadableTable.key(of: relationship.destination, in: compiler.schema)
        else { return path }
        return path + [key.attribute.name]
    }

    /// The column of an attribute or a to-one relationship; nil if there is none.
    package func columnName(_ name: String) -> String? {
        if isPlain { return columnNames[name] }
        return entity[name].flatMap { compiler.schema.table(of: entity)?.column($0, of: entity)?.name }
    }

    /// The attribute of a column of a table of another program.
    package func attributeName(ofColumn column: String) -> String? {
        columnNames.first { $0.value.lowercasedASCII == column.lowercasedASCII }?.key
    }

    /// The attribute that is the only one of a key; nil if there is none.
    package var keyName: String? {
        isPlain
            ? keyColumn.flatMap(attributeName(ofColumn:))
            : ReadableTable.key(of: entity, in: compiler.schema)?.attribute.name
    }

    /// What the values at the end of a path are; nil unless it leads to an attribute.
    func meaning(of path: [String]) -> ReadableTable.Meaning? {
        guard case .attribute(let attribute)? = property(at: path) else { return nil }
        return isPlain ? .plain : ReadableTable.Meaning(attribute)
    }

    /// The property at the end of a path; nil if a name is unknown.
    package func property(at path: [String]) -> Property? {
        var (owner, found): (Entity?, Property?) = (entity, nil)
        for key in path {
            guard let property = owner?[key] else { return nil }
            found = property
            owner = property.relationship?.destination
        }
        return found
    }

    /// The first name in a path that no property has, and the entity without it; nil if there is none.
    package func unknownName(in path: [String]) -> (name: String, entity: Entity)? {
        var owner = entity
        for key in path {
            guard let property = owner[key] else { return key.hasPrefix("@") ? nil : (key, owner) }
            guard let relationship = property.relationship else { return nil }
            owner = relationship.destination
        }
        return nil
    }
}
