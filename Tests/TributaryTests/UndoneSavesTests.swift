import Dispatch
import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributaryTestSupport

import Tributary

/// Imports that end at a reject: observers hear of committed changes once, and of rolled-back changes never.
@Suite struct UndoneSavesTests {
    /// Collects the object IDs of the saves that an observer receives.
    private final class Ear: Sendable {
        private let heard = Guarded<(inserted: [ObjectID], updated: [ObjectID])>(([], []))

        var inserted: [ObjectID] { heard.withLock { $0.inserted } }
        var updated: [ObjectID] { heard.withLock { $0.updated } }

        func hear(_ saved: SavedChanges) {
            heard.withLock { heard in
                heard.inserted += saved.inserted
                heard.updated += saved.updated
            }
        }
    }

    /// Sets a seat, and throws if the text of its record is `bad`.
    private static let setter: @Sendable (Record, ManagedObject) throws -> Void = { record, object in
        let text: String? = record["s"]
        if text == "bad" { throw Refusal() }
        object["s"] = text.map { .string($0) } ?? .null
    }

    /// The objects of a chunk are saved before its bad record is rejected, and rolled back with it.
    @Test("Observers do not hear of saves that were rolled back with a rejected record", arguments: [1, 2, 3, 100])
    func whatIsUndoneIsNotTold(_ batchSize: Int) throws {
        let seats = try SeatStore(.closure)
        let ear = Ear()
        let observation = seats.manager.observeSaves { ear.hear($0) }
        let text = #"[{"id":1},{"id":2},{"id":3},{"id":4,"s":"bad"},{"id":5}]"#
        let feed = StreamImport(
            into: seats.manager, from: [.text(text)],
            routes: [.objects("Seat", at: "[]", key: "id", setter: Self.setter)],
            options: .batches(of: batchSize, onError: .stop))
        #expect(throws: ImportError.self) { try feed.perform() }
        // Only whole chunks before the bad record are committed.
        let count = 3 / batchSize * batchSize
        #expect(try seats.rows().count == count)
        #expect(ear.inserted.map(\.description).sorted() == (0..<count).map { "Seat/p\($0 + 1)" })
        #expect(ear.updated == [])
        withExtendedLifetime(observation) {}
    }

    @Test("Observers do not hear of saves rolled back for a reject of another route", arguments: [1, 100])
    func norIfAnotherRouteIsToBlame(_ batchSize: Int) throws {
        let seats = try SeatStore(.closure)
        let ear = Ear()
        let observation = seats.manager.observeSaves { ear.hear($0) }
        let text = #"{"a":[{"id":1},{"id":2}],"b":[{"id":1,"s":"bad"}],"c":[]}"#
        let feed = StreamImport(
            into: seats.manager, from: [.text(text)],
            routes: [
                .objects("Seat", at: ".a[]", key: "id", setter: Self.setter),
                .objects("NamedSeat", at: ".b[]", key: "id", setter: Self.setter),
            ], options: .batches(of: batchSize, onError: .stop))
        #expect(throws: ImportError.self) { try feed.perform() }
        #expect(try seats.rows() == (batchSize == 1 ? ["1 1 - -", "2 2 - -"] : []))
        #expect(ear.inserted.map(\.description).sorted() == (batchSize == 1 ? ["Seat/p1", "Seat/p2"] : []))
        withExtendedLifetime(observation) {}
    }

    @Test("Observers hear once of chunks that are written again after a failure")
    func whatIsWrittenAgainIsToldOnce() throws {
        let items = try ItemStore()
        try items.take(ItemStore.text(0..<10))
        // The second record of an id is deferred until the first is written, and is saved by itself.
        let text = """
            [{"id":1,"name":"a"},{"id":1,"name":"b"},{"id":2,"name":"c"},{"id":2,"name":"bad"}]
            """
        let (first, last) = try items.manager.newPrivateContext().performAndWait { context in
            (
                try #require(try FeedItem.find(["id": 1], in: context)).objectID,
                try #require(try FeedItem.find(["id": 2], in: context)).objectID
            )
        }
        let ear = Ear()
        let isTold = DispatchSemaphore(value: 0)
        let observation = items.manager.observeSaves { saved in
            ear.hear(saved)
            if saved.updated.contains(last) { isTold.signal() }
        }
        let feed = StreamImport(
            into: items.manager, from: [.text(text)],
            routes: [
                .objects(FeedItem.self, at: "[]") { record, item in
                    item.name = record["name"]
                    if item.name == "bad" { throw Refusal() }
                }
            ], options: .batches(of: 1, onError: .stop))
        #expect(throws: ImportError.self) { try feed.perform() }
        // Observers are notified on a queue of their own, of rows after saves.
        isTold.wait()
        // The object changes twice: as a row, and by the save of the deferred record.
        #expect(ear.updated.count { $0 == first } == 2 && ear.inserted.isEmpty)
        let rows = try items.rows().map(\.withoutNumber)
        #expect(Array(rows.prefix(3)) == ["0 name 0", "1 b", "2 c"] && rows.count == 10)
        #expect(try items.faults() == [])
        withExtendedLifetime(observation) {}
    }
}
