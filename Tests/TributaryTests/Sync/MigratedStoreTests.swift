import Foundation
import Testing
import Tributary
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// What imports keep beside the rows, after a migration.
@Suite struct MigratedStoreTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("shop.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func model(isLater: Bool) throws -> Model {
        var (product, maker) = (EntityDescription(isLater ? "Article" : "Product"), EntityDescription("Maker"))
        if isLater { product.renamingIdentifier = "Product" }
        var name = AttributeDescription(isLater ? "label" : "name", .string)
        if isLater { name.renamingIdentifier = "name" }
        product.attributes = [AttributeDescription("id", .integer64), name]
        product.uniquenessConstraints = [["id"]]
        maker.attributes = [AttributeDescription("code", .string)]
        maker.uniquenessConstraints = [["code"]]
        var one = RelationshipDescription(isLater ? "producer" : "maker", to: "Maker")
        (one.inverse, one.renamingIdentifier) = ("products", isLater ? "maker" : nil)
        var many = RelationshipDescription("products", to: product.name)
        (many.inverse, many.isToMany) = (one.name, true)
        (product.relationships, maker.relationships) = ([one], [many])
        return try Model(ModelDescription([product, maker]))
    }

    private func open(isLater: Bool) throws -> ContextManager {
        try ContextManager(model: model(isLater: isLater), store: .sqlite(path))
    }

    private func close(_ manager: ContextManager) { for store in manager.stores.stores { store.close() } }

    private func rows(_ query: SQLFragment) throws -> [[SQLValue]] { try Connection(.file(path)).rows(of: query) }

    @discardableResult
    private func run(
        _ manager: ContextManager, _ entity: String, _ text: String, _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> ImportSummary {
        var options = ImportOptions()
        options.onError = .quarantine
        change(&options)
        let source = FeedSource(name: "feed", bytes: Array(text.utf8), piece: 50)
        return try manager.load(source, [.rows(entity, at: "[]")], options)
    }

    @Test("Marks, rejects and waiting references have the later names, and kept changes are forgotten")
    func sideTables() throws {
        let first = try open(isLater: false)
        try run(first, "Product", #"[{"id":1,"name":"a","maker":"x"},{"id":2,"name":"b"},{"id":"?","name":"c"}]"#) {
            $0.isUndoable = true
            $0.sync = SyncOptions(feed: "Product at []")
        }
        close(first)
        #expect(
            try MigrationPlan.plans(for: .sqlite(path), to: model(isLater: true)).flatMap(\.changes).last?.description
                == "forgets the changes kept by run 1")
        #expect(try rows("SELECT COUNT(*) FROM _waiting") == [[1]])
        let second = try open(isLater: true)
        #expect(try rows("SELECT relation FROM _waiting") == [[.text(#"["Article","producer","Maker","code"]"#)]])
        #expect(try rows("SELECT entity FROM _reject") == [["Article"]])
        #expect(try rows("SELECT DISTINCT feed, entity FROM _mark") == [["Article at []", "Article"]])
        #expect(MarkTable.renamed("\u{1}\u{1}2\u{1}A", ["A": "B", "B": "A"]) == "\u{1}\u{1}2\u{1}B")
        #expect(MarkTable.renamed("shop", ["A": "B"]) == "shop")
        // The reference is resolved by the later names, and a sync of the feed deletes what it no longer holds.
        try run(second, "Maker", #"[{"code":"x"}]"#)
        #expect(try rows("SELECT label, producer FROM Article ORDER BY id") == [["a", 1], ["b", .null]])
        let synced = try run(second, "Article", #"[{"id":1,"label":"A"}]"#) {
            var sync = SyncOptions(feed: "Article at []")
            sync.limit = .percent(100)
            $0.sync = sync
            $0.isUndoable = true
        }
        #expect(synced.sync?.deletedCount == 1 && synced.updated == 1)
        // The run after the migration is undone, and that before it cannot be.
        #expect(try second.imports.entries().map { $0.routes[0].entity } == ["Article", "Maker", "Article"])
        let runs = try second.imports.entries().map(\.run)
        _ = try second.imports.undo(run: runs[2])
        #expect(try rows("SELECT label FROM Article ORDER BY id") == [["a"], ["b"]])
        #expect(throws: ImportError.self) { try second.imports.undo(run: runs[0]) }
        #expect(throws: ImportError.self) { try second.imports.undo() }
        #expect(try rows("SELECT label FROM Article ORDER BY id") == [["a"], ["b"]])
        #expect(try rows("SELECT name FROM sqlite_master WHERE name GLOB '_change.*'").isEmpty)
        close(second)
    }
}
