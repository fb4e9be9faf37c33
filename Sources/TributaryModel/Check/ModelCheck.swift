/// Collects all faults of a model description, and resolves its inheritance.
struct ModelCheck {
    /// A property of an entity, own or inherited, with the description to check.
    enum KnownProperty {
        case attribute(AttributeDescription)
        case relationship(RelationshipDescription)
        case fetched
    }

    /// The number of entities that a chain of inheritance may have.
    static let hierarchyDepthLimit = 100
    /// The number of properties in a table; SQLite supports 2,000 columns, and the store adds its own.
    static let columnLimit = 1_900

    let model: ModelDescription
    private(set) var faults: [String] = []
    private(set) var entityIndexes: [String: Int] = [:]
    private(set) var parents: [Int?]
    /// The indexes of the subentities of each entity.
    private(set) var children: [[Int]]
    /// The indexes of the entities, parents before their subentities, without entities that inherit from themselves.
    private(set) var parentsFirst: [Int] = []
    /// The properties of each entity by name, inherited ones included.
    private(set) var properties: [[String: KnownProperty]]

    init(_ model: ModelDescription) {
        self.model = model
        parents = Array(repeating: nil, count: model.entities.count)
        children = Array(repeating: [], count: model.entities.count)
        properties = Array(repeating: [:], count: model.entities.count)
    }

    mutating func run() {
        checkEntityNames()
        findParents()
        collectProperties()
        // Entities with the same name are reported already, and only the first is checked.
        for index in parentsFirst where entityIndexes[model.entities[index].name] == index {
            checkAttributes(of: index)
            checkDerivations(of: index)
            checkRelationships(of: index)
            checkConstraints(of: index)
            checkIndexes(of: index)
            checkFetchedProperties(of: index)
        }
        checkColumns()
        checkTemplates()
        checkConfigurations()
    }

    mutating func report(_ fault: String) { faults.append(fault) }

    func isKind(_ index: Int, of ancestor: Int) -> Bool {
        var next: Int? = index
        for _ in 0...Self.hierarchyDepthLimit {
            guard let current = next else { return false }
            if current == ancestor { return true }
            next = parents[current]
        }
        return false
    }

    private mutating func checkEntityNames() {
        var spellings: [String: String] = [:]
        for (index, entity) in model.entities.enumerated() {
            checkName(entity.name, of: "entity \"\(entity.name)\"")
            if ReservedNames.isFunction(entity.name) {
                report("entity \"\(entity.name)\" has the name of a function that stores call; rename it")
            }
            guard entityIndexes[entity.name] == nil else {
                report("entity \"\(entity.name)\" is declared twice; rename or remove one")
                continue
            }
            entityIndexes[entity.name] = index
            if let other = spellings.updateValue(entity.name, forKey: entity.name.lowercasedASCII) {
                report(
                    "entity \"\(entity.name)\" and entity \"\(other)\" differ in case only, which is the same table to SQLite; rename one"
                )
            }
        }
    }

    private mutating func findParents() {
        for (index, entity) in model.entities.enumerated() {
            guard let name = entity.parent else { continue }
            if let parent = entityIndexes[name] {
                parents[index] = parent
                children[parent].append(index)
            } else {
                report(
                    "entity \"\(entity.name)\": its parent \"\(name)\" is not an entity of the model; add it or correct the name"
                )
            }
        }
        var next = model.entities.indices.filter { parents[$0] == nil }
        var depth = 1
        while !next.isEmpty {
            parentsFirst += next
            next = next.flatMap { children[$0] }
            depth += 1
            if depth > Self.hierarchyDepthLimit, let first = next.first {
                report(
                    "entity \"\(model.entities[first].name)\" has more than \(Self.hierarchyDepthLimit - 1) ancestors; flatten the hierarchy"
                )
                return
            }
        }
        let reached = Set(parentsFirst)
        for (index, entity) in model.entities.enumerated() where !reached.contains(index) {
            report("entity \"\(entity.name)\" inherits from itself; give one entity of the cycle another parent")
        }
    }

    private mutating func collectProperties() {
        for index in parentsFirst {
            let entity = model.entities[index]
            var names = parents[index].map { properties[$0] } ?? [:]
            let inherited = names
            let own =
                entity.attributes.map { ($0.name, KnownProperty.attribute($0)) }
                + entity.relationships.map { ($0.name, KnownProperty.relationship($0)) }
                + entity.fetchedProperties.map { ($0.name, KnownProperty.fetched) }
            for (name, property) in own {
                checkName(name, of: "entity \"\(entity.name)\": property \"\(name)\"")
                if inherited[name] != nil {
                    report("entity \"\(entity.name)\": property \"\(name)\" is inherited already; remove or rename it")
                } else if names.updateValue(property, forKey: name) != nil {
                    report("entity \"\(entity.name)\": property \"\(name)\" is declared twice; rename or remove one")
                }
            }
            properties[index] = names
        }
    }
}
