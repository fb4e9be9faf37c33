import Testing
import TributaryConcurrency
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// Saves and fetches that are large enough to use SQLite on another thread.
@Suite("Saves and fetches of thousands of objects") struct ManyRowsTests {
    /// A model of its own for a hook, `didSave`; its text is too long for the inline storage of a `String`.
    final class Ticket: ManagedObject {
        @Attribute(.unique) var number: Int
        @Attribute var text: String?
        @Attribute var share: Double?
        @Relationship var earlier: Ticket?
        @Relationship(inverse: \Ticket.earlier) var later: ToMany<Ticket>

        /// The number of tickets for which `didSave` found another object with the same number.
        static let strangers = Guarded(0)

        override func didSave() {
            guard let context, number % 1000 == 999 else { return }
            let found = try? Ticket.find(["number": number], in: context)
            if found !== self { Ticket.strangers.withLock { $0 += 1 } }
        }
    }

    private static let count = 5000
    private let folder: TemporaryFolder
    private let manager: ContextManager

    init() throws {
        folder = try TemporaryFolder()
        manager = try ContextManager(model: Model(Ticket.self), store: .sqlite(folder.path("tickets.sqlite")))
    }

    private static func text(_ number: Int) -> String { "ticket \(number), with a text that lies elsewhere: äöü \0." }

    private func fill(_ context: ManagedObjectContext, _ numbers: [Int]) -> [Ticket] {
        var latest: Ticket?
        return numbers.map { number in
            let ticket = context.insert(Ticket.self)
            ticket.number = number
            ticket.text = number % 7 == 0 ? nil : Self.text(number)
            ticket.share = Double(number) / 4
            ticket.earlier = latest
            latest = ticket
            return ticket
        }
    }

    private func expectAll(_ count: Int) throws {
        try manager.newPrivateContext().performAndWait { context in
            let tickets = try Ticket.all(in: context, sort: [SortKey("number")])
            #expect(tickets.map(\.number) == Array(0..<count))
            #expect(tickets.allSatisfy { $0.text == ($0.number % 7 == 0 ? nil : Self.text($0.number)) })
            #expect(tickets.allSatisfy { $0.share == Double($0.number) / 4 })
        }
    }

    @Test("Thousands of linked objects are saved and fetched with all their values")
    func allAreWrittenAndRead() throws {
        try manager.newPrivateContext().performAndWait { context in
            _ = fill(context, Array(0..<Self.count))
            try context.save()
            #expect(!context.hasChanges)
            let tickets = try Ticket.all(in: context)
            #expect(tickets.count == Self.count)
            #expect(tickets.allSatisfy { $0.earlier?.later.contains($0) ?? ($0.number == 0) })
        }
        try expectAll(Self.count)
        #expect(Ticket.strangers.withLock { $0 } == 0)
    }

    @Test("A large save keeps referenced objects registered and releases the others")
    func thoseThatAreHeldStayWhatTheyAre() throws {
        try manager.newPrivateContext().performAndWait { context in
            let held = (0..<Self.count).map { number in
                let ticket = context.insert(Ticket.self)
                ticket.number = number
                return number % 3 == 0 ? ticket : nil
            }
            weak var loose: Ticket?
            loose = try Ticket.find(["number": 1], in: context)
            #expect(loose != nil)
            try context.save()
            #expect(loose == nil)
            for (number, ticket) in held.enumerated() where number % 250 == 0 {
                let found = try Ticket.find(["number": number], in: context)
                #expect(found?.number == number && (ticket == nil || found === ticket), "\(number)")
            }
        }
    }

    @Test("A large save reports which object has a duplicate unique value")
    func aValueThatIsTakenIsNamed() throws {
        try manager.writeAndWait { _ = fill($0, [0]) }
        try manager.newPrivateContext().performAndWait { context in
            var numbers = Array(1...Self.count)
            numbers[3100] = 0
            let tickets = fill(context, numbers)
            let error = #expect(throws: SaveError.self) { try context.save() }
            #expect(error?.code == .uniqueness && error?.conflicts.first?.objectID == tickets[3100].objectID)
            #expect(tickets.allSatisfy { $0.isInserted && $0.objectID.isTemporary })
            tickets[3100].number = 3101
            tickets[3100].text = nil  // 3101 is a multiple of 7
            tickets[3100].share = 3101 / 4.0
            try context.save()
        }
        try expectAll(Self.count + 1)
    }

    @Test("A large save under the overwrite policy merges duplicates into stored rows")
    func takenValuesAreMerged() throws {
        try manager.writeAndWait { _ = fill($0, [10, 2500, 2501, 4999]) }
        try manager.inNewContext(merging: .overwrite) { context in
            let tickets = fill(context, Array(0..<Self.count))
            try context.save()
            #expect(tickets.allSatisfy { !$0.objectID.isTemporary && $0.context === context })
        }
        try expectAll(Self.count)
        // A reference to a merged ticket leads to the row that the ticket was merged into.
        try manager.newPrivateContext().performAndWait { context in
            for number in [11, 2501, 2502, 4999] {
                let ticket = try #require(try Ticket.find(["number": number], in: context))
                #expect(ticket.earlier?.number == number - 1)
            }
        }
    }

    @Test("A fetch of thousands of rows throws at a damaged row and names it")
    func aDamagedRowEndsTheFetch() throws {
        try manager.writeAndWait { _ = fill($0, Array(0..<Self.count)) }
        try manager.stores.stores[0].write {
            try $0.execute("UPDATE \"Ticket\" SET \"share\" = 'much' WHERE \"number\" = 3210")
        }
        try manager.newPrivateContext().performAndWait { context in
            for _ in 0..<3 {
                let error = #expect(throws: StoreError.self) { try Ticket.all(in: context) }
                #expect(error?.code == .damaged && error?.reason.contains("in row 3211,") == true)
            }
            // The connection of the failed fetch can be used again.
            let count = try Ticket.fetch(in: context, where: "number < 3000").count
            #expect(count == 3000)
        }
    }
}
