import Foundation
import Testing
import TributaryConcurrency
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

import Tributary

/// The statements of a sync.
@Suite struct SyncSQLTests {
    /// The number of statements in which a sync deletes so many rows.
    private func statements(deleting count: Int, _ firstLoad: ImportOptions.FirstLoad) throws -> Int {
        let folder = try TemporaryFolder()
        var entity = EntityDescription("Item")
        var key = AttributeDescription("id", .integer64)
        key.isOptional = false
        entity.attributes = [key]
        entity.uniquenessConstraints = [["id"]]
        let texts = Guarded<[String]>([])
        var opening = StoreOptions()
        opening.trace = { event in if event.duration == nil { texts.withLock { $0.append(event.sql) } } }
        let manager = try ContextManager(
            model: Model(ModelDescription([entity])), store: .sqlite(folder.path("a.sqlite")), options: opening)
        var options = ImportOptions()
        options.sync = SyncOptions(feed: "items")
        options.sync?.limit = .percent(100)
        options.firstLoad = firstLoad
        for ids in [0..<2000, 0..<(2000 - count)] {
            texts.withLock { $0 = [] }
            let text = "[\(ids.map { "{\"id\":\($0)}" }.joined(separator: ","))]"
            let feed = StreamImport(
                into: manager, from: [.text(text)], routes: [.rows("Item", at: "[]")], options: options)
            let outcome = try feed.perform()
            #expect(outcome.summary.sync?.deletedCount == 2000 - ids.count)
        }
        let found = texts.withLock { $0 }
        #expect(found.contains { $0.hasPrefix("DELETE FROM \"Item\"") }, "\(found)")
        return found.count
    }

    @Test(
        "The number of statements does not depend on the number of deleted rows",
        arguments: [ImportOptions.FirstLoad.inGroups, .direct])
    func deletionIsInBulk(_ firstLoad: ImportOptions.FirstLoad) throws {
        #expect(try statements(deleting: 10, firstLoad) == statements(deleting: 1500, firstLoad))
    }
}
