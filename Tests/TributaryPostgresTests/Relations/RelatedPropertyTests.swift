import Foundation
import Testing
import Tributary
import TributaryGraph
import TributaryTestSupport

/// Random libraries become the same objects, links and waiting references in a store and on a server.
///
/// `TRIBUTARY_LIBRARIES` sets the number of libraries.
@Suite struct RelatedPropertyTests {
    private static let count = ProcessInfo.processInfo.environment["TRIBUTARY_LIBRARIES"].flatMap { Int($0) } ?? 6

    /// Imports a text into both; false after a difference.
    private func take(
        _ text: String, as entity: String, into world: RelatedWorld, _ mode: ImportMode, _ place: String,
        _ lots: inout SeededGenerator
    ) throws -> Bool {
        var way = RelatedWorld.Way(mode: mode)
        way.dangling = lots.pick([.wait, .wait, .wait, .stub, .null])
        way.batchSize = lots.pick([1, 4, 100])
        if !world.hasPlaces { way.mappings = Mappings(adding: &lots) }
        var expected = try world.store(text, as: entity, way)
        way.group = 1 + lots.below(4)
        var found = try world.serve(text, as: entity, way)
        // Whether links have changed is known for a group, and those of the store depend on time.
        if way.batchSize < 100 { (expected, found) = (expected.withoutChanges, found.withoutChanges) }
        let place = "\(place), \(way): \(text)"
        #expect(found == expected, "\(place)")
        let (stored, served) = (try world.storeContent(), try world.serverContent())
        let isEqual = stored == served
        #expect(
            isEqual,
            """
            \(place)
            store: \(Set(stored).subtracting(served).sorted())
            server: \(Set(served).subtracting(stored).sorted())
            """)
        return isEqual && found == expected
    }

    @Test("Agreeing records, in any order, changed and again")
    func agreeing() throws {
        var lots = SeededGenerator.sampled(10_000)
        for number in 0..<Self.count {
            let seed = lots.next()
            var own = SeededGenerator(seed: seed)
            let world = try RelatedWorld(LibraryModel.entities)
            for round in 0..<2 {
                let feed = LibraryFeed(agreeing: &own)
                for file in feed.files.filter({ $0.entity != "Publisher" }).shuffled(using: &own) {
                    let place = "library \(number), seed \(seed), round \(round), \(file.entity)"
                    guard try take(file.text, as: file.entity, into: world, .upsert, place, &own) else { return }
                    guard own.once(in: 3) else { continue }
                    guard try take(file.text, as: file.entity, into: world, .upsert, "\(place) again", &own)
                    else { return }
                }
            }
        }
    }

    @Test(
        "Contradicting records",
        arguments: [ImportMode.upsert, .replace, .insert, .update, .ignore])
    func contradicting(_ mode: ImportMode) throws {
        var lots = SeededGenerator.sampled(10_100, case: UInt64(mode.rawValue.count))
        for number in 0..<(Self.count + Self.count / 2) {
            let seed = lots.next()
            var own = SeededGenerator(seed: seed)
            let world = try RelatedWorld(LibraryModel.entities, hasPlaces: number < Self.count)
            for round in 0..<4 {
                let entity = own.pick(["Author", "Book", "Tag"])
                let text = LibraryFeed.contradicting(entity, &own)
                let place = "library \(number), seed \(seed), round \(round), \(entity)"
                let mode = round == 0 ? .upsert : mode
                guard try take(text, as: entity, into: world, mode, place, &own) else { return }
            }
        }
    }

    /// A post with comments, which have no key, and answers to these; some name a person.
    private static func threads() -> [EntityDescription] {
        func entity(_ name: String, _ attributes: [String], key: [String]) -> EntityDescription {
            var entity = EntityDescription(name)
            entity.attributes = attributes.map { AttributeDescription($0, .integer64) }
            if !key.isEmpty { entity.uniquenessConstraints = [key] }
            return entity
        }
        func link(_ name: String, to entity: String, _ inverse: String, isToMany: Bool) -> RelationshipDescription {
            var link = RelationshipDescription(name, to: entity)
            (link.isToMany, link.isOrdered, link.inverse) = (isToMany, isToMany && inverse != "by", inverse)
            if isToMany { link.deleteRule = .cascade }
            return link
        }
        var post = entity("Post", ["id", "p"], key: ["id"])
        var comment = entity("Comment", ["p", "q"], key: [])
        var person = entity("Person", ["id", "p"], key: ["id"])
        post.relationships = [link("comments", to: "Comment", "post", isToMany: true)]
        comment.relationships = [
            link("post", to: "Post", "comments", isToMany: false),
            link("parent", to: "Comment", "replies", isToMany: false),
            link("replies", to: "Comment", "parent", isToMany: true), link("by", to: "Person", "said", isToMany: false),
        ]
        person.relationships = [link("said", to: "Comment", "by", isToMany: true)]
        return [post, comment, person]
    }

    @Test(
        "Trees of objects without a key, one dump after the other", arguments: [ImportMode.upsert, .replace, .update])
    func trees(_ mode: ImportMode) throws {
        var lots = SeededGenerator.sampled(10_300, case: UInt64(mode.rawValue.count))
        func comment(_ level: Int, _ lots: inout SeededGenerator) -> String {
            var members: [String] = []
            for name in ["p", "q"] where lots.once(in: 2) { members.append("\"\(name)\":\(lots.below(3))") }
            if lots.once(in: 3) {
                members.append("\"by\":" + lots.pick(["1", "{\"id\":2,\"p\":\(lots.below(3))}", "null"]))
            }
            if level < 5, !lots.once(in: 3) {
                members.append(
                    "\"replies\":[\((0..<lots.below(3)).map { _ in comment(level + 1, &lots) }.joined(separator: ","))]"
                )
            }
            return "{\(members.joined(separator: ","))}"
        }
        for number in 0..<Self.count {
            let seed = lots.next()
            var own = SeededGenerator(seed: seed)
            let world = try RelatedWorld(Self.threads())
            for round in 0..<3 {
                let posts = (0..<6).map { _ in
                    let comments = (0..<own.below(4)).map { _ in comment(0, &own) }.joined(separator: ",")
                    return "{\"id\":\(own.below(4))\(own.once(in: 4) ? "" : ",\"comments\":[\(comments)]")}"
                }
                let place = "tree \(number), seed \(seed), round \(round)"
                let text = "[\(posts.joined(separator: ","))]"
                guard try take(text, as: "Post", into: world, round == 0 ? .upsert : mode, place, &own) else { return }
            }
        }
    }

    @Test("Connections that are lost at a commit change nothing", arguments: PostgresProxy.Direction.allCases)
    func lostConnections(_ direction: PostgresProxy.Direction) throws {
        var lots = SeededGenerator.sampled(10_200, case: direction == PostgresProxy.Direction.toServer ? 0 : 1)
        let world = try RelatedWorld(LibraryModel.entities)
        let cutter = try ConnectionCutter(world.world.server.port, lots)
        cutter.cutsCommits(direction)
        var way = RelatedWorld.Way()
        (way.batchSize, way.group) = (1, 1)
        for round in 0..<6 {
            let entity = lots.pick(["Author", "Book", "Tag"])
            let text = LibraryFeed.contradicting(entity, &lots)
            let expected = try world.store(text, as: entity, way)
            let found = try world.serve(text, as: entity, way, port: cutter.port) { cutter.note($0) }
            #expect(found == expected, "round \(round), \(entity): \(text)")
            #expect(try world.serverContent() == world.storeContent(), "round \(round), \(entity): \(text)")
        }
        #expect(cutter.end() > 0)
    }
}
