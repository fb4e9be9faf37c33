import Foundation
import Testing
import TributaryConcurrency
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// Errors and hooks of saves and fetches that are large enough to use SQLite on another thread.
@Suite("Failures of large saves and fetches") struct ManyRowsFailureTests {
    /// A model of its own for a hook: an object whose `didSave` reads its neighbours.
    final class Parcel: ManagedObject {
        @Attribute var number: Int
        @Attribute var text: String?
        @Relationship var earlier: Parcel?
        @Relationship(inverse: \Parcel.earlier) var later: ToMany<Parcel>

        /// The number of neighbouring objects that `didSave` saw before they were saved.
        static let unsettled = Guarded(0)

        override func didSave() {
            var around = Array(later)
            if let earlier { around.append(earlier) }
            let count = around.count { $0.hasChanges || $0.objectID.isTemporary }
            if count > 0 { Parcel.unsettled.withLock { $0 += count } }
        }
    }

    private static let count = 5000
    private let folder: TemporaryFolder
    private let manager: ContextManager

    init() throws {
        folder = try TemporaryFolder()
        manager = try ContextManager(model: Model(Parcel.self), store: .sqlite(folder.path("parcels.sqlite")))
    }

    private func fill(_ context: ManagedObjectContext) -> [Parcel] {
        var latest: Parcel?
        return (0..<Self.count).map { number in
            let parcel = context.insert(Parcel.self)
            parcel.number = number
            parcel.text = "parcel \(number), with a text that lies elsewhere"
            parcel.earlier = latest
            latest = parcel
            return parcel
        }
    }

    private func execute(_ sql: SQLFragment) throws { try manager.stores.stores[0].write { try $0.execute(sql) } }

    @Test("All objects of a save are saved before the first didSave is called")
    func allAreSettledBeforeTheFirstIsTold() throws {
        try manager.newPrivateContext().performAndWait { context in
            _ = fill(context)
            try context.save()
        }
        #expect(Parcel.unsettled.withLock { $0 } == 0)
    }

    @Test("A save that fails on a full disk keeps all changes and can be repeated")
    func aFullDiskLosesNothing() throws {
        try manager.newPrivateContext().performAndWait { context in
            let parcels = fill(context)
            try execute("PRAGMA max_page_count = 30")
            let error = #expect(throws: SQLiteError.self) { try context.save() }
            #expect(error?.code.primary == .full)
            #expect(context.insertedObjects == Set(parcels))
            #expect(parcels.allSatisfy { $0.objectID.isTemporary })
            try execute("PRAGMA max_page_count = 100000")
            try context.save()
            #expect(!context.hasChanges)
        }
        try manager.newPrivateContext().performAndWait { context in
            let parcels = try Parcel.all(in: context, sort: [SortKey("number")])
            #expect(parcels.map(\.number) == Array(0..<Self.count))
            #expect(parcels.allSatisfy { $0.number == 0 || $0.earlier?.number == $0.number - 1 })
        }
    }

    /// Access to the first object reads the values of the whole batch, in which one row is damaged.
    @Test("A save throws when an observer of it reads a batch with a damaged row")
    func whatWillSaveCannotReadIsThrown() throws {
        try manager.writeAndWait { _ = fill($0) }
        try manager.newPrivateContext().performAndWait { context in
            var request = FetchRequest<Parcel>(sort: [SortKey("number")])
            request.batchSize = Self.count
            let parcels = try context.fetch(request)
            let new = context.insert(Parcel.self)
            new.number = -1
            let observation = context.observeWillSave { _ in new.text = parcels[0].text }
            try execute("UPDATE \"Parcel\" SET \"text\" = x'07' WHERE \"number\" = 4321")
            #expect { try context.save() } throws: { ($0 as? StoreError)?.code == .damaged }
            #expect(context.insertedObjects == [new])
            try execute("UPDATE \"Parcel\" SET \"text\" = 'mended' WHERE \"number\" = 4321")
            try context.save()
            #expect(new.text == parcels[0].text && parcels[4321].text == "mended")
            withExtendedLifetime(observation) {}
        }
    }
}
