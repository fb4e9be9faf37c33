/// Unused statements, by their text; the least recently used one is removed first.
struct StatementCache {
    private let capacity: Int
    private var statements: [String: (statement: Statement, turn: Int)] = [:]
    private var turn = 0

    init(capacity: Int) { self.capacity = capacity }

    /// Removes and returns the statement of this text, if there is one.
    mutating func remove(_ sql: String) -> Statement? { statements.removeValue(forKey: sql)?.statement }

    /// Adds a statement that is no longer in use.
    mutating func insert(_ statement: Statement) {
        turn += 1
        statements[statement.sql] = (statement, turn)
        guard statements.count > capacity, let oldest = statements.min(by: { $0.value.turn < $1.value.turn }) else {
            return
        }
        statements.removeValue(forKey: oldest.key)
    }

    mutating func removeAll() { statements.removeAll() }
}
