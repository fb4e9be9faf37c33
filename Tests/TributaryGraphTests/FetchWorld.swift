import Foundation
import Synchronization
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// A database of the library with a few rows, which can record the SQL that it executes.
final class FetchWorld {
    let model: Model
    let connection: Connection
    let compiler: FetchCompiler
    private let recorded = Recorded()

    /// The recorded statements, in a class because the handler of a trace must be Sendable.
    private final class Recorded: Sendable {
        let statements = Mutex<[String]>([])
    }

    init(_ model: Model) throws {
        self.model = model
        let schema = Schema(model)
        compiler = FetchCompiler(schema: schema, model: model)
        connection = try Connection(.memory)
        try FilterFunctions.define(on: connection)
        for statement in schema.creation() { try connection.execute(statement) }
    }

    /// Two authors and a reader, three books in a series and one outside.
    static func library() throws -> FetchWorld {
        let world = try FetchWorld(try Model(Author.self, Reader.self, Book.self, Series.self))
        let statements: [SQLFragment] = [
            "INSERT INTO Series (_pk, title, editor) VALUES (1, 'Earthsea', NULL), (2, 'None', 1)",
            "INSERT INTO Person (_pk, _entity, id, name, city) VALUES (1, 'Author', 10, 'Ursula', 'Portland'), (2, 'Author', 20, 'Octavia', NULL)",
            "INSERT INTO Person (_pk, _entity, id, name, age) VALUES (3, 'Reader', 30, 'Rita', 44)",
            "INSERT INTO \"_Person.friends\" VALUES (1, 2), (3, 1), (2, 2)",
            """
            INSERT INTO Book (_pk, isbn, price, pages, published, author, series, "_order.Series.books") VALUES
              (1, 'a', '9.5', 300, 1000.5, 1, 1, 2), (2, 'b', '12', NULL, NULL, 1, 1, 0),
              (3, 'c', NULL, 200, 0, 2, 1, 1), (4, 'd', '9.5', 300, NULL, NULL, NULL, NULL)
            """,
        ]
        try world.insert(statements)
        return world
    }

    /// Inserts rows that may refer to one another.
    func insert(_ statements: [SQLFragment]) throws {
        try connection.transaction { for statement in statements { try connection.execute(statement) } }
    }

    func recording<Result>(_ body: () throws -> Result) throws -> (result: Result, statements: [String]) {
        recorded.statements.withLock { $0 = [] }
        connection.trace { [recorded] event in
            if event.duration == nil { recorded.statements.withLock { $0.append(event.sql) } }
        }
        defer { connection.trace(nil) }
        let result = try body()
        return (result, recorded.statements.withLock { $0 })
    }

    func entity(_ name: String) throws -> Entity { try compiler.entity(named: name) }

    func keys(_ query: RowQuery) throws -> [Int64] { try query.keys(on: connection).map(\.key) }

    /// The keys of the children of each owner.
    func children(_ entity: String, _ name: String, of owners: [Int64]) throws -> [Int64: [Int64]] {
        guard let relationship = model[entity]?.relationship(named: name) else { return [:] }
        let query = try compiler.children(of: relationship, owners: owners)
        var keys: [Int64: [Int64]] = [:]
        try query.forEachRow(on: connection) { row in
            keys[row.integer(at: query.layout.ownerColumn ?? 0), default: []]
                .append(row.integer(at: query.layout.keyColumn))
        }
        return keys
    }
}
