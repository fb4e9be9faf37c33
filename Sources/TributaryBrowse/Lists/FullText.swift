import TributaryStore

/// The full-text index of an entity, if it has one.
enum FullText {
    /// Whether rows can be searched for words.
    static func isIndexed(_ source: QuerySource, _ database: BrowsedDatabase) throws -> Bool {
        try database.database.searchIndex(of: source) != nil
    }

    /// Lets a request have only the rows with words.
    static func search(_ words: String, _ request: inout ValueRequest) { request.match = words }
}
