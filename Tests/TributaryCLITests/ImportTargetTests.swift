import Testing
import Tributary
import TributaryCLI
import TributaryGraph

/// The choice of the entity and the key of an import.
@Suite struct ImportTargetTests {
    private func entity(_ name: String, _ attributes: [String], unique: [[String]] = []) -> EntityDescription {
        var entity = EntityDescription(name)
        entity.attributes = attributes.map { AttributeDescription($0, .string) }
        entity.uniquenessConstraints = unique
        return entity
    }

    private func model() throws -> Model {
        var user = entity("User", ["id", "name"], unique: [["id"]])
        user.attributes[0].userInfo["json"] = "user.id"
        var abstract = EntityDescription("Thing")
        abstract.isAbstract = true
        return try Model(
            ModelDescription([
                user, entity("Category", ["a", "b"], unique: [["a"], ["b"]]), entity("Event", ["text"]), abstract,
            ]))
    }

    private func wish(
        _ entity: String?, key: [String]? = nil, remote: [String]? = nil, mode: ImportMode = .upsert,
        files: [String] = []
    ) -> ImportTarget.Wish {
        var wish = ImportTarget.Wish()
        (wish.entity, wish.key, wish.remoteKey, wish.mode, wish.files) = (
            entity, key, remote?.map(ImportTarget.place), mode, files
        )
        return wish
    }

    private func message(_ wish: ImportTarget.Wish, _ known: ImportTarget.Known) -> String? {
        do {
            _ = try ImportTarget(wish, known)
            return nil
        } catch {
            return error.message
        }
    }

    @Test("With a model, options and file names choose the entity and the key")
    func withAModel() throws {
        let model = try model()
        let user = try ImportTarget(wish("User"), .model(model))
        #expect(user.entity == "User" && user.key == ImportKey("id"))
        #expect(try ImportTarget(wish(nil, files: ["x/users.json.gz"]), .model(model)).entity == "User")
        let category = try ImportTarget(wish(nil, key: ["b", "a"], files: ["CATEGORIES.ndjson"]), .model(model))
        #expect(category.entity == "Category" && category.key == ImportKey(["b", "a"]))
        #expect(try ImportTarget(wish("User", remote: ["x.y"]), .model(model)).key == ImportKey("id", remote: "x.y"))
        #expect(try ImportTarget(wish("User", remote: ["."]), .model(model)).key == ImportKey("id", remote: .`self`))
        #expect(try ImportTarget(wish("Event"), .model(model)).key == nil)
        let single = try Model(ModelDescription([entity("Only", ["a"])]))
        #expect(try ImportTarget(wish(nil, files: ["whatever.json"]), .model(single)).entity == "Only")
    }

    @Test("With a model, an unknown or ambiguous target has its exact message")
    func whatIsWrongWithAModel() throws {
        let model = try model()
        #expect(message(wish("Usr"), .model(model)) == "The model has no entity 'Usr'. Did you mean 'User'?")
        #expect(
            message(wish("Xyzzy"), .model(model)) == "The model has no entity 'Xyzzy'; it has User, Category, Event")
        #expect(
            message(wish("Thing"), .model(model))
                == "Entity 'Thing' is abstract and has no objects of its own; name a subentity")
        #expect(
            message(wish(nil, files: ["dump.json"]), .model(model))
                == "Name the entity of the records: --entity NAME, one of User, Category, Event")
        #expect(
            message(wish("User", key: ["nam"]), .model(model))
                == "Entity 'User' has no attribute 'nam' that could be a key. Did you mean 'name'?")
        #expect(
            message(wish("Category"), .model(model))
                == "Category has several uniqueness constraints, a or b; name one: --key NAME")
        #expect(message(wish("Event", remote: ["x"]), .model(model)) == "'--remote-key' needs '--key'")
        #expect(ImportTarget.place(".a.b") == RemoteKey("a.b") && ImportTarget.place(".") == RemoteKey.`self`)
        #expect(
            message(wish("User", remote: ["x", "y"]), .model(model))
                == "The key is id, but '--remote-key' names 2 paths")
        #expect(
            message(wish("Event", mode: .update), .model(model))
                == "'--mode update' needs a key: --key NAME")
    }

    @Test("Without a model, options and file names choose the table and the key")
    func withoutAModel() throws {
        let users = try ImportTarget(wish(nil, key: ["id"], files: ["data/users.2024.json.gz"]), .inferred(nil))
        #expect(users.entity == "users" && users.key == ImportKey("id"))
        #expect(try ImportTarget(wish("A b"), .inferred(nil)).entity == "A b")
        #expect(try ImportTarget(wish(nil, files: ["a/x.json", "b/x.ndjson"]), .inferred(nil)).entity == "x")
        let say = "Name the entity of the records, which is their table: --entity NAME"
        #expect(message(wish(nil), .inferred(nil)) == say)
        #expect(message(wish(nil, files: ["a.json", "b.json"]), .inferred(nil)) == say)
        #expect(message(wish(nil, files: ["_a.json"]), .inferred(nil)) == say)
        #expect(
            message(wish("_a"), .inferred(nil))
                == "Option '--entity': '_a' begins with _, which is reserved for the store")
        #expect(
            message(wish("a.b"), .inferred(nil))
                == "Option '--entity': 'a.b' contains a dot, which separates the keys of a key path")
        #expect(
            message(wish("a", mode: .replace), .inferred(nil))
                == "'--mode replace' needs a key: --key NAME")
        let table = entity("users", ["id"], unique: [["id"]])
        #expect(try ImportTarget(wish("users"), .inferred(ModelDescription([table]))).key == ImportKey("id"))
        #expect(try ImportTarget(wish("other"), .inferred(ModelDescription([table]))).key == nil)
        #expect(EntityName.stem(of: "/x/.json") == nil && EntityName.stem(of: "") == nil)
    }
}
