import Tributary

/// The films of a database under their decades, all of them or those of a search.
@MainActor
final class FilmList {
    private let manager: ContextManager
    private let list: SearchableList<Film>

    /// Opens the database, which is made if it does not exist.
    init(_ path: String) throws {
        manager = try ContextManager(model: .films(), store: .sqlite(path))
        list = SearchableList(in: manager.mainContext, sectionKeyPath: "year") { text in
            FetchRequest(where: text.map(FilmList.filter), sort: [SortKey("year"), SortKey("title")])
        }
        // Films of ten years are one section.
        list.sectionName = { year in
            guard case .integer(let year) = year else { return "" }
            return "\(year / 10 * 10)s"
        }
        list.indexTitle = { decade in decade }
        list.showsSectionsWhenSearching = true
        try list.search(nil)
    }

    /// Films with every word of a text in their title, or in the name of their director.
    private static func filter(_ text: String) -> Filter {
        .and(
            text.split(separator: " ").map { word in
                "title CONTAINS[cd] \(String(word)) OR director.name CONTAINS[cd] \(String(word))"
            })
    }

    /// Imports a dump: the members of records go where the model says, and directors are objects of their own.
    func load(_ path: String) async throws {
        let films = StreamImport(into: manager, from: [.file(path)], routes: [.rows("Film")])
        try await films.run()
        print("\(films.summary.inserted) films are new, \(films.summary.updated) have changed")
    }

    /// Prints the films of a search text, or all for an empty one, and the index of their sections.
    func show(_ text: String) throws {
        try list.search(text)
        guard let results = list.results, results.count > 0 else { return print("no films") }
        for (index, section) in results.sections.enumerated() {
            print("\(section.name):")
            for film in results.objects(inSection: index) { print("  \(film.line)") }
        }
        print("index: " + list.sectionIndexTitles.joined(separator: " "))
    }

    /// Closes the database.
    func close() { manager.close() }
}
