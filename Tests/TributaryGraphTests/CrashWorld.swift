import CTributaryFaults
import Foundation
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// An item on a shelf, related to others in every way that a store supports.
///
/// The model is its own, because processes that are killed write its rows.
class CrashItem: ManagedObject {
    @Attribute(.unique) var number: Int
    @Attribute var label: String?
    @Attribute var weight: Double?
    @Attribute var picture: Data?
    @Relationship(inverse: \CrashShelf.items) var shelf: CrashShelf?
    @Relationship(inverse: \CrashShelf.shown) var window: CrashShelf?
    @Relationship(inverse: \CrashTag.items) var tags: ToMany<CrashTag>
    @Relationship(inverse: .itself) var peers: ToMany<CrashItem>
    @Relationship(onDelete: .noAction) var seen: ToMany<CrashTag>
}

final class CrashBox: CrashItem {
    @Attribute var volume: Decimal?
}

final class CrashShelf: ManagedObject {
    @Attribute(.unique) var code: String
    @Relationship(onDelete: .cascade) var items: ToMany<CrashItem>
    @Relationship var shown: OrderedToMany<CrashItem>
}

final class CrashTag: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship var items: OrderedToMany<CrashItem>
}

/// A store of items, shelves and tags: in state A, and after one save in state B.
enum CrashWorld {
    struct Setting: Sendable, Codable, CustomStringConvertible {
        var usesLog = true
        var isDurable = false
        var description: String { "\(usesLog ? "WAL" : "DELETE")\(isDurable ? ", durable" : "")" }

        static let all = [
            Setting(), Setting(isDurable: true), Setting(usesLog: false), Setting(usesLog: false, isDurable: true),
        ]
    }

    static func manager(_ path: String, _ setting: Setting) throws -> ContextManager {
        var options = StoreOptions()
        options.usesWriteAheadLog = setting.usesLog
        options.isDurable = setting.isDurable
        let model = try Model(CrashItem.self, CrashBox.self, CrashShelf.self, CrashTag.self)
        return try ContextManager(model: model, store: .sqlite(path), options: options)
    }

    /// Fills an empty store, which is then in state A.
    static func fill(_ context: ManagedObjectContext) {
        let tags = (0..<100).map { number in
            let tag = context.insert(CrashTag.self)
            tag.name = "tag \(number)"
            return tag
        }
        var last: CrashItem?
        for place in 0..<50 {
            let shelf = context.insert(CrashShelf.self)
            shelf.code = "shelf \(place)"
            for number in place * 40..<place * 40 + 40 {
                let item = number % 7 == 0 ? context.insert(CrashBox.self) : context.insert(CrashItem.self)
                item.number = number
                item.label = "item \(number) \(String(repeating: "x", count: number % 90))"
                item.shelf = shelf
                item.tags = [tags[number % 100], tags[number * 7 % 100]]
                if number % 5 == 0 { shelf.shown.append(item) }
                if number % 9 == 0, let last { item.peers.insert(last) }
                if number % 11 == 0 { item.seen.insert(tags[number % 13]) }
                last = item
            }
        }
    }

    /// Changes state A into state B: inserts, updates, deletes, exchanged unique values, joins and orders.
    static func change(_ context: ManagedObjectContext) throws {
        let shelves = try context.fetch(FetchRequest<CrashShelf>(sort: [SortKey("code")]))
        let items = try context.fetch(FetchRequest<CrashItem>(sort: [SortKey("number")]))
        let tags = try context.fetch(FetchRequest<CrashTag>(sort: [SortKey("name")]))
        (shelves[0].code, shelves[1].code) = (shelves[1].code, shelves[0].code)
        (items[0].number, items[1].number) = (items[1].number, items[0].number)
        for item in items where item.number % 10 == 3 {
            item.label = "changed"
            item.weight = Double(item.number) / 4
            item.tags = [tags[item.number % 17]]
        }
        for shelf in shelves[10..<20] { shelf.shown = OrderedToMany(shelf.shown.reversed()) }
        for tag in tags[20..<30] { tag.items = OrderedToMany(tag.items.reversed()) }
        for shelf in shelves[45...] { context.delete(shelf) }
        for number in 10_000..<10_200 {
            let item = number % 3 == 0 ? context.insert(CrashBox.self) : context.insert(CrashItem.self)
            item.number = number
            item.picture = Data(repeating: UInt8(number % 251), count: number % 900)
            item.shelf = shelves[number % 45]
            item.tags = [tags[number % 100]]
            if number % 4 == 0 { shelves[number % 45].shown.insert(item, at: 0) }
            item.peers.insert(items[number % 1000])
        }
    }

    static func dump(_ connection: Connection) throws -> [[SQLValue]] {
        var lines: [[SQLValue]] = []
        for row in try connection.rows(of: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name") {
            guard case .text(let name) = row[0] else { continue }
            lines.append([.text(name)])
            lines += try connection.rows(of: "SELECT * FROM \(identifier: name) ORDER BY 1, 2")
        }
        return lines
    }

    static func dump(_ manager: ContextManager) throws -> [[SQLValue]] {
        try manager.stores.stores[0].read { try dump($0) }
    }

    /// The faults that `integrity_check` and `foreign_key_check` report.
    static func faults(_ manager: ContextManager) throws -> [String] {
        try manager.stores.stores[0].read { connection in
            try connection.rows(of: "PRAGMA integrity_check").filter { $0 != ["ok"] }.map { "\($0)" }
                + connection.rows(of: "PRAGMA foreign_key_check").map { "\($0)" }
        }
    }
}
