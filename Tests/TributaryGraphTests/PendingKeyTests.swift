import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// Lookups of unsaved objects by unique keys, which may change between two lookups.
@Suite("Lookups by key among unsaved changes") struct PendingKeyTests {
    /// The keys of the objects that lookups by the keys from 0 to 11 find.
    private func lookup(_ context: ManagedObjectContext, _ key: [AttributeProperty], _ scope: Entity) throws -> [Int?] {
        var keys = SortedKeys(key, capacity: 12)
        for number in 0..<12 { keys.append(.integer(Int64(number))) }
        keys.sort()
        let found = try context.objects(with: keys, of: scope)
        return (0..<12).map { (found[Int(keys.group[$0])] as? Person)?.id }
    }

    @Test("A lookup finds each object by the key that it has now, after any changes, undone edits and saves")
    func objectsAreFoundByTheirPresentKeys() throws {
        var random = SeededGenerator.fresh()
        for round in 0..<30 {
            try ContextManager.library().newPrivateContext().performAndWait { context in
                let author = try #require(context.model["Author"])
                let key = [try #require(author.attribute(named: "id"))]
                let scope = author.scope(ofKey: key)
                if random.once(in: 2) { context.undoManager = ContextUndoManager() }
                func people() throws -> [Person] { try context.fetch(FetchRequest<Person>()) }
                func freeKey() throws -> Int {
                    random.pick(Array(Set(0..<12).subtracting(try people().map(\.id))).sorted())
                }
                func edit() throws {
                    let people = try people()
                    // Found before an object is inserted, because fetches divide changes into groups to be undone.
                    let free = try freeKey()
                    switch random.below(people.count > 8 ? 2 : 4) {
                    case 0: if !people.isEmpty { random.pick(people).id = free }
                    case 1: if !people.isEmpty { context.delete(random.pick(people)) }
                    case 2: context.insert(Reader.self).id = free
                    default: context.author(free)
                    }
                }
                for step in 0..<80 {
                    switch random.below(12) {
                    case 0: try context.save()
                    case 1: random.once(in: 2) ? context.rollback() : context.reset()
                    case 2: if context.undoManager?.canUndo ?? false { try context.undo() }
                    case 3: if context.undoManager?.canRedo ?? false { try context.redo() }
                    case 4..<7:
                        let editor = try ObjectEditor(context, author, key: key, scope: scope)
                        for _ in 0..<random.below(3) {
                            editor.begin()
                            try edit()
                            if random.once(in: 2) { _ = try lookup(context, key, scope) }
                            random.once(in: 2) ? editor.undo() : editor.keep()
                        }
                        editor.finish()
                    default: try edit()
                    }
                    if random.once(in: 3) { continue }
                    let found = try lookup(context, key, scope)
                    let wanted = Set(try people().map(\.id))
                    #expect(
                        found == (0..<12).map { wanted.contains($0) ? $0 : nil },
                        "seed \(random.seed), round \(round), step \(step)")
                }
            }
        }
    }
}
