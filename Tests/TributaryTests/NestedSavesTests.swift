import Dispatch
import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributaryTestSupport

import Tributary

private final class Drawer: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var name: String?
}

/// Closures of an import that save something else: it belongs to their group, and others hear of it when that is kept.
@Suite struct NestedSavesTests {
    private let folder: TemporaryFolder
    private let manager: ContextManager

    init() throws {
        folder = try TemporaryFolder()
        manager = try ContextManager(model: Model(Drawer.self), store: .sqlite(folder.path("drawers.sqlite")))
        try manager.writeAndWait { context in
            for id in 1...3 { context.insert(Drawer.self).id = id }
        }
    }

    /// Record 2 renames drawer 1 in a context of its own; a record without a name is refused.
    private func feed(_ text: String, isDryRun: Bool = false, onError: ErrorPolicy = .skip) -> StreamImport {
        var options = ImportOptions()
        options.onError = onError
        options.isDryRun = isDryRun
        let feed = StreamImport(into: manager, from: [.text(text)], options: options)
        let manager = manager
        feed.add(
            .objects(Drawer.self, at: "[]") { record, drawer in
                drawer.name = record["name"]
                if drawer.name == nil { throw Refusal() }
                guard drawer.id == 2 else { return }
                try manager.writeAndWait { context in
                    try Drawer.find(["id": .integer(1)], in: context)?.name = "renamed"
                }
            })
        return feed
    }

    @MainActor @Test func othersHearOfItWhenItIsThere() async throws {
        let drawer = try #require(try Drawer.find(["id": .integer(1)], in: manager.mainContext))
        #expect(drawer.name == nil)
        let (manager, id) = (manager, drawer.objectID)
        let (found, told) = AsyncStream.makeStream(of: String?.self)
        let observation = manager.observeSaves { saved in
            guard saved.updated.contains(id) else { return }
            let name = try? manager.newPrivateContext().performAndWait { context in
                try Drawer.find(["id": .integer(1)], in: context)?.name
            }
            told.yield(name ?? nil)
        }
        let operation = feed(#"[{"id":2,"name":"b"},{"id":3,"name":"c"}]"#)
        try await operation.run()
        #expect(operation.summary.updated == 2 && operation.summary.isBalanced)
        // The merge was queued on the main queue before the operation has ended.
        #expect(drawer.name == "renamed")
        var names = found.makeAsyncIterator()
        #expect(await names.next() == "renamed")
        try manager.writeAndWait { context in try Drawer.find(["id": .integer(1)], in: context)?.name = "once more" }
        #expect(await names.next() == "once more")
        withExtendedLifetime(observation) {}
    }

    @Test(arguments: [true, false]) func nobodyHearsOfWhatIsUndone(_ isDryRun: Bool) throws {
        let told = Guarded<[ObjectID]>([])
        let isTold = DispatchSemaphore(value: 0)
        let observation = manager.observeSaves { saved in
            told.withLock { $0 += saved.updated + saved.inserted + saved.deleted }
            if saved.inserted.count == 1 { isTold.signal() }
        }
        let text = isDryRun ? #"[{"id":2,"name":"b"}]"# : #"[{"id":2,"name":"b"},{"id":3}]"#
        let feed = feed(text, isDryRun: isDryRun, onError: .stop)
        if isDryRun { _ = try feed.perform() } else { #expect(throws: ImportError.self) { try feed.perform() } }
        // What was told before would have been heard before this.
        let last = try manager.writeAndWait { context in
            let drawer = context.insert(Drawer.self)
            drawer.id = 4
            try context.save()
            return drawer.objectID
        }
        isTold.wait()
        #expect(told.withLock { $0 } == [last])
        let names = try manager.newPrivateContext().performAndWait { try Drawer.all(in: $0).map(\.name) }
        #expect(names == [nil, nil, nil, nil])
        withExtendedLifetime(observation) {}
    }
}
