import Foundation
import TributaryGraph
import TributaryImport
import TributaryTestSupport

import Tributary

/// Two stores of a model with relationships of all kinds: one is seeded by objects, the other by rows.
struct SeedStudio {
    class Work: ManagedObject {
        @Attribute(.length(1...)) var title: String
        @Attribute(.unique) var code: String?
        @Attribute(.range(0...500)) var pages: Int16?
        @Attribute var number: Int = 7
        @Attribute var day: Date?
        @Attribute var price: Decimal?
        @Attribute var mark: UUID?
        @Attribute(.transient) var isShown: Bool?
        @Attribute(.derived("canonical:(title)")) var searchTitle: String?
        @Attribute(.derived("shelf.title")) var shelfTitle: String?
        @Relationship var shelf: Shelf?
        @Relationship var room: Room?
        @Relationship var sequel: Work?
        @Relationship(inverse: .itself) var kin: ToMany<Work>
        @Relationship(inverse: \Tag.works) var tags: OrderedToMany<Tag>
    }

    final class Comic: Work {
        @Attribute var colours: Int32 = 4
        @Relationship(inverse: .itself) var twin: Comic?
    }

    final class Shelf: ManagedObject {
        @Attribute var title: String?
        @Attribute(.derived("works.@count")) var workCount: Int?
        @Relationship(inverse: \Work.shelf) var works: OrderedToMany<Work>
        @Relationship(inverse: \Label.shelf) var label: Label?
        @Relationship var loose: ToMany<Work>
    }

    final class Room: ManagedObject {
        @Attribute var title: String?
        @Relationship(inverse: \Work.room, [.count(0...5)]) var works: ToMany<Work>
        @Relationship(inverse: \Label.room) var labels: ToMany<Label>
    }

    final class Tag: ManagedObject {
        @Attribute var title: String
        @Relationship var works: OrderedToMany<Work>
    }

    final class Label: ManagedObject {
        @Attribute var title: String?
        @Relationship(.required) var shelf: Shelf?
        @Relationship(.required) var room: Room?
    }

    let folder: TemporaryFolder
    let objects: ContextManager
    let rows: ContextManager

    init() throws {
        let folder = try TemporaryFolder()
        func manager(_ name: String) throws -> ContextManager {
            try ContextManager(
                model: Model(Work.self, Comic.self, Shelf.self, Room.self, Tag.self, Label.self),
                store: .sqlite(folder.path(name)))
        }
        self.folder = folder
        objects = try manager("objects.sqlite")
        rows = try manager("rows.sqlite")
    }

    /// Writes a seed file.
    func write(_ name: String, _ text: String) throws -> URL {
        URL(filePath: try folder.write(text.utf8, to: name))
    }

    /// The text of the error of planting seeds as objects; nil if there was none.
    func plantObjects(_ seeds: [URL]) -> String? { text { try objects.seed(from: seeds) } }

    /// The text of the error of planting seeds as rows; nil if there was none.
    func plantRows(_ seeds: [URL], batchSize: Int = 2000) -> String? {
        text {
            var run = try SeedRun(rows.stores.stores[0], seeds, nil, repeats: false)
            run.batchSize = batchSize
            return try run.plant { SeedRows(rows.stores, on: $0) }
        }
    }

    private func text(of body: () throws -> ImportOutcome) -> String? {
        do {
            _ = try body()
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// All objects of a store, one a line, with their values and the names of related objects.
    static func objects(of manager: ContextManager) throws -> [String] {
        try manager.readAndWait { context in
            try ["Work", "Shelf", "Room", "Tag", "Label"].flatMap { entity in
                try context.fetch(FetchRequest<ManagedObject>(entity: entity)).map { object in
                    let values = object.entity.attributes.map { "\($0.name) \(object[$0.name] as FilterValue)" }
                    let links = object.entity.relationships.map { relationship in
                        let name = relationship.name
                        guard relationship.isToMany else {
                            return "\(name) \(object.object(forKey: name)?.objectID.description ?? "-")"
                        }
                        let others = object.objects(forKey: name).map(\.objectID.description)
                        return "\(name) \(relationship.isOrdered ? others : others.sorted())"
                    }
                    return "\(object.objectID) " + (values + links).joined(separator: ", ")
                }
            }
        }
    }
}
