import TributaryStore
import TributaryJSON

/// Finds the members from which the properties of an entity are set.
///
/// Those of a rule come first, then the name of the property and other spellings of it, unless another rule has these.
/// A name that stands for two properties, or is that of another member, stands for none.
package struct MemberNames {
    /// The members of a property.
    package struct Members: Sendable, Hashable {
        /// The paths, of which the first one with a value counts; not empty, although all may be ignored.
        var paths: [[String]]
        /// Other spellings of the property's name, which count where that is missing.
        var aliases: [String]
        /// The index of the name among the paths; nil if it is not one of them.
        var nameIndex: Int?
        /// The paths that are not ignored, in the order in which a value is looked for.
        package var sources: [[String]]
    }

    private let mapping: Mapping
    private let keyPaths: [String: [String]]
    /// The first keys of the paths of rules and of a given key.
    private let claimed: Set<String>
    private var aliases: [String: [String]] = [:]

    /// The members of these properties; `keyPaths` are the given paths of keys.
    init(
        _ attributes: [AttributeProperty], _ relationships: [RelationshipProperty], _ mapping: Mapping,
        _ keyPaths: [String: [String]]
    ) {
        (self.mapping, self.keyPaths) = (mapping, keyPaths)
        var claimed = Set(keyPaths.values.compactMap(\.first))
        for rule in mapping.properties.values { claimed.formUnion(rule.paths.compactMap(\.path.first)) }
        self.claimed = claimed
        guard mapping.infersNames else { return }
        let taken = claimed.union(attributes.map(\.name)).union(relationships.map(\.name))
            .union(mapping.ignored.compactMap(\.path.first))
        var names = attributes.map { ($0.name, NameVariants.spellings(of: $0.name)) }
        for relationship in relationships {
            var spellings = NameVariants.spellings(of: relationship.name)
            if !relationship.isToMany, let key = try? ImportKey.constraint(of: relationship.destination)?.parts,
                key.count == 1
            {
                // `author_id` for `author` whose key is `id`.
                let name = "\(relationship.name)_\(key[0].attribute)"
                spellings += [name] + NameVariants.spellings(of: name)
            }
            names.append((relationship.name, spellings))
        }
        var owners: [String: Int] = [:]
        for name in names.flatMap(\.1) { owners[name, default: 0] += 1 }
        aliases = Dictionary(names) { first, _ in first }
            .mapValues { $0.filter { owners[$0] == 1 && !taken.contains($0) } }
    }

    /// The paths that the caller, or the rule of a property, has given; its name if there are none.
    func declaredPaths(of name: String) -> [[String]] {
        if let path = keyPaths[name] { return [path] }
        let paths = mapping.properties[name]?.paths.map(\.path) ?? []
        return paths.isEmpty ? [[name]] : paths
    }

    /// The members of a property.
    func members(of name: String) -> Members {
        var paths = declaredPaths(of: name)
        let infersName = mapping.infersNames && keyPaths[name] == nil
        if infersName, !claimed.contains(name), !paths.contains([name]) { paths.append([name]) }
        let nameIndex = infersName ? paths.firstIndex(of: [name]) : nil
        let aliases = nameIndex == nil ? [] : aliases[name] ?? []
        var sources = paths
        if let nameIndex { sources.insert(contentsOf: aliases.map { [$0] }, at: nameIndex + 1) }
        let ignored = mapping.ignored.map(\.path).filter { !$0.isEmpty }
        sources.removeAll { path in ignored.contains { path.starts(with: $0) } }
        return Members(paths: paths, aliases: aliases, nameIndex: nameIndex, sources: sources)
    }
}
