/// Looks for everything that is wrong with a model, and finds out who inherits from whom.
struct ModelCheck {
    /// What a name stands for in an entity, inherited names included.
    enum Known {
        case attribute(AttributeDescription)
        case relationship(RelationshipDescription, owner: Int)
        case fetched
    }

    /// The most entities that can inherit from one another in a row.
    static let deepestHierarchy = 100
    /// SQLite takes 2,000 columns a table; some are ours.
    static let mostColumns = 1_900

    let model: ModelDescription
    private(set) var faults: [String] = []
    /// The place of each entity by name.
    private(set) var places: [String: Int] = [:]
    /// The place of the parent of each entity.
    private(set) var parents: [Int?]
    /// The places of the subentities of each entity.
    private(set) var children: [[Int]]
    /// The places of the entities, parents before their subentities; those that inherit in a circle are missing.
    private(set) var parentsFirst: [Int] = []
    /// The properties of each entity by name, inherited ones included.
    private(set) var known: [[String: Known]]

    init(_ model: ModelDescription) {
        self.model = model
        parents = Array(repeating: nil, count: model.entities.count)
        children = Array(repeating: [], count: model.entities.count)
        known = Array(repeating: [:], count: model.entities.count)
    }

    /// Collects the faults.
    mutating func run() {
        checkEntityNames()
        findParents()
        collectProperties()
        // Of entities of one name the first stands for all.
        for index in parentsFirst where places[model.entities[index].name] == index {
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

    /// Whether an entity is `ancestor` or inherits from it.
    func isKind(_ index: Int, of ancestor: Int) -> Bool {
        var place: Int? = index
        for _ in 0...Self.deepestHierarchy {
            guard let current = place else { return false }
            if current == ancestor { return true }
            place = parents[current]
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
            guard places[entity.name] == nil else {
                report("entity \"\(entity.name)\" stands twice; rename or remove one")
                continue
            }
            places[entity.name] = index
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
            if let parent = places[name] {
                parents[index] = parent
                children[parent].append(index)
            } else {
                report(
                    "entity \"\(entity.name)\": its parent \"\(name)\" is no entity of the model; add it or correct the name"
                )
            }
        }
        var next = model.entities.indices.filter { parents[$0] == nil }
        var depth = 1
        while !next.isEmpty {
            parentsFirst += next
            next = next.flatMap { children[$0] }
            depth += 1
            if depth > Self.deepestHierarchy, let first = next.first {
                report(
                    "entity \"\(model.entities[first].name)\" has more than \(Self.deepestHierarchy - 1) ancestors; flatten the hierarchy"
                )
                return
            }
        }
        let reached = Set(parentsFirst)
        for (index, entity) in model.entities.enumerated() where !reached.contains(index) {
            report("entity \"\(entity.name)\" inherits from itself; give one entity of the circle another parent")
        }
    }

    private mutating func collectProperties() {
        for index in parentsFirst {
            let entity = model.entities[index]
            var names = parents[index].map { known[$0] } ?? [:]
            let inherited = names
            let own =
                entity.attributes.map { ($0.name, Known.attribute($0)) }
                + entity.relationships.map { ($0.name, Known.relationship($0, owner: index)) }
                + entity.fetchedProperties.map { ($0.name, Known.fetched) }
            for (name, what) in own {
                checkName(name, of: "entity \"\(entity.name)\": property \"\(name)\"")
                if inherited[name] != nil {
                    report("entity \"\(entity.name)\": property \"\(name)\" is inherited already; remove or rename it")
                } else if names.updateValue(what, forKey: name) != nil {
                    report("entity \"\(entity.name)\": property \"\(name)\" stands twice; rename or remove one")
                }
            }
            known[index] = names
        }
    }
}
