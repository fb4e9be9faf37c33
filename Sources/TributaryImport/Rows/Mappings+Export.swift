import TributaryStore

extension Mappings {
    /// The mappings by which an import reads the files of an export.
    ///
    /// A member is read by the property of its name alone. Every entity has its key, by which others refer to it.
    package init(of tables: [ExportTable], in model: Model) {
        self.init()
        for entity in model.entities {
            var mapping = Mapping()
            mapping.infersNames = false
            let key = entity.exportKey.map(\.name)
            if !key.isEmpty { mapping.key = key }
            self[entity.name] = mapping
        }
        for table in tables.flatMap(\.all) {
            guard let entity = table.entity, var mapping = self[entity.name] else { continue }
            for relationship in entity.relationships {
                guard let member = table.links[relationship.name] else { continue }
                mapping[relationship.name].paths = [RemoteKey(path: [member])]
                // Objects of an abstract entity are those of its only subentity.
                let destination = relationship.destination
                if destination.isAbstract {
                    mapping[relationship.name].entity = destination.concreteEntities.first?.name
                }
            }
            self[entity.name] = mapping
        }
    }
}
