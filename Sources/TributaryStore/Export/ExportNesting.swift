import TributaryModel

/// The relationships whose objects an export writes inside of their owners, instead of keys.
///
///     author.books            {"id":1,"books":[{"isbn":"a","tags":[7]}]}
///     author.books.chapters   chapters in each book, in each author
package struct ExportNesting {
    /// The relationships, by the entities that declare them.
    let relationships: Set<RelationshipProperty>
    /// The entities with which the paths begin.
    package let owners: [String]
    /// The entities whose objects are nested.
    let nested: Set<Entity>

    /// Nests nothing.
    init() { (relationships, owners, nested) = ([], [], []) }

    /// Reads paths, each an entity and relationships.
    ///
    /// - Throws: `StoreError` if there is no such relationship, or its objects cannot be nested.
    init(_ paths: [String], in model: Model?, of store: String) throws {
        func failure(_ reason: String, _ hint: String) -> StoreError {
            StoreError(.incompatibleModel, store, reason, hint: hint)
        }
        func find<Part>(_ word: String, _ parts: [Part], _ name: (Part) -> String) -> Part? {
            parts.first { name($0) == word } ?? parts.first { name($0).lowercased() == word.lowercased() }
        }
        var (found, owners): (Set<RelationshipProperty>, [String]) = ([], [])
        for path in paths {
            let words = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard words.count > 1, let first = find(words[0], model?.entities ?? [], \.name) else {
                throw failure(
                    "no entity has the path \(path)", "name an entity and its relationship, as in author.books")
            }
            owners += first.concreteEntities.map(\.name)
            var entity = first
            for word in words.dropFirst() {
                let known = entity.relationships.filter { !$0.isTransient }
                guard let relationship = find(word, known, \.name) else {
                    let names = known.map(\.name).joined(separator: ", ")
                    throw failure(
                        "\(entity.name) has no relationship \(word)",
                        names.isEmpty ? "it has no relationships" : "it has \(names)")
                }
                if let fault = ExportNesting.fault(of: relationship) {
                    throw failure("\(entity.name).\(word) cannot be nested: \(fault)", "export its keys")
                }
                found.insert(relationship)
                entity = relationship.destination
            }
        }
        (relationships, self.owners, nested) = (found, owners, Set(found.flatMap(\.destination.concreteEntities)))
        if let name = nested.filter({ isInside($0, of: $0, []) }).map(\.name).min() {
            throw failure("the objects of \(name) would be inside of each other", "nest one direction")
        }
    }

    /// Why the objects of a relationship cannot be nested; nil if they can.
    private static func fault(of relationship: RelationshipProperty) -> String? {
        let destination = relationship.destination
        guard destination.concreteEntities.count == 1 else { return "\(destination.name) has several subentities" }
        guard let inverse = relationship.inverse else {
            return destination.exportKey.isEmpty ? "\(destination.name) has no key, and it has no inverse" : nil
        }
        if destination.exportKey.isEmpty, inverse.isToMany { return "an object without a key has several owners" }
        if inverse.isOrdered { return "the order of \(destination.name).\(inverse.name) would be lost" }
        return inverse.isOptional || inverse.isToMany || relationship.isToMany
            ? nil : "\(destination.name) needs its owner first"
    }

    /// Whether the relationships of an entity, or those inside of its objects, lead to another.
    private func isInside(_ inner: Entity, of entity: Entity, _ seen: Set<Entity>) -> Bool {
        entity.relationships.contains { relationship in
            guard relationships.contains(relationship) else { return false }
            let next = relationship.destination.concreteEntities
            return next.contains(inner)
                || next.contains { !seen.contains($0) && isInside(inner, of: $0, seen.union([$0])) }
        }
    }
}
