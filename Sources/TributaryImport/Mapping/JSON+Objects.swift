import TributaryJSON

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
        kind == .object && !(mapping.unwrapsExtendedJSON && ExtendedJSON.isScalar(self))
    }
}
