import Foundation
import TributaryModel
import TributarySQLite
import TributaryStore
import TributaryTestSupport

/// A random model with all types of attributes and kinds of relationships, and a random graph of it.
///
/// The graph is in a database and in memory. Some links lead to rows that do not exist.
struct QueryWorld {
    let folder: TemporaryFolder
    let path: String
    let model: Model
    /// The objects by the names of their root entities, in the order of their keys.
    var objects: [String: [QueryObject]] = [:]

    static let types: [AttributeType] = [
        .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .string, .boolean, .date, .binary,
        .uuid,
        .uri, .json, .transformable,
    ]
    private static let words = [
        "name", "größe", "two words", "sum", "SELF", "x\"y", "first", "order", "e\u{301}", "😀", "#tag", "-minus", "a,b",
        "a=b", "COUNT", "any", "SIZE", "it's", "rowid", "key",
    ]

    init(_ random: inout SeededGenerator) throws {
        folder = try TemporaryFolder()
        path = folder.path("graph.sqlite")
        let description = QueryWorld.description(&random)
        model = try Model(description)
        try SQLiteStore(model, at: .sqlite(path)).close()
        makeObjects(&random)
        relate(&random)
        try insert()
    }

    /// The objects of an entity and its subentities.
    func all(_ entity: Entity) -> [QueryObject] {
        (objects[entity.root.name] ?? []).filter { $0.entity.isKind(of: entity) }
    }

    // MARK: Model

    private static func description(_ random: inout SeededGenerator) -> ModelDescription {
        let roots = ["Thing", random.pick(["Größe", "two words", "Select", "Thing_"]), "Owner"]
        var count = 0
        func attributes(_ number: Int, _ random: inout SeededGenerator) -> [AttributeDescription] {
            (0..<number).map { _ in
                count += 1
                return AttributeDescription("\(random.pick(words))\(count)", random.pick(types))
            }
        }
        var entities = roots.map { name in
            var entity = EntityDescription(name)
            entity.attributes = attributes(4 + random.below(6), &random)
            if !random.once(in: 3) {
                entity.attributes.append(AttributeDescription("id", random.pick([.integer64, .string, .uuid])))
                entity.uniquenessConstraints = [["id"]]
            }
            return entity
        }
        for (name, parent) in [("Special", roots[0]), ("Most special", "Special")] {
            var child = EntityDescription(name)
            child.parent = parent
            child.attributes = attributes(1 + random.below(3), &random)
            entities.append(child)
        }
        for number in 0..<(4 + random.below(5)) { link(number, &entities, &random) }
        return ModelDescription(entities)
    }

    private static func link(_ number: Int, _ entities: inout [EntityDescription], _ random: inout SeededGenerator) {
        let (source, target) = (random.below(entities.count), random.below(entities.count))
        var there = RelationshipDescription("there\(number)", to: entities[target].name)
        there.isToMany = random.once(in: 2)
        there.isOrdered = there.isToMany && random.once(in: 3)
        if random.once(in: 4) {
            there.deleteRule = .noAction
        } else if source == target, there.isToMany, !there.isOrdered, random.once(in: 2) {
            there.inverse = there.name
        } else {
            var back = RelationshipDescription("back\(number)", to: entities[source].name)
            back.isToMany = random.once(in: 2)
            back.isOrdered = back.isToMany && random.once(in: 3)
            (back.inverse, there.inverse) = (there.name, back.name)
            entities[target].relationships.append(back)
        }
        entities[source].relationships.append(there)
    }
}
