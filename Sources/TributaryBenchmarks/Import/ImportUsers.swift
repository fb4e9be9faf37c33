import Foundation
import TributaryGraph
import TributaryTestSupport

/// The users for measuring imports: a file of users in a random order, and the models of their table.
enum ImportUsers {
    /// The properties of a user that a closure sets, for any class.
    protocol Settable: ManagedObject {
        var name: String? { get set }
        var email: String? { get set }
        var age: Int? { get set }
        var balance: Double? { get set }
        var active: Bool? { get set }
        var created: String? { get set }
        var bio: String? { get set }
        var street: String? { get set }
        var city: String? { get set }
        var zip: String? { get set }
        var tags: JSONText? { get set }
    }

    /// A user as a class, for closures.
    final class User: ManagedObject, Settable {
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

    /// A user as a class with two more indexes.
    final class IndexedUser: ManagedObject, Settable {
        override class var entityName: String { "User" }
        @Attribute(.unique) var id: Int
        @Attribute var name: String?
        @Attribute(.indexed) var email: String?
        @Attribute var age: Int?
        @Attribute var balance: Double?
        @Attribute var active: Bool?
        @Attribute(.indexed) var created: String?
        @Attribute var bio: String?
        @Attribute var street: String?
        @Attribute var city: String?
        @Attribute var zip: String?
        @Attribute var tags: JSONText?
    }

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
            attribute.isIndexed = indexed && ["email", "created"].contains(name)
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
        let draft = path + ".draft"
        _ = FileManager.default.createFile(atPath: draft, contents: nil)
        let file = try FileHandle(forWritingTo: URL(filePath: draft))
        try Dump(kind, count: count, seed: contents, ids: ids).write { try file.write(contentsOf: Data($0.utf8)) }
        try file.close()
        try FileManager.default.moveItem(atPath: draft, toPath: path)
    }
}
