import Foundation
import Tributary

extension ImportUsers {
    /// Imports with a closure, as a program would.
    @MainActor static func importPlain(_ file: String, into database: String) throws -> ImportSummary {
        let manager = try ContextManager(model: Model(User.self), store: .sqlite(database))
        defer { manager.close() }
        let feed = StreamImport(into: manager, from: [.file(file)])
        feed.add(.objects(User.self) { try set($1, from: $0) })
        return try feed.perform().summary
    }

    /// The same with the model that has more indexes.
    @MainActor static func importIndexed(_ file: String, into database: String) throws -> ImportSummary {
        let manager = try ContextManager(model: Model(IndexedUser.self), store: .sqlite(database))
        defer { manager.close() }
        let feed = StreamImport(into: manager, from: [.file(file)])
        feed.add(
            .objects(IndexedUser.self) { record, user in
                user.name = record["name"]
                user.email = record["email"]
                user.age = record["age"]
                user.balance = record["balance"]
                user.active = record["active"]
                user.created = record["created"]
                user.bio = record["bio"]
                let address = record["address"]
                user.street = address["street"]
                user.city = address["city"]
                user.zip = address["zip"]
                user.tags = try JSONText(record["tags"].compactText)
            })
        return try feed.perform().summary
    }

    /// Sets what a record tells.
    static func set(_ user: User, from record: Record) throws {
        user.name = record["name"]
        user.email = record["email"]
        user.age = record["age"]
        user.balance = record["balance"]
        user.active = record["active"]
        user.created = record["created"]
        user.bio = record["bio"]
        let address = record["address"]
        user.street = address["street"]
        user.city = address["city"]
        user.zip = address["zip"]
        user.tags = try JSONText(record["tags"].compactText)
    }
}
