import Foundation
import Testing
import TributaryGraph
import TributaryTestSupport

/// Groups of changes, nested groups and their names.
@Suite struct UndoGroupTests {
    /// Calls `body` with a series in a context that has an undo manager.
    private func run(_ body: (ManagedObjectContext, ContextUndoManager, Series) throws -> Void) throws {
        try ContextManager.library().newPrivateContext().performAndWait { context in
            let series = context.insert(Series.self)
            series.title = ""
            try context.save()
            let undoManager = ContextUndoManager()
            context.undoManager = undoManager
            try body(context, undoManager, series)
        }
    }

    @Test("Changes before a group are not part of it, and all changes inside are undone together")
    func groups() throws {
        try run { context, undoManager, series in
            series.title += "a"
            undoManager.beginGroup()
            #expect(undoManager.groupingLevel == 1)
            series.title += "b"
            context.processPendingChanges()
            series.title += "c"
            undoManager.endGroup()
            #expect(undoManager.groupingLevel == 0)
            series.title += "d"
            try context.undo()
            #expect(series.title == "abc")
            try context.undo()
            #expect(series.title == "a")
            try context.undo()
            #expect(series.title == "" && !undoManager.canUndo)
            for title in ["a", "abc", "abcd"] {
                try context.redo()
                #expect(series.title == title)
            }
        }
    }

    @Test("A nested group is undone by itself, or with the group around it")
    func nestedGroups() throws {
        try run { context, undoManager, series in
            undoManager.beginGroup()
            series.title += "a"
            context.withUndoGroup {
                series.title += "b"
                context.withUndoGroup { series.title += "c" }
            }
            try undoManager.undoNestedGroup()
            #expect(series.title == "a" && undoManager.groupingLevel == 1)
            try undoManager.redo()
            #expect(series.title == "abc")
            try undoManager.undoNestedGroup()
            #expect(series.title == "a")
            series.title += "d"
            undoManager.endGroup()
            try undoManager.undoNestedGroup()
            #expect(series.title == "" && !undoManager.canUndo)
            try context.redo()
            #expect(series.title == "ad")
        }
    }

    @Test("A nested group cannot be undone after other changes, and undo needs all nested groups to be closed")
    func refusals() throws {
        try run { context, undoManager, series in
            undoManager.beginGroup()
            context.withUndoGroup { series.title += "a" }
            series.title += "b"
            #expect { try undoManager.undoNestedGroup() } throws: { ($0 as? ContextError)?.code == .notUndoable }
            undoManager.beginGroup()
            #expect { try undoManager.undoNestedGroup() } throws: { ($0 as? ContextError)?.code == .notUndoable }
            #expect { try context.undo() } throws: { ($0 as? ContextError)?.code == .notUndoable }
            #expect(series.title == "ab")
            undoManager.endGroup()
            try context.undo()
            #expect(series.title == "" && undoManager.groupingLevel == 0)
        }
    }

    @Test("Undo closes the open group, and a group without changes is no action")
    func openAndEmptyGroups() throws {
        try run { context, undoManager, series in
            series.title += "a"
            undoManager.beginGroup()
            undoManager.endGroup()
            undoManager.beginGroup()
            series.title += "b"
            try context.undo()
            #expect(series.title == "a" && undoManager.groupingLevel == 0)
            try context.undo()
            #expect(series.title == "" && !undoManager.canUndo)
        }
    }

    @Test("A closure that throws ends its group, and its changes can be undone")
    func throwingClosures() throws {
        try run { context, undoManager, series in
            #expect(throws: CancellationError.self) {
                try context.withUndoGroup {
                    series.title = "a"
                    throw CancellationError()
                }
            }
            #expect(series.title == "a" && undoManager.groupingLevel == 0)
            try context.undo()
            #expect(series.title == "")
        }
    }

    @Test("Actions have the names of their groups")
    func names() throws {
        try run { context, undoManager, series in
            context.withUndoGroup(named: "Add") { series.title += "a" }
            series.title += "b"
            undoManager.setActionName("Append")
            #expect(undoManager.undoActionName == "Append" && undoManager.redoActionName == "")
            try context.undo()
            #expect(undoManager.undoActionName == "Add" && undoManager.redoActionName == "Append")
            try context.undo()
            #expect(undoManager.undoActionName == "" && undoManager.redoActionName == "Add")
        }
    }

    @Test("A rollback in a group removes its changes, and the group stays open")
    func rollbackInAGroup() throws {
        try run { context, undoManager, series in
            context.withUndoGroup {
                series.title += "a"
                context.rollback()
                series.title += "b"
            }
            #expect(series.title == "b")
            try context.undo()
            #expect(series.title == "" && !undoManager.canUndo)
        }
    }

    @Test("Edits that fetch are one action, which undo reverts, and which clears what can be redone")
    func editsThatFetch() throws {
        try run { context, undoManager, series in
            series.title = "a"
            context.processPendingChanges()
            series.title = "b"
            try context.undo()
            let entity = try #require(context.model["Author"])
            let key = [try #require(entity.attribute(named: "id"))]
            let editor = try ObjectEditor(context, entity, key: key, scope: entity)
            for id in 1...2 {
                editor.begin()
                context.author(id)
                _ = try context.fetch(FetchRequest<Author>())
                editor.keep()
            }
            editor.finish()
            try context.redo()
            #expect(series.title == "a" && !undoManager.canRedo)
            try context.undo()
            #expect(try series.title == "a" && context.fetch(FetchRequest<Author>()).isEmpty)
            try context.undo()
            #expect(series.title == "" && !undoManager.canUndo)
        }
    }

    @Test("A group may span saves")
    func groupsAcrossSaves() throws {
        try run { context, undoManager, series in
            try context.withUndoGroup {
                series.title += "a"
                try context.save()
                series.title += "b"
                try context.save()
            }
            try context.undo()
            #expect(series.title == "" && series.hasChanges && !undoManager.canUndo)
        }
    }
}
