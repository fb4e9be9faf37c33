import TributaryStore
package import TributaryJSON

/// A relationship with all that is needed to set it from a record.
package struct MappedRelation: Sendable {
    package let relationship: RelationshipProperty
    /// The members of its value; its aliases are those of a bare key too, such as `author_id`.
    package let members: MemberNames.Members
    /// The entity of its objects.
    let destination: Entity
    /// The attributes by which its objects are found or made; nil for their key.
    var finder: [String]?
    package let links: PropertyRule.Links
    package let policy: PropertyRule.Policy
    package let mismatch: Mapping.Mismatch
    /// What becomes of references to objects that are not there; nil for the setting of the import.
    package let dangling: Mapping.Dangling?
    package let newest: String?

    package var isToOne: Bool { !relationship.isToMany }
    package var name: String { relationship.name }
    /// The paths of its value; the first one with a value counts.
    var paths: [[String]] { members.paths }

    /// Calls `body` with each object or bare key of a value, and with its name in an object of objects.
    ///
    /// - Throws: `JSONError` if there are several for one, or arrays in an array; errors of `body`.
    package func forEachObject(
        in value: JSON, of target: EntityMapping, _ body: (_ value: JSON, _ name: String?) throws -> Void
    ) throws {
        if target.keyColumn != nil { return try forEachEntry(in: value, of: target, body) }
        switch value.kind {
        case .array where isToOne: throw value.mismatch(expected: "one object for \(name), or its key")
        case .array:
            for element in value.elements where !element.isNull {
                guard element.kind != .array else {
                    throw element.mismatch(expected: "an object for \(name), or its key")
                }
                try body(element, nil)
            }
        case .object where !isToOne && value.isObject(of: target) && value.isObjectOfObjects(target):
            for (name, element) in value.members where !element.isNull { try body(element, name) }
        default: try body(value, nil)
        }
    }

    /// Calls `body` with each value of a dictionary, or with each object of an array there, and with its key.
    private func forEachEntry(
        in value: JSON, of target: EntityMapping, _ body: (_ value: JSON, _ name: String?) throws -> Void
    ) throws {
        // Some programs write an empty dictionary as an empty array.
        if value.kind == .array, value.elements.first(where: { _ in true }) == nil { return }
        guard value.isObject(of: target) else {
            throw value.mismatch(expected: "an object whose members are the keys of \(name)")
        }
        func addObject(_ object: JSON, _ name: String) throws {
            if object.isNull { return }
            guard object.isObject(of: target) else { throw object.mismatch(expected: "an object for \(self.name)") }
            try body(object, name)
        }
        for (name, element) in value.members {
            if target.valueColumn != nil {
                try body(element, name)
            } else if element.kind == .array {
                for object in element.elements { try addObject(object, name) }
            } else {
                try addObject(element, name)
            }
        }
    }

    /// Whether a value has neither objects nor bare keys of the right type, or several where there is one.
    ///
    /// What is inside of objects is not checked.
    package func isUnfit(_ value: JSON, for target: EntityMapping) -> Bool {
        do {
            try forEachObject(in: value, of: target) { value, _ in
                if target.valueColumn == nil, !value.isObject(of: target) { _ = try target.referenceKey(value) }
            }
            return false
        } catch {
            return true
        }
    }
}
