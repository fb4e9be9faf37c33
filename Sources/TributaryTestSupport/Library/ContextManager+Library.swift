package import TributaryGraph

extension ContextManager {
    /// A manager of the library model with a store in memory, for tests on any queue.
    package static func library() throws -> ContextManager {
        try ContextManager(model: Model(Author.self, Reader.self, Book.self, Series.self), store: .memory)
    }
}
