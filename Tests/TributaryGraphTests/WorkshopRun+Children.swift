import TributaryGraph
import TributaryTestSupport

/// The steps in child contexts, which save into their parents.
extension WorkshopRun {
    /// Runs some steps in a child of a player, while the player itself does nothing.
    ///
    /// A child runs blocks on the queue of its parent, so a thread that waits for the child must not hold it.
    func playWithChild(_ player: WorkshopPlayer) throws {
        guard player.name.count < 6 else { return }
        player.children += 1
        let name = "\(player.name).\(player.children % 10)"
        var made: WorkshopPlayer?
        try player.enter { context in
            context.processPendingChanges()
            player.oracle.process()
            let world = player.oracle.saved
            if player.allowsQueues, self.generator.once(in: 2) {
                made = WorkshopPlayer(name, world, in: context.privateChild())
            } else {
                let scratch = context.scratchChild()
                let enter = player.enter
                made = WorkshopPlayer(name, world) { body in try enter { _ in try body(scratch) } }
                made?.allowsQueues = player.allowsQueues
            }
        }
        guard let child = made else { return }
        child.base = child.oracle.world
        child.parent = player
        note(child, "begins")
        for _ in 0..<generator.below(40) { try act(child) }
        note(child, "ends")
        try player.enter { try self.checkFlags(player, $0) }
    }

    /// Saves a child, so that its changes become pending changes of the parent.
    func push(_ child: WorkshopPlayer, _ inner: ManagedObjectContext, into player: WorkshopPlayer) throws {
        note(child, "save into \(player.name)")
        inner.processPendingChanges()
        child.oracle.process()
        let denials = child.oracle.denials
        if !denials.isEmpty {
            let error = failure { try inner.save() }
            try WorkshopFailure.unless(
                (error as? SaveError)?.code == .validation,
                "a save that must be denied for \(denials) gave \(error.debugDescription)")
            return
        }
        try inner.save()
        try WorkshopFailure.unless(!inner.hasChanges, "a child has changes after its save")
        player.oracle.take(child.oracle)
        forget(child, child.oracle.deleted)
        child.oracle.endSave()
        child.base = child.oracle.world
        try verify(child, inner)
        try player.enter { context in
            player.handles = player.handles.filter { player.oracle.world[$0.key] != nil }
            try self.verify(player, context)
        }
    }
}
