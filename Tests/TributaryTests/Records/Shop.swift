import Foundation
import Tributary
import TributaryConcurrency
import TributarySQLite

/// An item with its maker and related items.
class Item: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var name: String?
    @Attribute(.range(0...100)) var rank: Int = 1
    @Attribute var note: String? = "new"
    @Relationship var maker: Maker?
    @Relationship(inverse: .itself) var kin: ToMany<Item>
}

final class Tool: Item {
    @Attribute var size: Double?
}

final class Maker: ManagedObject {
    @Attribute(.unique) var code: String
    @Attribute var name: String?
    @Relationship(inverse: \Item.maker, onDelete: .nullify) var items: ToMany<Item>
    @Relationship(inverse: \Shelf.makers) var shelf: Shelf?
}

final class Shelf: ManagedObject {
    @Attribute(.unique) var number: Int32
    @Relationship var makers: OrderedToMany<Maker>
}

final class Fact: ManagedObject {
    @Attribute var land: String
    @Attribute var year: Int
    @Attribute var value: Decimal?
    @Attribute var day: Date?
    @Attribute var mark: UUID?
}

/// A store in memory of the entities in this file, which records the executed SQL.
struct Shop {
    let manager: ContextManager
    private let statements = Guarded<[String]>([])

    init() throws {
        var options = StoreOptions()
        let statements = statements
        options.trace = { event in
            if event.duration == nil { statements.withLock { $0.append(event.sql) } }
        }
        manager = try ContextManager(
            model: Model(Item.self, Tool.self, Maker.self, Shelf.self, Fact.self), store: .memory, options: options)
    }

    /// Runs `body` in a new private context.
    @discardableResult
    func work<Result: Sendable>(_ body: (ManagedObjectContext) throws -> Result) throws -> Result {
        try manager.newPrivateContext().performAndWait(body)
    }

    /// The statements that read rows while `body` runs.
    func selects(_ body: () throws -> Void) rethrows -> [String] {
        statements.withLock { $0 = [] }
        try body()
        return statements.withLock { $0.filter { $0.hasPrefix("SELECT") || $0.hasPrefix("WITH") } }
    }
}

/// An error of a type that the library does not know.
struct Refusal: Error {}
