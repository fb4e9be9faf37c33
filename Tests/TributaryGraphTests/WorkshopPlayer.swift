import TributaryGraph

/// A context of the model-based test, the objects that are held from it, and what it should be.
final class WorkshopPlayer {
    let name: String
    /// Runs a closure where the context belongs.
    let enter: ((ManagedObjectContext) throws -> Void) throws -> Void
    var oracle: OracleContext
    /// The objects that the test holds, by their codes; used within `enter` only.
    var handles: [Int: ManagedObject] = [:]
    /// Objects that another context has deleted: they may stand as deleted here until the next save.
    var ghosts: Set<Int> = []
    /// What the parent had when the player began; nil for the store.
    var base: [Int: OracleObject]?
    /// Whose changes the player's saves become; nil for those of the store.
    var parent: WorkshopPlayer?
    /// Whether children may have queues of their own: not where the parent's queue is that of the test.
    var allowsQueues = false
    /// How many children the player has had.
    var children = 0

    init(
        _ name: String, _ world: [Int: OracleObject],
        enter: @escaping ((ManagedObjectContext) throws -> Void) throws -> Void
    ) {
        self.name = name
        self.enter = enter
        oracle = OracleContext(world)
    }

    /// A player in a context with a queue of its own.
    convenience init(_ name: String, _ world: [Int: OracleObject], in context: PrivateContext) {
        self.init(name, world) { body in try context.performAndWait { try body($0) } }
        allowsQueues = true
    }

    deinit {
        // Objects are let go where they belong.
        let handles = handles
        self.handles = [:]
        try? enter { _ in withExtendedLifetime(handles) {} }
    }
}
