import TributaryStore
import TributaryJSON
package import TributaryModel

/// A model with an attribute for each member that a profile has found, and the mapping of the members.
///
///     let profile = try DumpProfile(of: [.file("users.json.gz")])
///     let found = try ProfiledModel(profile, [.init(name: "users", path: [])])
///     print(ModelWriter.write(found.model))  // an entity User, and one for each kind of objects with an id inside
///
/// All records that were read can be imported with it, but for what `leftOut` names.
package struct ProfiledModel {
    /// Records, and what they are called.
    package struct Place {
        let name: String
        let path: [PathProfile.Step]
        let key: ImportKey?

        /// Records at a path of a profile, with the name of their file or member and their key.
        package init(name: String, path: [PathProfile.Step], key: ImportKey?) {
            (self.name, self.path, self.key) = (name, path, key)
        }
    }

    /// The entities, with the mapping in their `userInfo`.
    package private(set) var model = ModelDescription()
    /// The members that have no attribute, since no attribute can have their names.
    package private(set) var leftOut: [String] = []
    /// The names of the entities of the places.
    package private(set) var names: [String] = []
    private var mappings: [Mapping] = []

    /// The model for records at some places.
    ///
    /// - Throws: `ImportError` if there are more paths than a profile keeps, `ModelError` if no model can hold the members.
    package init(_ profile: DumpProfile, _ places: [Place]) throws {
        try profile.checkShapes()
        var records: [(ObjectShape, ImportKey?)] = []
        for place in places {
            guard let found = profile.records[path: place.path[...]] else { continue }
            let shape = ObjectShape(place.name, SurveyedPlaces(hasPlainKeys: true))
            shape.add(found, at: place.path, profile)
            records.append((shape, place.key.flatMap { shape.allows($0) ? $0 : nil }))
        }
        let discovered = try DiscoveredTables(records, all: false, known: [], holdsValues: { _, _ in false })
        (model.entities, leftOut) = (discovered.entities, discovered.leftOut)
        mappings = try model.entities.map(ProfiledModel.mapping)
        for index in model.entities.indices { finish(index, discovered.attributes[index] ?? [:]) }
        nameEntities()
        names = records.map { entityNames[$0.0.name] ?? $0.0.name }
        for index in model.entities.indices {
            model.entities[index].userInfo[MappingResolver.entry] = MappingCoding.text(mappings[index], pretty: false)
        }
        _ = try Model(model)
    }

    private static func mapping(of entity: EntityDescription) throws -> Mapping {
        try MappingCoding.decode(
            Mapping.self, Array((entity.userInfo[MappingResolver.entry] ?? "{}").utf8), from: entity.name)
    }

    /// The model without the mapping, and the mapping by itself.
    package var parts: (model: ModelDescription, mappings: Mappings) {
        var plain = model
        var mappings = Mappings()
        for index in model.entities.indices {
            plain.entities[index].userInfo[MappingResolver.entry] = nil
            mappings[model.entities[index].name] = self.mappings[index]
        }
        return (plain, mappings)
    }

    // MARK: Attributes

    /// Gives an entity typed attributes with names that a model allows.
    private mutating func finish(_ index: Int, _ found: [String: FoundAttribute]) {
        let keys = Set(model.entities[index].uniquenessConstraints.flatMap(\.self))
        model.entities[index].attributes.removeAll { $0.name == InferredColumns.rest && !keys.contains($0.name) }
        var taken = Set(
            (model.entities[index].attributes.map(\.name) + model.entities[index].relationships.map(\.name))
                .map(\.lowercasedASCII))
        for place in model.entities[index].attributes.indices {
            let inferred = model.entities[index].attributes[place]
            let attribute = found[inferred.name]
            let name = ProfiledModel.allowed(inferred.name, &taken)
            var typed = AttributeDescription(name, attribute?.type ?? .json)
            if keys.contains(inferred.name) { typed.type = ProfiledModel.keyType(inferred.valueKinds, attribute) }
            var rule = mappings[index].properties.removeValue(forKey: inferred.name) ?? PropertyRule()
            if name != inferred.name, rule.paths.isEmpty { rule.paths = [RemoteKey(path: [inferred.name])] }
            if let inner = attribute?.inner, typed.type != .json {
                rule.paths = [RemoteKey(path: (rule.paths.first?.path ?? [inferred.name]).prefix(1) + [inner])]
            }
            if typed.type == .date, let dates = attribute?.dates { rule.dates = [dates] }
            if rule != PropertyRule() { mappings[index].properties[name] = rule }
            model.entities[index].attributes[place] = typed
            rename(inferred.name, to: name, in: index)
        }
        for place in model.entities[index].relationships.indices {
            // The other end of a link of the entity to itself may have a new name since.
            let link = model.entities[index].relationships[place]
            let name = ProfiledModel.allowed(link.name, &taken)
            if name != link.name { renameLink(link, to: name, in: index) }
        }
    }

    /// The type of a key, whose values may also be in records that refer to the objects.
    private static func keyType(_ kinds: ValueKinds, _ attribute: FoundAttribute?) -> AttributeType {
        if let attribute, attribute.inner != nil { return attribute.type }
        return kinds.isSubset(of: [.integer, .largeInteger]) ? .integer64 : .string
    }

    /// A name that a model allows and that is not taken.
    private static func allowed(_ name: String, _ taken: inout Set<String>) -> String {
        var allowed = name.replacing(".", with: "_")
        while let first = allowed.first, first == "_" || first == "@" { allowed.removeFirst() }
        if allowed.lowercasedASCII.hasPrefix("sqlite_") || allowed.isEmpty { allowed = "member_\(allowed)" }
        guard allowed != name else { return name }
        let names = [allowed] + (2...10_000).lazy.map { "\(allowed)_\($0)" }
        let free = names.first { !taken.contains($0.lowercasedASCII) } ?? allowed
        taken.insert(free.lowercasedASCII)
        return free
    }

    private mutating func rename(_ old: String, to new: String, in index: Int) {
        guard old != new else { return }
        for place in model.entities[index].uniquenessConstraints.indices {
            model.entities[index].uniquenessConstraints[place] = model.entities[index].uniquenessConstraints[place].map
            {
                $0 == old ? new : $0
            }
        }
        mappings[index].key = mappings[index].key?.map { $0 == old ? new : $0 }
    }

    private mutating func renameLink(_ link: RelationshipDescription, to name: String, in index: Int) {
        for place in model.entities[index].relationships.indices
        where model.entities[index].relationships[place].name == link.name {
            model.entities[index].relationships[place].name = name
        }
        let owner = model.entities[index].name
        for other in model.entities.indices where model.entities[other].name == link.destination {
            for place in model.entities[other].relationships.indices
            where model.entities[other].relationships[place].name == link.inverse {
                let inverse = model.entities[other].relationships[place]
                if inverse.destination == owner { model.entities[other].relationships[place].inverse = name }
            }
        }
        if let rule = mappings[index].properties.removeValue(forKey: link.name) {
            mappings[index].properties[name] = rule
        }
    }

    // MARK: Names of entities

    private var entityNames: [String: String] = [:]

    /// Names entities as classes are named: `User` for `users`.
    private mutating func nameEntities() {
        let counts = Dictionary(grouping: model.entities.map { ProfiledModel.className($0.name).lowercased() }) { $0 }
        for entity in model.entities {
            let name = ProfiledModel.className(entity.name)
            entityNames[entity.name] = counts[name.lowercased()]?.count == 1 ? name : entity.name
        }
        nameOwners()
        for index in model.entities.indices {
            model.entities[index].name = entityNames[model.entities[index].name] ?? model.entities[index].name
            for place in model.entities[index].relationships.indices {
                let link = model.entities[index].relationships[place]
                model.entities[index].relationships[place].destination =
                    entityNames[link.destination] ?? link.destination
                model.entities[index].relationships[place].inverseEntity = link.inverseEntity.map {
                    entityNames[$0] ?? $0
                }
            }
        }
    }

    /// Names a relationship to the one owner of an object as its class: `user` for `users`.
    private mutating func nameOwners() {
        for index in model.entities.indices {
            let taken = model.entities[index].attributes.map(\.name) + model.entities[index].relationships.map(\.name)
            for link in model.entities[index].relationships where !link.isToMany && link.name == link.destination {
                guard let name = entityNames[link.destination], name != link.destination else { continue }
                let owner = name.prefix(1).lowercased() + name.dropFirst()
                if !taken.contains(where: { $0.lowercased() == owner.lowercased() }) {
                    renameLink(link, to: owner, in: index)
                }
            }
        }
    }

    /// The name of the class for objects with a name, as in `users`, `order-lines` or `countries`.
    static func className(_ name: String) -> String {
        let words = name.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        guard let last = words.last, words.allSatisfy({ $0.utf8.allSatisfy { $0 < 128 } }),
            words.first?.first?.isLetter ?? false
        else { return name }
        return (words.dropLast() + [singular(last)]).map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    private static func singular(_ word: String) -> String {
        let lower = word.lowercased()
        if lower.count > 4, lower.hasSuffix("ies") { return word.dropLast(3) + "y" }
        if ["sses", "xes", "ches", "shes"].contains(where: lower.hasSuffix) { return String(word.dropLast(2)) }
        let keepsS = ["ss", "us", "is"].contains(where: lower.hasSuffix) || lower.count < 4
        return lower.hasSuffix("s") && !keepsS ? String(word.dropLast()) : word
    }
}

extension DumpProfile {
    /// Throws if there may be typed values of Extended JSON, which are plain in tables.
    func checkTypedValues(_ places: SurveyedPlaces) throws {
        var isTyped = false
        records.forEach { path, _ in
            if case .member(let name)? = path.last, name.hasPrefix("$") { isTyped = true }
        }
        guard isTyped, places.unwrapsExtendedJSON else { return }
        throw ImportError(
            .route, "the records have typed values of MongoDB, and their profile does not tell the plain ones",
            hint: "import without the profile, or keep these values as they are")
    }

    /// Throws if the profile does not tell all members of objects.
    func checkShapes() throws {
        guard further.isEmpty, !records.isDictionary else {
            throw ImportError(
                .route, "the records have more paths than a profile keeps, so it does not tell their tables",
                hint: "import without a profile, or a model that is made of one")
        }
    }
}
