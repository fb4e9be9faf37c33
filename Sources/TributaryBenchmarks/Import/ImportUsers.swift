import Tributary
import TributaryTestSupport

/// The users for measuring imports: a file of users in a random order, and the models of their table.
enum ImportUsers {
    /// A user as a class, for closures.
    final class User: ManagedObject {
        @Attribute(.unique) var id: Int
        @Attribute var name: String?
        @Attribute var email: String?
        @Attribute var age: Int?
        @Attribute var balance: Double?
        @Attribute var active: Bool?
        @Attribute var created: String?
        @Attribute var bio: String?
        @Attribute var street: String?
        @Attribute var city: String?
        @Attribute var zip: String?
        @Attribute var tags: JSONText?
    }

    /// The model of the class, with two more indexes if they are wanted.
    static func classModel(indexed: Bool) throws -> Model {
        try Model(User.self) { model in
            for (index, attribute) in model.entities[0].attributes.enumerated() where isIndexed(attribute.name) {
                model.entities[0].attributes[index].isIndexed = indexed
            }
        }
    }

    private static func isIndexed(_ name: String) -> Bool { ["email", "created"].contains(name) }

    /// The model for the command.
    static func model(indexed: Bool, created: AttributeType = .string) -> ModelDescription {
        var entity = EntityDescription("User")
        let types: KeyValuePairs<String, AttributeType> = [
            "id": .integer64, "name": .string, "email": .string, "age": .integer64, "balance": .double,
            "active": .boolean, "created": created, "bio": .string, "street": .string, "city": .string,
            "zip": .string, "tags": .json,
        ]
        entity.attributes = types.map { name, type in
            var attribute = AttributeDescription(name, type)
            if ["street", "city", "zip"].contains(name) { attribute.userInfo["json"] = "address.\(name)" }
            attribute.isIndexed = indexed && isIndexed(name)
            return attribute
        }
        entity.uniquenessConstraints = [["id"]]
        return ModelDescription([entity])
    }

    /// Writes users with `count` ids from `first`; one seed determines their order, another one their contents.
    static func write(
        _ count: Int, of kind: Dump.Kind = .users, from first: Int = 1, order: UInt64, contents: UInt64, to path: String
    ) throws {
        var random = SeededGenerator(seed: order)
        var ids = (UInt32(first)..<UInt32(first + count)).map { $0 }
        ids.shuffle(using: &random)
        try BenchmarkFolder.write(to: path) { try Dump(kind, count: count, seed: contents, ids: ids).write($0) }
    }

    /// Imports users with a closure, as a program would.
    @MainActor static func importObjects(indexed: Bool, _ file: String, into database: String) throws -> ImportSummary {
        var opening = StoreOptions()
        opening.creation = .afterFirstImport
        let manager = try ContextManager(
            model: classModel(indexed: indexed), store: .sqlite(database), options: opening)
        defer { manager.close() }
        let feed = StreamImport(
            into: manager, from: [.file(file)], routes: [.objects(User.self) { try set($1, from: $0) }])
        return try feed.perform().summary
    }

    /// Sets the properties of a user from a record.
    ///
    /// It is inlined, like a closure in a program.
    @inline(__always)
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
        user.tags = record["tags"]
    }
}
