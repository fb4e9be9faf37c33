import Testing
import TributaryGraph

/// A model of its own for hooks: the validation of a ledger changes its entries.
private final class Ledger: ManagedObject {
    @Attribute var number: Int
    @Attribute var total: Int = 0
    @Attribute(.derived("entries.@count")) var count: Int
    @Relationship(inverse: \Entry.ledger, onDelete: .cascade) var entries: ToMany<Entry>

    override func validateForUpdate() throws {
        // Changes that validation makes to other objects are saved by the next save.
        for entry in entries where entry.note == "checked" { entry.note = "seen" }
    }
}

/// An entry, whose hooks change its ledger.
private final class Entry: ManagedObject {
    @Attribute var amount: Int
    @Attribute var note: String?
    @Relationship var ledger: Ledger?
    nonisolated(unsafe) static var isChatty = false

    override func willSave() {
        guard let ledger, let context else { return }
        let sum = ledger.entries.reduce(0) { $0 + $1.amount }
        if ledger.total != sum { ledger.total = sum }
        // A fetch processes pending changes, and must not hide them from the save.
        _ = try? context.count(FetchRequest<Ledger>())
    }

    override func didSave() {
        guard Entry.isChatty, note == "tell", let ledger else { return }
        ledger.total = -1
    }
}

/// Changes made by the hooks of a save are saved with it or by the next save.
@Suite(.serialized) struct SaveHookTests {
    private let manager: ContextManager

    init() throws {
        manager = try ContextManager(model: Model(Ledger.self, Entry.self), store: .memory)
        try manager.writeAndWait { context in
            let ledger = context.insert(Ledger.self)
            ledger.number = 1
            for amount in 1...3 {
                let entry = context.insert(Entry.self)
                entry.amount = amount
                entry.ledger = ledger
            }
        }
    }

    private func stored() throws -> [Int] {
        try manager.newPrivateContext().performAndWait { context in
            let ledger = try #require(try Ledger.first(in: context))
            return [ledger.total, ledger.count] + ledger.entries.map(\.amount).sorted()
        }
    }

    @Test("willSave can change another object and then fetch")
    func willSaveMayFetchAfterItsChange() throws {
        #expect(try stored() == [6, 3, 1, 2, 3])
        try manager.newPrivateContext().performAndWait { context in
            let entry = try #require(try Entry.first(in: context, where: "amount == 3"))
            entry.amount = 10
            try context.save()
            #expect(!context.hasChanges)
        }
        #expect(try stored() == [13, 3, 1, 2, 10])
    }

    @Test("Changes that didSave makes to other objects are saved by the next save")
    func whatDidSaveChangesInOthersIsNotLost() throws {
        try manager.newPrivateContext().performAndWait { context in
            let entry = try #require(try Entry.first(in: context, where: "amount == 1"))
            let ledger = try #require(entry.ledger)
            entry.note = "tell"
            ledger.number = 2
            Entry.isChatty = true
            defer { Entry.isChatty = false }
            try context.save()
            #expect(ledger.isUpdated && context.hasChanges && ledger.total == -1)
            Entry.isChatty = false
            try context.save()
            #expect(!context.hasChanges)
        }
        #expect(try stored()[0] == -1)
    }

    @Test("Changes that validation makes to other objects are saved by the next save")
    func whatValidationChangesInOthersIsNotLost() throws {
        try manager.newPrivateContext().performAndWait { context in
            let entry = try #require(try Entry.first(in: context, where: "amount == 1"))
            entry.note = "checked"
            try context.save()
            let ledger = try #require(entry.ledger)
            ledger.number = 3
            try context.save()
            #expect(entry.note == "seen" && entry.isUpdated && context.hasChanges)
            try context.save()
            #expect(!context.hasChanges)
        }
        let notes = try manager.newPrivateContext().performAndWait { try Entry.all(in: $0).compactMap(\.note) }
        #expect(notes == ["seen"])
    }

    @Test("A derived attribute cannot be set")
    func whatIsComputedIsNotSet() async throws {
        try manager.newPrivateContext().performAndWait { context in
            let ledger = try #require(try Ledger.first(in: context))
            let error = #expect(throws: ContextError.self) { try ledger.setValue(7, forKey: "count") }
            #expect(
                error?.description
                    == "Ledger.count is derived from entries.@count; set that; it is computed by the next save")
            #expect(!ledger.hasChanges && ledger.count == 3)
        }
        await #expect(processExitsWith: .failure) {
            let manager = try ContextManager(model: Model(Ledger.self, Entry.self), store: .memory)
            manager.newPrivateContext().performAndWait { context in
                let ledger = context.insert(Ledger.self)
                ledger.number = 1
                ledger.count = 7
            }
        }
    }
}
