import Foundation
import Tributary

/// The books of a database: a list that follows it, and what the commands do.
@MainActor
final class Shelf {
    private let manager: ContextManager
    private let list: SearchableList<Book>

    /// Opens a database, which is migrated if an earlier edition has made it.
    init(_ path: String) throws {
        let model = try Model(Author.self, Book.self)
        if FileManager.default.fileExists(atPath: path) {
            for plan in try MigrationPlan.plans(for: .sqlite(path), to: model) {
                print("migrating \(path):")
                for change in plan.changes { print("  \(change)") }
            }
        }
        manager = try ContextManager(model: model, store: .sqlite(path))
        let context = manager.mainContext
        context.undoManager = ContextUndoManager(levelsOfUndo: 100)
        list = SearchableList(in: context, sectionKeyPath: "author.name") { text in
            let filter = text.map { Filter("title CONTAINS[cd] \($0) OR author.name CONTAINS[cd] \($0)") }
            return FetchRequest(where: filter, sort: [SortKey("author.name"), SortKey("title")])
        }
        try list.search(nil)
    }

    /// Imports a file of books, and tells how the list grows while it runs.
    func load(_ path: String) async throws {
        var options = ImportOptions()
        // Rows appear as they are read, not at the end.
        options.firstLoad = .inGroups
        let operation = ImportOperation<Book>(into: manager, from: .file(path), key: \.isbn, options: options) {
            record, book, context in
            book.title = record["title"]
            book.year = record["year"]
            guard let name: String = record["author"]["name"] else { return }
            book.author = try Author.findOrInsert(["name": name], in: context)
        }
        let observation = list.observe { [list] _ in print("  \(list.results?.count ?? 0) books so far") }
        try await operation.run()
        withExtendedLifetime(observation) {}
        print("imported \(path): \(list.results?.count ?? 0) books")
    }

    /// Prints the books under their authors, or those of a search text in one list.
    func show(_ text: String? = nil) throws {
        try list.search(text)
        guard let results = list.results else { return }
        for (index, section) in results.sections.enumerated() {
            if list.showsSections { print(section.name.isEmpty ? "(no author)" : section.name) }
            for book in results.objects(inSection: index) {
                let year = book.year.map { " (\($0))" } ?? ""
                print("  \(book.isbn)  \(book.title ?? "untitled")\(year)")
            }
        }
        if list.showsSections { print("index: \(list.sectionIndexTitles.joined(separator: " "))") }
    }

    /// Gives a book another title, as one step of undo.
    func rename(_ isbn: String, to title: String) throws {
        guard let book = try Book.find(["isbn": isbn], in: manager.mainContext) else {
            return print("there is no book \(isbn)")
        }
        manager.mainContext.undoManager?.beginGroup()
        book.title = title
        manager.mainContext.undoManager?.endGroup()
        manager.mainContext.undoManager?.setActionName("rename")
    }

    /// Takes the last step back.
    func undo() throws {
        guard let undo = manager.mainContext.undoManager, undo.canUndo else { return print("nothing to undo") }
        try undo.undo()
    }

    /// Repeats the step that was undone last.
    func redo() throws {
        guard let undo = manager.mainContext.undoManager, undo.canRedo else { return print("nothing to redo") }
        try undo.redo()
    }

    /// Saves the changes.
    func save() throws {
        try manager.mainContext.save()
        print("saved")
    }

    /// Closes the database.
    func close() { manager.close() }
}
