package import TributaryModel

/// What in a dump does not fit an entity of a model, as an import with the model would find it.
package struct ModelDrift {
    private let entity: Entity
    private let profile: DumpProfile
    private let hidesValues: Bool
    private let describe: (ValuePlace) -> String
    /// What does not fit, each in a line.
    package private(set) var lines: [String] = []

    /// Values of a property: the path at which they are, and what is there.
    private typealias Found = (path: [PathProfile.Step], values: PathProfile)

    /// Compares a profile with an entity; `describe` tells where a value is.
    ///
    /// - Throws: `ImportError` if the model has a mapping that is not valid.
    package init(
        from entity: Entity, to profile: DumpProfile, hidesValues: Bool = false,
        _ describe: @escaping (ValuePlace) -> String
    ) throws {
        (self.entity, self.profile, self.hidesValues, self.describe) = (entity, profile, hidesValues, describe)
        for kind in profile.records.kinds where kind != .object {
            add([], "\(kind.word) ×\(profile.records[kind].count) is no object", profile.records[kind].first)
        }
        let mapping = try MappingResolver(Mappings()).resolve(entity, isKeyless: true)
        for attribute in mapping.attributes { compare(attribute) }
        for relation in mapping.relations { try compare(relation) }
        let sources = mapping.attributes.map(\.members.sources) + mapping.relations.map(\.members.sources)
        addUnknown(besides: sources.joined() + mapping.ignored)
    }

    private func found(_ sources: [[String]]) -> [Found] {
        sources.compactMap { source in
            let path = source.map { PathProfile.Step.member($0) }
            return profile.records[path: path[...]].flatMap { $0.count > 0 ? (path, $0) : nil }
        }
    }

    private mutating func add(_ path: [PathProfile.Step], _ text: String, _ first: ValuePlace? = nil) {
        lines.append("\(ProfileDrift.name(path)): \(text)" + (first.map { "; first: \(describe($0))" } ?? ""))
    }

    // MARK: Attributes

    private mutating func compare(_ attribute: MappedAttribute) {
        let sources = attribute.members.sources
        guard let usual = sources.first, !sources.contains([]) else { return }
        let found = found(sources)
        let name = "\(entity.name).\(attribute.name)"
        let isMandatory =
            !attribute.attribute.isOptional && attribute.attribute.declaration.defaultValue == nil
            && attribute.defaultValue == nil
        guard !found.isEmpty else {
            let what = isMandatory ? "mandatory" : "optional"
            return add(
                usual.map { .member($0) }, "in no record; \(name) is \(what), of type \(attribute.attribute.type)")
        }
        for (path, values) in found {
            for misfit in AttributeFit(attribute, values, hidesValues: hidesValues).misfits {
                add(path, "\(misfit.what) of \(name)", misfit.first)
            }
        }
        let objects = profile.records[.object].count
        let lacking = objects - found.reduce(0) { $0 + $1.values.count - $1.values[.null].count }
        if isMandatory, lacking > 0 {
            add(
                found[0].path, "null or missing in \(lacking) of \(objects) objects, and \(name) is mandatory",
                found[0].values[.null].first)
        }
        for (path, _) in found where isUnique(attribute) {
            guard let proof = profile.keys.first(where: { $0.path == path })?.proof, proof.repeats > 0 else { continue }
            add(
                path,
                "\(proof.repeats) \(proof.repeats == 1 ? "value repeats" : "values repeat"), and \(name) is unique")
        }
    }

    private func isUnique(_ attribute: MappedAttribute) -> Bool {
        entity.uniquenessConstraints.contains { $0.properties == [.attribute(attribute.attribute)] }
    }

    // MARK: Relationships and other members

    private mutating func compare(_ relation: MappedRelation) throws {
        let key = try relation.finder ?? ImportKey.constraint(of: relation.destination)?.parts.map(\.attribute)
        let keys: Set<ValueKind> = key?.count == 1 ? [.integer, .text] : []
        let found = found(relation.members.sources)
        let filled = found.reduce(0) { $0 + $1.values.count - $1.values[.null].count }
        let objects = profile.records[.object].count
        if !relation.relationship.isOptional, filled < objects, let usual = relation.members.sources.first {
            add(
                usual.map { .member($0) },
                "null or missing in \(objects - filled) of \(objects) objects, and \(entity.name).\(relation.name) is mandatory"
            )
        }
        for (path, values) in found {
            add(misfits: values, relation, keys.union(relation.isToOne ? [.object] : [.object, .array]), path)
            let elements = values.children.first { $0.step == .elements }
            if let elements, !relation.isToOne {
                add(misfits: elements, relation, keys.union([.object]), path + [.elements])
            }
        }
    }

    private mutating func add(
        misfits values: PathProfile, _ relation: MappedRelation, _ fitting: Set<ValueKind>, _ path: [PathProfile.Step]
    ) {
        for kind in values.kinds where !fitting.contains(kind) {
            add(
                path, "\(kind.word) ×\(values[kind].count) is no object or key for \(entity.name).\(relation.name)",
                values[kind].first)
        }
    }

    private mutating func addUnknown(besides sources: some Sequence<[String]>) {
        let known = Set(sources.compactMap(\.first))
        for child in profile.records.children where child.count > 0 {
            guard let name = child.step.memberName, !known.contains(name) else { continue }
            let share = ProfileDrift.share(child, in: profile.records)
            add([child.step], "\(entity.name) has no property for it, which is in \(share)", child.first)
        }
    }
}
