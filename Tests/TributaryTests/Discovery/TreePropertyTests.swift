import Foundation
import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Objects at any depth, most of them without an id, are in the tables as in the dumps.
///
/// `TRIBUTARY_TREES` sets the number of trees.
@Suite struct TreePropertyTests {
    private static let count = ProcessInfo.processInfo.environment["TRIBUTARY_TREES"].flatMap { Int($0) } ?? 8
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func take(
        _ json: String, into name: String, _ place: String, _ change: (inout ImportOptions) -> Void
    ) throws -> (summary: ImportSummary, content: [String], rowCount: Int) {
        let path = folder.path("\(UUID()).json")
        try json.write(toFile: path, atomically: true, encoding: .utf8)
        let found = try DiscoveredRelations(in: [.file(path)], table: "t", all: true, into: folder.path(name))
        var options = ImportOptions()
        change(&options)
        let manager = try ContextManager(found, at: folder.path(name))
        let summary = try manager.load(.file(path), [found.route()], options)
        #expect(summary.isBalanced && summary.rejected == 0 && summary.dangling == nil, "\(place): \(summary)")
        let (content, count) = try manager.newPrivateContext().performAndWait { context in
            var (lines, count) = ([String](), 0)
            for entity in manager.model.entities {
                let objects = try context.fetch(FetchRequest<ManagedObject>(entity: entity.name))
                count += objects.count
                let isTop = entity.name == "t"
                guard isTop || !entity.uniquenessConstraints.isEmpty else { continue }
                for object in objects {
                    lines.append("\(isTop ? "t" : "k")\(number(object, "id")) \(TreeFeed.text(node(object)))")
                }
            }
            return (lines.sorted(), count)
        }
        return (summary, content, count)
    }

    private func number(_ object: ManagedObject, _ name: String) -> Int {
        if case .integer(let number) = object[name] as FilterValue { Int(number) } else { -1 }
    }

    /// An object with those inside of it.
    private func node(_ object: ManagedObject) -> TreeFeed.Node {
        var node = TreeFeed.Node()
        for name in ["p", "q"] where object.entity[name] != nil {
            if case .integer(let number) = object[name] as FilterValue { node.values[name] = Int(number) }
        }
        for link in object.entity.relationships where link.isOptional {
            if link.name == "k" {
                node.inner["k"] = object.object(forKey: "k").map { [TreeFeed.Node(id: number($0, "id"))] }
            } else if link.deleteRule == .cascade, let member = link.name.split(separator: "_").first {
                let others =
                    link.isToMany
                    ? object.objects(forKey: link.name) : [object.object(forKey: link.name)].compactMap(\.self)
                // A number follows if the name was that of a way back.
                node.inner[String(member)] = others.map { self.node($0) }
            }
        }
        return node
    }

    private func difference(_ found: [String], _ expected: [String]) -> String {
        "found \(Set(found).subtracting(expected).sorted()), expected \(Set(expected).subtracting(found).sorted())"
    }

    @Test("Three random dumps after another, seven levels deep, leave the objects that plain code keeps")
    func equal() throws {
        var lots = SeededGenerator.sampled(7_150)
        for number in 0..<Self.count {
            let seed = lots.next()
            var own = SeededGenerator(seed: seed)
            var feed = TreeFeed(&own)
            for round in 0..<3 {
                feed.advance(&own)
                let place = "tree \(number), seed \(seed), dump \(round)"
                let small = try take(feed.json, into: "\(number)-small.sqlite", place) {
                    ($0.batchSize, $0.jobs) = (1 + own.below(3), 2)
                }
                let large = try take(feed.json, into: "\(number)-large.sqlite", place) { $0.batchSize = 1000 }
                for found in [small, large] {
                    let isEqual = found.content == feed.content
                    #expect(isEqual, "\(place): \(difference(found.content, feed.content))")
                    #expect(found.rowCount == feed.count, "\(place)")
                    if !isEqual { return }
                }
                // Whether links have changed is known for a group.
                func total(_ counts: RecordCounts) -> [Int] { [counts.inserted, counts.updated + counts.unchanged] }
                #expect(small.summary.related?.mapValues(total) == large.summary.related?.mapValues(total), "\(place)")
                guard feed.isConsistent else { continue }
                let again = try take(feed.json, into: "\(number)-large.sqlite", "\(place) again") {
                    $0.batchSize = 1 + own.below(9)
                }
                #expect(again.summary.unchanged == feed.records.count, "\(place) again")
                let changes = (again.summary.related ?? [:]).values.filter { $0.inserted + $0.updated > 0 }
                #expect(changes.isEmpty && again.content == feed.content, "\(place) again")
            }
        }
    }
}
