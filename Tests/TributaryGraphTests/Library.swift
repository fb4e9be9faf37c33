import TributaryGraph
import TributaryTestSupport

/// A manager of the library model, with a store in memory by default.
@MainActor
struct Library {
    let model: Model
    let manager: ContextManager

    init(_ store: StoreLocation = .memory, options: StoreOptions = StoreOptions()) throws {
        model = try Model(Author.self, Reader.self, Book.self, Series.self)
        manager = try ContextManager(model: model, store: store, options: options)
    }

    var context: ManagedObjectContext { manager.mainContext }

    func make<Object: ManagedObject>(_ type: Object.Type = Object.self) -> Object { context.insert(type) }

    func author(_ id: Int, _ name: String? = nil) -> Author { context.author(id, name) }

    func book(_ isbn: String, by author: Author? = nil) -> Book { context.book(isbn, by: author) }
}
