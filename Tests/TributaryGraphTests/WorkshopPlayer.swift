import TributaryGraph

/// A context of the random tests, with the objects retained from it and its expected state.
final class WorkshopPlayer {
    let name: String
    /// Runs a closure on the queue of the context.
    let enter: ((ManagedObjectContext) throws -> Void) throws -> Void
    var oracle: OracleContext
    /// The objects that the test retains, by their codes; used only within `enter`.
    var handles: [Int: ManagedObject] = [:]
    /// Objects deleted by another context, which may be marked as deleted here until the next save.
    var ghosts: Set<Int> = []
    /// The objects that a child started from, or nil for a player on the store.
    var base: [Int: OracleObject]?
    /// The player that receives the saves of this one, or nil for a player on the store.
    var parent: WorkshopPlayer?
    /// Whether children may have their own queues, which is false if the context runs on the queue of the test.
    var allowsQueues = false
    var children = 0

    init(
        _ name: String, _ world: [Int: OracleObject],
        enter: @escaping ((ManagedObjectContext) throws -> Void) throws -> Void
    ) {
        self.name = name
        self.enter = enter
        oracle = OracleContext(world)
    }

    convenience init(_ name: String, _ world: [Int: OracleObject], in context: PrivateContext) {
        self.init(name, world) { body in try context.performAndWait { try body($0) } }
        allowsQueues = true
    }

    deinit {
        // Objects must be released on the queue of their context.
        let handles = handles
        self.handles = [:]
        try? enter { _ in withExtendedLifetime(handles) {} }
    }
}
