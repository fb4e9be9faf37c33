import Foundation
import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// A store of `FeedItem`s, and the statements that it executes.
final class ItemStore: Sendable {
    let folder: TemporaryFolder
    let manager: ContextManager
    private let statements = Guarded<[String]>([])

    init(creation: StoreOptions.Creation = .whenOpened) throws {
        folder = try TemporaryFolder()
        var options = StoreOptions()
        options.creation = creation
        let statements = statements
        options.trace = { event in
            guard event.duration == nil else { return }
            statements.withLock { $0.append(event.sql) }
        }
        manager = try ContextManager(
            model: Model(FeedItem.self), store: .sqlite(folder.path("items.sqlite")), options: options)
    }

    var path: String { folder.path("items.sqlite") }
    var store: SQLiteStore { manager.stores.stores[0] }

    /// An array of records with these ids, each with a name.
    static func text(_ ids: some Sequence<Int>, _ name: (Int) -> String = { "name \($0)" }) -> String {
        "[" + ids.map { "{\"id\":\($0),\"name\":\"\(name($0))\"}" }.joined(separator: ",\n") + "]"
    }

    /// An import that is ready to begin.
    func makeImport(_ source: any ByteSource, _ change: (inout ImportOptions) -> Void = { _ in }) -> StreamImport {
        var options = ImportOptions()
        options.jobs = 2
        change(&options)
        let feed = StreamImport(
            into: manager, from: [source],
            routes: [.rows("FeedItem", at: "[]")], options: options)
        return feed
    }

    /// Imports a text.
    @discardableResult
    func take(_ text: String, _ change: (inout ImportOptions) -> Void = { _ in }) throws -> ImportSummary {
        try makeImport(MemorySource(text.utf8), change).perform().summary
    }

    /// The statements that begin while `body` runs.
    func recorded(_ body: () throws -> Void) rethrows -> [String] {
        statements.withLock { $0 = [] }
        try body()
        return statements.withLock { $0 }
    }

    /// All rows: number, id, name.
    func rows() throws -> [String] {
        try store.read { connection in
            try connection.rows(of: "SELECT \"_pk\", \"id\", \"name\" FROM \"FeedItem\" ORDER BY \"_pk\"").map { row in
                row.map(\.plain).joined(separator: " ")
            }
        }
    }

    func faults() throws -> [String] { try FeedStore.faults(store) }
}

extension SQLValue {
    /// The value as text, without quotation marks.
    fileprivate var plain: String {
        switch self {
        case .integer(let value): "\(value)"
        case .text(let text): text
        default: "\(self)"
        }
    }
}

extension String {
    /// A row without its number.
    var withoutNumber: String { String(drop { $0 != " " }.dropFirst()) }
}
