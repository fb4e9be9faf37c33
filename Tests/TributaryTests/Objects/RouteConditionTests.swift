import Foundation
import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Routes by the value of a member: one stream feeds several entities.
@Suite struct RouteConditionTests {
    @Test("Records go to the first route whose condition they meet; others are skipped, and the counts add up")
    func events() throws {
        func entity(_ name: String) -> EntityDescription {
            var entity = EntityDescription(name)
            entity.attributes = [AttributeDescription("id", .integer64), AttributeDescription("type", .string)]
            entity.attributes[1].isOptional = true
            entity.uniquenessConstraints = [["id"]]
            return entity
        }
        let types = ["PushEvent", "ForkEvent", "WatchEvent", "IssueEvent"]
        for related in [false, true] {
            var entities = ["Push", "Fork", "Other"].map(entity)
            if related {
                entities[0].relationships = [LibraryModel.one("fork", "Fork")]
            }
            let store = try MappedStore(entities)
            let text = (1...100).map { id -> String in
                let bad = id % 25 == 0 ? "\"x\"" : "\(id)"
                return "{\"id\":\(bad),\"type\":\"\(types[id % 4])\",\"size\":\(id % 2)}"
            }.joined(separator: "\n")
            var options = ImportOptions()
            options.onError = .quarantine
            options.batchSize = 7
            let summary = try store.manager.load(
                .text(text),
                [
                    ImportRoute.rows("Push").when("type", is: "PushEvent"),
                    ImportRoute.rows("Fork").when("type", is: "ForkEvent"),
                    ImportRoute.rows("Other").when("size", is: "1"),
                ], options)
            #expect(summary.isBalanced && summary.read == 100)
            #expect(summary.counts.skipped == 25 && summary.counts.rejected == 3, "\(summary.counts)")
            #expect(try store.rows("SELECT DISTINCT type FROM Push") == [["PushEvent"]])
            #expect(try store.rows("SELECT count(*) FROM Fork") == [[24]])
            #expect(try store.rows("SELECT DISTINCT type FROM Other") == [["IssueEvent"]])
            #expect(try store.rows("SELECT DISTINCT entity FROM _reject").count > 1)
        }
    }

    @Test("Several routes without paths need conditions")
    func refused() throws {
        let store = try MappedStore.library()
        let feed = StreamImport(
            into: store.manager, from: [.text("{}")], routes: [.rows("Book"), .rows("Author")])
        #expect(throws: ImportError.self) { try feed.perform() }
    }
}
