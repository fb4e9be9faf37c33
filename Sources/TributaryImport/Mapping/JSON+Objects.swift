package import TributaryJSON
package import TributarySQLite

extension JSON {
    /// Whether an object in place of an array has the objects as its members: it has no key, and only objects.
    ///
    /// Objects of an entity without a key are not taken from it, as the names of members would be lost.
    package func isObjectOfObjects(_ mapping: EntityMapping) -> Bool {
        guard !mapping.key.isEmpty else { return false }
        for mapped in mapping.attributes where mapped.isKey {
            let names = mapped.members.sources.map { $0[0] }
            if names.contains(where: { !self[$0].isMissing && !self[$0].isObject(of: mapping) }) { return false }
        }
        return members.allSatisfy { $0.value.isObject(of: mapping) || $0.value.isNull }
    }

    /// Whether it is an object, and none that stands for a plain value.
    func isObject(of mapping: EntityMapping) -> Bool {
        kind == .object && !(mapping.unwrapsExtendedJSON && ExtendedJSON.plain(self) != nil)
    }
}

extension EntityMapping {
    /// The key in a value that stands for an object.
    package func referenceKey(_ json: JSON) throws -> SQLValue {
        guard key.count == 1, let mapped = attributes.first(where: \.isKey) else {
            let names = key.map(\.name).joined(separator: " and ")
            throw json.mismatch(
                expected: key.isEmpty ? "an object, as \(entity.name) has no key" : "an object with \(names)")
        }
        do {
            return try mapped.coercion.value(json)
        } catch let error as JSONError {
            throw error.recoded(.keyType)
        }
    }
}
