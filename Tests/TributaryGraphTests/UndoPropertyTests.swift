import Foundation
import Testing
import TributaryGraph
import TributaryTestSupport

/// Random edits, undone and redone, with saves at random places.
///
/// `TRIBUTARY_UNDOS` sets the number of edits, `TRIBUTARY_SEED` the seed.
@Suite struct UndoPropertyTests {
    private static let editCount = ProcessInfo.processInfo.environment["TRIBUTARY_UNDOS"].flatMap(Int.init) ?? 10_000

    @Test("Undo and redo of 10,000 random edits return to equal snapshots, also across saves")
    func snapshots() throws {
        let random = SeededGenerator.fresh()
        let manager = try ContextManager(model: Workshop.model(), store: .memory)
        try manager.newPrivateContext().performAndWait { context in
            let world = UndoWorld(context, random)
            try context.save()
            context.undoManager = ContextUndoManager()
            while world.editCount < Self.editCount { try round(world, manager) }
        }
    }

    @Test("Undo and redo in a child context return to equal snapshots, also across saves into the parent")
    func snapshotsOfAChild() throws {
        let random = SeededGenerator.fresh()
        let manager = try ContextManager(model: Workshop.model(), store: .memory)
        let parent = manager.newPrivateContext()
        defer { withExtendedLifetime(parent) {} }
        try parent.child().performAndWait { context in
            let world = UndoWorld(context, random, hasDanglingReferences: false)
            try context.saveToStore()
            context.undoManager = ContextUndoManager()
            while world.editCount < Self.editCount / 5 { try round(world, manager) }
        }
    }

    /// Makes edits in groups, walks back and forth, and compares the store in the end.
    private func round(_ world: UndoWorld, _ manager: ContextManager) throws {
        let seed = world.random.seed
        let context = world.context
        let undoManager = try #require(context.undoManager)
        undoManager.removeAllActions()
        var snapshots = [try world.snapshot()]
        for _ in 0..<10 {
            try editInGroup(world, undoManager)
            snapshots.append(try world.snapshot())
            try #require(!undoManager.canRedo, "seed \(seed)")
            try saveSometimes(world)
        }
        var position = 10
        let goals = [0, 10, world.random.below(11), world.random.below(11)]
        for goal in goals {
            while position != goal {
                if goal < position {
                    try context.undo()
                    position -= 1
                } else {
                    try context.redo()
                    position += 1
                }
                let differences = try world.snapshot().differences(from: snapshots[position])
                try #require(differences.isEmpty, "seed \(seed), edit \(world.editCount)")
                try saveSometimes(world)
            }
            try #require(
                undoManager.canUndo == (position > 0) && undoManager.canRedo == (position < 10), "seed \(seed)")
        }
        try context.saveToStore()
        let here = try UndoWorld.lines(of: context)
        let there = try manager.readAndWait { try UndoWorld.lines(of: $0) }
        let differences = here.symmetricDifference(there).sorted()
        try #require(differences.isEmpty, "seed \(seed), edit \(world.editCount)")
    }

    private func editInGroup(_ world: UndoWorld, _ undoManager: ContextUndoManager) throws {
        switch world.random.below(3) {
        case 0:
            try world.edit(atMost: 1)
            world.context.processPendingChanges()
        case 1:
            try world.context.withUndoGroup {
                try world.edit(atMost: 10)
                try saveSometimes(world)
                try world.context.withUndoGroup { try world.edit(atMost: 10) }
                try world.edit(atMost: 10)
            }
        default:
            undoManager.beginGroup()
            try world.edit(atMost: 20)
            undoManager.endGroup()
        }
    }

    private func saveSometimes(_ world: UndoWorld) throws {
        switch world.random.below(8) {
        case 0, 1: try world.context.save()
        case 2: try world.context.saveToStore()
        default: break
        }
    }
}
