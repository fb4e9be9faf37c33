import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributarySQLite

import Tributary

// The classes are as a generator writes them; the conformances are in extensions.

class CRUDBook: ManagedObject {
    @Attribute(.unique) var name: String
    @Attribute var order: Int?
    @Attribute var stamp: Int?
    @Relationship(inverse: \CRUDPage.book) var pages: ToMany<CRUDPage>
}

class CRUDPage: ManagedObject {
    @Attribute(.unique) var code: String
    @Attribute var text: String?
    @Relationship var book: CRUDBook?
    @Relationship(inverse: \CRUDImage.page) var images: ToMany<CRUDImage>
}

class CRUDImage: ManagedObject {
    @Attribute(.unique) var url: String
    @Attribute var size: Int?
    @Relationship var page: CRUDPage?
}

/// One object for a name without regard to case, found by a filter that is no key.
class CRUDTag: ManagedObject {
    @Attribute var name: String?
    @Attribute var count: Int = 0
    @Attribute var ending: String?
    @Relationship var book: CRUDBook?
}

/// At most one object.
class CRUDSetting: ManagedObject {
    @Attribute var value: Int?
}

/// A new object for each dictionary.
class CRUDVisit: ManagedObject {
    @Attribute var place: String?
}

extension CRUDBook: CRUDObject, CustomStringConvertible {
    static func primaryFilter(for input: CRUDInput) -> Filter? { "name == \(input["name"] as String)" }
    static var crudChildren: [CRUDChild] { [CRUDChild("pages")] }
    static var isVerbose: Bool { true }
    func shouldUpdate(with input: CRUDInput) -> Bool { stamp != input["stamp"] }

    func update(with input: CRUDInput) {
        name = input["name"]
        order = input["order"]
        stamp = input["stamp"]
    }

    var invalidReason: String? { order.map { $0 < 0 } ?? false ? "the order is negative" : nil }
    var description: String { "{ name: \(name), order: \(order ?? 0) }" }
}

extension CRUDPage: CRUDObject {
    static func primaryFilter(for input: CRUDInput) -> Filter? { "code == \(input["code"] as String)" }
    static var crudChildren: [CRUDChild] { [CRUDChild("images", from: "pictures")] }

    func update(with input: CRUDInput) {
        code = input["code"]
        text = input["text"]
    }

    var invalidReason: String? { text == nil ? "there is no text" : book == nil ? "there is no book" : nil }
}

extension CRUDImage: CRUDObject {
    static func primaryFilter(for input: CRUDInput) -> Filter? { "url == \(input["url"] as String)" }
    func shouldUpdate(with input: CRUDInput) -> Bool { size != input["size"] }

    func update(with input: CRUDInput) {
        url = input["url"]
        size = input["size"]
    }

    var invalidReason: String? { size == 0 ? "it is empty" : nil }
}

extension CRUDTag: CRUDObject {
    static func primaryFilter(for input: CRUDInput) -> Filter? { "name ==[c] \(input["name"] as String)" }
    var uniqueIdentifier: AnyHashable { AnyHashable(name?.lowercased() ?? "") }

    func update(with input: CRUDInput, in context: ManagedObjectContext) throws {
        name = input["name"]
        count += 1
        book = input["book"]
    }

    func shouldUpdate(with input: CRUDInput, in context: ManagedObjectContext) throws -> Bool {
        input["keep"] as Bool? != true
    }

    func didCRUD(_ state: CRUDState, in context: ManagedObjectContext) throws {
        if state != .deleted { ending = "\(state) of \(try Self.count(in: context))" }
    }
}

extension CRUDSetting: CRUDObject {
    static func primaryFilter(for input: CRUDInput) -> Filter? { nil }
    func update(with input: CRUDInput) { value = input["value"] }
}

extension CRUDVisit: CRUDObject {
    func update(with input: CRUDInput) { place = input["place"] }
    func didCRUD(_ state: CRUDState) throws { if place == "home" { delete() } }
}

/// A store in memory of these classes, with its log and the executed SQL.
struct CRUDStage {
    let manager: ContextManager
    private let statements = Guarded<[String]>([])
    private let lines = Guarded<[String]>([])

    init() throws {
        var options = StoreOptions()
        let (statements, lines) = (statements, lines)
        options.trace = { event in
            if event.duration == nil { statements.withLock { $0.append(event.sql) } }
        }
        manager = try ContextManager(
            model: Model(
                CRUDBook.self, CRUDPage.self, CRUDImage.self, CRUDTag.self, CRUDSetting.self, CRUDVisit.self),
            store: .memory, options: options)
        manager.crud.log = { line in lines.withLock { $0.append(line) } }
    }

    /// The lines of the log.
    var log: [String] { lines.withLock { $0 } }

    /// Runs `body` in a new private context.
    @discardableResult
    func work<Result: Sendable>(_ body: (ManagedObjectContext) throws -> Result) throws -> Result {
        try manager.newPrivateContext().performAndWait(body)
    }

    /// The statements executed while `body` runs.
    func recorded(_ body: () throws -> Void) rethrows -> [String] {
        statements.withLock { $0 = [] }
        try body()
        return statements.withLock { $0 }
    }

    /// The statements that read rows while `body` runs.
    func selects(_ body: () throws -> Void) rethrows -> [String] {
        try recorded(body).filter { $0.hasPrefix("SELECT") || $0.hasPrefix("WITH") }
    }
}
