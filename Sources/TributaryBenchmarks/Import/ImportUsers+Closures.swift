import Foundation
import Tributary

extension ImportUsers {
    /// Imports users of a class with a closure, as a program would.
    @MainActor static func importObjects<User: Settable>(
        of type: User.Type, _ file: String, into database: String
    ) throws -> ImportSummary {
        var opening = StoreOptions()
        opening.creation = .afterFirstImport
        let manager = try ContextManager(model: Model(type), store: .sqlite(database), options: opening)
        defer { manager.close() }
        let feed = StreamImport(
            into: manager, from: [.file(file)],
            routes: [.objects(type) { try set($1, from: $0) }])
        return try feed.perform().summary
    }

    /// Sets the properties of a user from a record.
    ///
    /// It is inlined and so specialized for each class, like a closure in a program.
    @inline(__always)
    static func set<User: Settable>(_ user: User, from record: Record) throws {
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
        user.tags = record["tags"]
    }
}
