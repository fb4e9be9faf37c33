import Foundation
import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// A store of shops with shelves with items, each of which goes with what it is in, or if flat, is in nothing.
final class ShopWorld {
    let folder: TemporaryFolder
    let manager: ContextManager
    private let isFlat: Bool

    init(isFlat: Bool = false, creation: StoreOptions.Creation = .whenOpened) throws {
        self.isFlat = isFlat
        folder = try TemporaryFolder()
        var entities = ShopWorld.entities
        if isFlat { for index in entities.indices { entities[index].relationships = [] } }
        var opening = StoreOptions()
        opening.creation = creation
        manager = try ContextManager(
            model: Model(ModelDescription(entities)), store: .sqlite(folder.path("shop.sqlite")), options: opening)
    }

    private static var entities: [EntityDescription] {
        [
            entity("Shop", nil, inside: ("shelves", "Shelf")),
            entity("Shelf", ("Shop", "shelves"), inside: ("items", "Item")),
            entity("Item", ("Shelf", "items"), inside: nil),
        ]
    }

    private static func entity(
        _ name: String, _ parent: (entity: String, relation: String)?, inside: (relation: String, entity: String)?
    ) -> EntityDescription {
        var entity = EntityDescription(name)
        var key = AttributeDescription("id", .integer64)
        key.isOptional = false
        entity.attributes = [
            key, AttributeDescription("name", .string), AttributeDescription("count", .integer16),
            AttributeDescription("gone", .date),
        ]
        entity.uniquenessConstraints = [["id"]]
        if let parent {
            entity.relationships.append(LibraryModel.one("parent", parent.entity, inverse: parent.relation))
        }
        if let inside {
            entity.relationships.append(
                LibraryModel.many(inside.relation, inside.entity, inverse: "parent") { $0.deleteRule = .cascade })
        }
        return entity
    }

    /// A record of a feed.
    struct Line {
        enum Damage { case none, value, key }
        let id: Int
        let name: String
        let parent: Int?
        var damage = Damage.none

        var json: String {
            let parent = parent.map { "\($0)" } ?? "null"
            switch damage {
            case .none: return "{\"id\":\(id),\"name\":\"\(name)\",\"parent\":\(parent)}"
            case .value: return "{\"id\":\(id),\"name\":\"\(name)\",\"count\":\"many\",\"parent\":\(parent)}"
            case .key: return "{\"name\":\"\(name)\",\"parent\":\(parent)}"
            }
        }
    }

    /// An import of a feed into an entity, whose settings do not change its result.
    func makeImport(
        _ lines: [Line], into entity: String, _ options: ImportOptions, name: String, _ lots: inout SeededGenerator,
        isInterrupted: Bool = false
    ) -> (StreamImport, FeedSource) {
        var options = options
        options.batchSize = 1 + lots.below(4)
        options.jobs = 1 + lots.below(3)
        options.onError = .quarantine
        options.resuming = .resume
        let bytes = Array("[\(lines.map(\.json).joined(separator: ",\n"))]".utf8)
        var source = FeedSource(name: name, bytes: bytes, piece: 1 + lots.below(60))
        if isInterrupted { source.event = (lots.below(bytes.count + 1), .failure) }
        return (
            StreamImport(into: manager, from: [source], routes: [.rows(entity, at: "[]")], options: options), source
        )
    }

    /// The rows of an entity, by their ids: the name, and the id of what they are in.
    func rows(_ entity: String) throws -> [Int: String] {
        let parents = isFlat ? [:] : ["Shelf": "Shop", "Item": "Shelf"]
        return try manager.stores.stores[0].read { connection in
            var rows: [Int: String] = [:]
            let query: SQLFragment =
                if let parent = parents[entity] {
                    """
                    SELECT t."id", t."name", p."id", t."gone" FROM \(identifier: entity) AS t
                    LEFT JOIN \(identifier: parent) AS p ON p."_pk" = t."parent"
                    """
                } else {
                    "SELECT \"id\", \"name\", NULL, \"gone\" FROM \(identifier: entity)"
                }
            try connection.forEachRow(of: query) { row in
                let parent = row.isNull(at: 2) ? "-" : "\(row.integer(at: 2))"
                rows[Int(row.integer(at: 0))] = "\(row.text(at: 1)) in \(parent)\(row.isNull(at: 3) ? "" : " gone")"
            }
            return rows
        }
    }

    /// The rows of all entities.
    func content() throws -> [String: [Int: String]] {
        var content: [String: [Int: String]] = [:]
        for entity in ["Shop", "Shelf", "Item"] { content[entity] = try rows(entity) }
        return content
    }
}
