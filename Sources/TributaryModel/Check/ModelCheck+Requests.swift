extension ModelCheck {
    mutating func checkConstraints(of index: Int) {
        let entity = model.entities[index]
        for constraint in entity.uniquenessConstraints {
            let owner = "entity \"\(entity.name)\": the uniqueness constraint (\(constraint.joined(separator: ", ")))"
            if constraint.isEmpty { report("\(owner) names no property; name one or remove it") }
            if Set(constraint).count < constraint.count { report("\(owner) names a property twice; remove one") }
            for name in constraint { checkStored(name, index, owner) }
        }
    }

    mutating func checkIndexes(of index: Int) {
        let entity = model.entities[index]
        var names: Set<String> = []
        for described in entity.indexes {
            let owner = "entity \"\(entity.name)\": the index \"\(described.name)\""
            if described.name.isEmpty { report("\(owner) has no name; give it one") }
            if described.name.utf8.contains(0) { report("\(owner) has a NUL in its name; remove it") }
            if !names.insert(described.name.lowercasedASCII).inserted {
                report("\(owner) is declared twice, ignoring case; rename one")
            }
            let properties = described.elements.map(\.property)
            if properties.isEmpty { report("\(owner) names no property; name one or remove it") }
            if Set(properties).count < properties.count { report("\(owner) names a property twice; remove one") }
            for name in properties { checkStored(name, index, owner) }
        }
    }

    /// Reports a property without a column of its entity's table.
    private mutating func checkStored(_ name: String, _ index: Int, _ owner: String) {
        switch properties[index][name] {
        case .attribute(let attribute) where attribute.isTransient:
            report("\(owner) names \"\(name)\", which is transient; store it or leave it out")
        case .relationship(let relationship) where relationship.isTransient:
            report("\(owner) names \"\(name)\", which is transient; store it or leave it out")
        case .relationship(let relationship) where relationship.isToMany:
            report("\(owner) names \"\(name)\", which is to-many; leave it out")
        case .attribute, .relationship: return
        case .fetched: report("\(owner) names \"\(name)\", which is a fetched property; leave it out")
        case nil:
            report("\(owner) names \"\(name)\", which is not a property of the entity; add it or correct the name")
        }
    }

    mutating func checkFetchedProperties(of index: Int) {
        let entity = model.entities[index]
        for property in entity.fetchedProperties where entityIndexes[property.entity] == nil {
            report(
                "entity \"\(entity.name)\": fetched property \"\(property.name)\" fetches \"\(property.entity)\", which is not an entity of the model; add it or correct the name"
            )
        }
    }

    mutating func checkTemplates() {
        var names: Set<String> = []
        for template in model.fetchTemplates {
            let owner = "fetch template \"\(template.name)\""
            if template.name.isEmpty { report("\(owner) has no name; give it one") }
            if !names.insert(template.name).inserted { report("\(owner) is declared twice; rename or remove one") }
            if entityIndexes[template.entity] == nil {
                report(
                    "\(owner) fetches \"\(template.entity)\", which is not an entity of the model; add it or correct the name"
                )
            }
            if template.limit < 0 || template.batchSize < 0 {
                report("\(owner) has a negative limit or batch size; use 0 for all")
            }
        }
    }

    mutating func checkConfigurations() {
        var names: Set<String> = []
        for configuration in model.configurations {
            let owner = "configuration \"\(configuration.name)\""
            if configuration.name.isEmpty { report("\(owner) has no name; give it one") }
            if !names.insert(configuration.name).inserted { report("\(owner) is declared twice; rename or remove one") }
            var members: Set<String> = []
            for name in configuration.entities {
                if entityIndexes[name] == nil {
                    report("\(owner) has \"\(name)\", which is not an entity of the model; add it or correct the name")
                } else if !members.insert(name).inserted {
                    report("\(owner) has entity \"\(name)\" twice; remove one")
                }
            }
        }
    }
}
