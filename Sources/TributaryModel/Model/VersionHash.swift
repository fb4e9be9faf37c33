/// A hash that distinguishes versions of an entity: 32 bytes, equal in every run and on every platform.
///
/// It includes the names, types and flags that a store depends on, but not the class, defaults, bounds, indexes, delete
/// rules, renaming identifiers, `userInfo` or the order of properties.
public struct VersionHash: Sendable, Hashable, CustomStringConvertible {
    /// The 32 bytes.
    public let bytes: [UInt8]

    /// A stored hash; nil unless there are 32 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Hashes an entity with the hash of its parent, so that a change to the parent changes this hash too.
    init(_ entity: EntityDescription, parent: VersionHash?) {
        var writer = Writer()
        writer.add("entity", entity.name, Self.text(entity.isAbstract), entity.versionHashModifier)
        writer.add(bytes: parent?.bytes ?? [])
        for attribute in entity.attributes.sorted(by: { Self.precedes($0.name, $1.name) }) {
            writer.add("attribute", attribute.name, attribute.type.description, Self.text(attribute.isOptional))
            writer.add(Self.text(attribute.isTransient), attribute.derivation, attribute.versionHashModifier)
        }
        for relationship in entity.relationships.sorted(by: { Self.precedes($0.name, $1.name) }) {
            writer.add("relationship", relationship.name, relationship.destination, relationship.inverse)
            writer.add(Self.text(relationship.isOptional), Self.text(relationship.isTransient))
            writer.add(Self.text(relationship.isToMany), Self.text(relationship.isOrdered))
            writer.add(String(relationship.minimumCount), String(relationship.maximumCount))
            writer.add(relationship.versionHashModifier)
        }
        let constraints = entity.uniquenessConstraints.map { $0.sorted(by: Self.precedes) }
        for constraint in constraints.sorted(by: { $0.lexicographicallyPrecedes($1, by: Self.precedes) }) {
            writer.add("unique", String(constraint.count))
            for name in constraint { writer.add(name) }
        }
        bytes = writer.hasher.finish()
    }

    /// Compares bytes, because Swift's order of text may change with the version of Unicode.
    private static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    private static func text(_ flag: Bool) -> String { flag ? "1" : "0" }

    /// The bytes as 64 hexadecimal digits.
    public var description: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Hashes each text after its length, so that different lists of texts have different input; -1 represents nil.
    private struct Writer {
        var hasher = SHA256()

        mutating func add(_ texts: String?...) {
            for text in texts {
                guard let text else {
                    hasher.update("-1:".utf8)
                    continue
                }
                hasher.update("\(text.utf8.count):".utf8)
                hasher.update(text.utf8)
            }
        }

        mutating func add(bytes: [UInt8]) {
            hasher.update("\(bytes.count):".utf8)
            hasher.update(bytes)
        }
    }
}

extension Model {
    /// The hashes of all entities, to identify the model of an import.
    package var identityText: String {
        (versionHashes() ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: "\n")
    }
}
