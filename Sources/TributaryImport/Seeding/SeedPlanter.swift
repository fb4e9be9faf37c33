import TributaryStore
import TributaryJSON

/// Makes objects from seed files.
///
/// The members of an object are properties of its entity. `"<id>"` names the object for the rest of the seed, and a
/// relationship refers to it by `"<ref:NAME>"`.
package final class SeedPlanter<Ground: SeedGround> {
    let reader: SeedReader
    /// The number of objects made so far.
    var count: Int { counts.values.reduce(0, +) }
    /// The number of objects made so far of each entity.
    private(set) var counts: [String: Int] = [:]
    /// The number of objects that are not saved yet.
    private(set) var unsavedCount = 0
    private let ground: Ground
    /// The named objects that are not saved yet.
    private var unsaved: [String: Ground.Object] = [:]
    /// The names of the other ones on the ground.
    private var saved: [String: Ground.ID] = [:]
    /// The greatest number that an object has for an attribute for which the seed has asked for one.
    private var greatest: [AttributeProperty: Int64] = [:]

    package init(_ ground: Ground, _ loader: (any SeedLoader)?) {
        self.ground = ground
        reader = SeedReader(loader)
    }

    /// Plants a file and the files that it includes; calls `body` with each top-level object.
    package func plant(_ place: SeedPlace, _ body: (Ground.Object) throws -> Void) throws {
        try reader.read(place) { name, json in
            if name == SeedSyntax.seedlings {
                try plant(try reader.place(of: json), body)
            } else {
                try body(try plant(name, json))
            }
        }
    }

    /// Saves all objects, and removes them from memory.
    func save() throws {
        let named = Array(unsaved)
        for ((name, _), id) in zip(named, try ground.save(naming: named.map(\.value))) { saved[name] = id }
        (unsaved, unsavedCount) = ([:], 0)
    }

    // MARK: Objects

    private func plant(_ name: String, _ json: JSON) throws -> Ground.Object {
        guard let entity = ground.model[name] else {
            throw reader.failure(
                .unknown, "the model has no entity \(Excerpt.escape(name))", json,
                hint: "it has \(ground.model.entities.map(\.name).shortList)")
        }
        guard !entity.isAbstract else {
            throw reader.failure(.unknown, "\(name) is abstract", json, hint: "name a subentity")
        }
        guard json.kind == .object else {
            throw reader.failure(
                .form, "\(name) is not given as an object", json, hint: "write {\"\(name)\": {…}} or [{…}, …]")
        }
        let object = try ground.insert(entity)
        counts[name, default: 0] += 1
        unsavedCount += 1
        // The objects inside may refer to this one.
        let id = json[SeedSyntax.id]
        if !id.isMissing { try register(object, id) }
        var members: Set<String> = []
        for (member, value) in json.members {
            guard members.insert(member).inserted else {
                throw reader.failure(
                    .form, "\(name) has \(Excerpt.escape(member)) twice", value, hint: "remove one of them")
            }
            if member == SeedSyntax.id { continue }
            switch entity[member] {
            case .attribute(let attribute): try set(attribute, value, of: object, entity)
            case .relationship(let relationship): try set(relationship, value, of: object, entity)
            case nil:
                throw reader.failure(
                    .unknown, "\(name) has no property \(Excerpt.escape(member))", value,
                    hint: "it has \(entity.properties.map(\.name).sorted().joined(separator: ", "))")
            }
        }
        return object
    }

    private func set(
        _ attribute: AttributeProperty, _ json: JSON, of object: Ground.Object, _ entity: Entity
    ) throws {
        let name = "\(entity.name).\(attribute.name)"
        do {
            let value: FilterValue
            if json.text == SeedSyntax.uniqueID {
                let number = try newNumber(for: attribute)
                guard number <= SeedPlanter.largest(of: attribute) else {
                    throw reader.failure(
                        .value, "\(name) has no number left: the next one is \(number)", json,
                        hint: "give it a wider type, or set the number")
                }
                value = attribute.type.kind == .string ? .string("\(number)") : .integer(number)
            } else {
                guard json.isNull || ![.transformable, .objectID].contains(attribute.type.kind) else {
                    throw reader.failure(
                        .value, "\(name) is \(attribute.type.kind.rawValue), which JSON cannot express", json,
                        hint: "set it in the program")
                }
                value = attribute.filterValue(stored: try Coercion(attribute, isKey: false).value(json))
                if case .integer(let number) = value, number < endOfNumbers, let known = greatest[attribute] {
                    greatest[attribute] = max(known, number)
                }
            }
            guard value.isNull || !entity.derived.isDerived(attribute.slot) else {
                throw reader.failure(
                    .value, entity.derived.refusal(attribute.slot), json, hint: "it is computed by the next save")
            }
            try ground.set(attribute, of: object, to: value)
        } catch let error as JSONError {
            throw reader.failure(error, .value, property: name)
        } catch let error as AttributeError {
            throw reader.failure(.value, "\(error)", json, hint: nil)
        }
    }

    /// A number that no object has for an attribute, also where the numbers are those of another program.
    private func newNumber(for attribute: AttributeProperty) throws -> Int64 {
        guard !attribute.isTransient else { return try ground.numbers.next() }
        if attribute.type.kind == .string {
            let isUnique = attribute.entity.uniquenessConstraints.contains {
                $0.properties.map(\.name) == [attribute.name]
            }
            while true {
                let number = try ground.numbers.next()
                if try !isUnique || !ground.contains("\(number)", in: attribute) { return number }
            }
        }
        if greatest[attribute] == nil, [.integer16, .integer32, .integer64].contains(attribute.type) {
            // A greater number is none of a series, and leaves few after it.
            greatest[attribute] = try ground.greatest(attribute, below: endOfNumbers).map { max(0, $0) }
        }
        let known = greatest[attribute] ?? 0
        // All attributes share the numbers, so that those after a very large one are of this attribute alone.
        guard known >= endOfSharedNumbers else { return try ground.numbers.next(after: known) }
        greatest[attribute] = known + 1
        return known + 1
    }

    private let endOfNumbers: Int64 = 1 << 62
    private let endOfSharedNumbers: Int64 = 1 << 30

    private static func largest(of attribute: AttributeProperty) -> Int64 {
        switch attribute.type {
        case .integer16: Int64(Int16.max)
        case .integer32: Int64(Int32.max)
        default: .max
        }
    }

    // MARK: Relationships

    private func set(
        _ relationship: RelationshipProperty, _ json: JSON, of object: Ground.Object, _ entity: Entity
    ) throws {
        let name = "\(entity.name).\(relationship.name)"
        let others = try destinations(json, name)
        for other in others.map(ground.entity) where !other.isKind(of: relationship.destination) {
            throw reader.failure(
                .value, "\(name) has objects of \(relationship.destination.name), not of \(other.name)", json,
                hint: nil)
        }
        if relationship.isToMany {
            ground.add(others, to: relationship, of: object)
        } else {
            guard others.count == (json.isNull ? 0 : 1) else {
                throw reader.failure(
                    .value, "\(name) has one object, and the seed gives it \(others.count)", json,
                    hint: "give it one, or null")
            }
            ground.set(relationship, of: object, to: others.first)
        }
    }

    /// The objects of a value: a reference, an object with one member as in a seed file, or an array of both.
    private func destinations(_ json: JSON, _ name: String) throws -> [Ground.Object] {
        switch json.kind {
        case .null: return []
        case .string: return [try reference(json, name)]
        case .array:
            return try json.elements.flatMap { element in
                guard [.string, .object].contains(element.kind) else { throw relationshipForm(element, name) }
                return try destinations(element, name)
            }
        case .object:
            guard json.members.count == 1, let (member, value) = json.members.first(where: { _ in true }) else {
                throw relationshipForm(json, name)
            }
            let values = value.kind == .array ? Array(value.elements) : [value]
            guard member == SeedSyntax.seedlings else { return try values.map { try plant(member, $0) } }
            var objects: [Ground.Object] = []
            for seedling in values {
                let place = try reader.place(of: seedling)
                try plant(place) { objects.append($0) }
            }
            return objects
        default: throw relationshipForm(json, name)
        }
    }

    private func relationshipForm(_ json: JSON, _ name: String) -> SeedError {
        reader.failure(
            .form, "\(name) is a relationship, and this is not an object for it", json,
            hint:
                "write {\"seedlings\": […]}, {\"ENTITY\": {…}}, {\"ENTITY\": [{…}, …]}, \"<ref:NAME>\" or an array of them"
        )
    }

    // MARK: Names

    private func register(_ object: Ground.Object, _ json: JSON) throws {
        guard let name = json.text, !name.isEmpty else {
            throw reader.failure(.reference, "<id> is not a text", json, hint: "write \"<id>\": \"NAME\"")
        }
        guard unsaved[name] == nil, saved[name] == nil else {
            throw reader.failure(
                .reference, "another object of the seed has the <id> \(Excerpt.escape(name))", json,
                hint: "give each object its own")
        }
        unsaved[name] = object
    }

    private func reference(_ json: JSON, _ property: String) throws -> Ground.Object {
        guard let text = json.text, text.hasPrefix(SeedSyntax.reference), text.hasSuffix(">") else {
            throw relationshipForm(json, property)
        }
        let name = String(text.dropFirst(SeedSyntax.reference.count).dropLast())
        if let object = unsaved[name] ?? saved[name].map(ground.object) { return object }
        throw reader.failure(
            .reference, "no object before this place has the <id> \(Excerpt.escape(name))", json,
            hint: "an object must come before the references to it")
    }
}

/// The words of seed files that are not names of the model.
enum SeedSyntax {
    static let seedlings = "seedlings"
    static let uniqueID = "<uniqueID>"
    static let id = "<id>"
    static let reference = "<ref:"
}

extension JSON {
    /// The text of a string; nil for any other value.
    fileprivate var text: String? { kind == .string ? try? String(json: self) : nil }
}
