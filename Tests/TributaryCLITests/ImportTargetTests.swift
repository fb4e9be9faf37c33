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

    private func request(
        _ entity: String?, key: [String]? = nil, remote: [String]? = nil, mode: ImportMode = .upsert,
        files: [String] = []
    ) -> ImportTarget.Request {
        var request = ImportTarget.Request()
        (request.entity, request.key, request.remoteKey, request.mode, request.files) = (
            entity, key, remote?.map(RemoteKey.init(word:)), mode, files
        )
        return request
    }

    private func message(_ request: ImportTarget.Request, _ known: ImportTarget.Known) -> String? {
        do {
            _ = try ImportTarget(request, known)
            return nil
        } catch {
            return error.message
        }
    }

    @Test("With a model, options and file names choose the entity and the key")
    func withAModel() throws {
        let model = try model()
        let user = try ImportTarget(request("User"), .model(model))
        #expect(user.entity == "User" && user.key == ImportKey("id"))
        #expect(try ImportTarget(request(nil, files: ["x/users.json.gz"]), .model(model)).entity == "User")
        let category = try ImportTarget(request(nil, key: ["b", "a"], files: ["CATEGORIES.ndjson"]), .model(model))
        #expect(category.entity == "Category" && category.key == ImportKey(["b", "a"]))
        #expect(try ImportTarget(request("User", remote: ["x.y"]), .model(model)).key == ImportKey("id", remote: "x.y"))
        #expect(try ImportTarget(request("User", remote: ["."]), .model(model)).key == ImportKey("id", remote: .`self`))
        #expect(try ImportTarget(request("Event"), .model(model)).key == nil)
        let single = try Model(ModelDescription([entity("Only", ["a"])]))
        #expect(try ImportTarget(request(nil, files: ["whatever.json"]), .model(single)).entity == "Only")
    }

    @Test("With a model, an unknown or ambiguous target has its exact message")
    func whatIsWrongWithAModel() throws {
        let model = try model()
        #expect(message(request("Usr"), .model(model)) == "The model has no entity 'Usr'. Did you mean 'User'?")
        #expect(
            message(request("Xyzzy"), .model(model)) == "The model has no entity 'Xyzzy'; it has User, Category, Event")
        #expect(
            message(request("Thing"), .model(model))
                == "Entity 'Thing' is abstract and has no objects of its own; name a subentity")
        #expect(
            message(request(nil, files: ["dump.json"]), .model(model))
                == "Name the entity of the records: --entity NAME, one of User, Category, Event")
        #expect(
            message(request("User", key: ["nam"]), .model(model))
                == "Entity 'User' has no attribute 'nam' that could be a key. Did you mean 'name'?")
        #expect(
            message(request("Category"), .model(model))
                == "Category has several uniqueness constraints, a or b; name one: --key NAME")
        #expect(message(request("Event", remote: ["x"]), .model(model)) == "'--remote-key' needs '--key'")
        #expect(RemoteKey(word: ".a.b") == RemoteKey("a.b") && RemoteKey(word: ".") == RemoteKey.`self`)
        #expect(
            message(request("User", remote: ["x", "y"]), .model(model))
                == "The key is id, but '--remote-key' names 2 paths")
        #expect(
            message(request("Event", mode: .update), .model(model))
                == "'--mode update' needs a key: --key NAME")
    }

    @Test("Without a model, options and file names choose the table and the key")
    func withoutAModel() throws {
        let users = try ImportTarget(request(nil, key: ["id"], files: ["data/users.2024.json.gz"]), .inferred(nil))
        #expect(users.entity == "users" && users.key == ImportKey("id"))
        #expect(try ImportTarget(request("A b"), .inferred(nil)).entity == "A b")
        #expect(try ImportTarget(request(nil, files: ["a/x.json", "b/x.ndjson"]), .inferred(nil)).entity == "x")
        let say = "Name the table of the records: --table NAME"
        #expect(
            message(request(nil), .inferred(nil)) == "Name the files, or the table of standard input: --table NAME")
        #expect(message(request(nil, files: ["a.json", "b.json"]), .inferred(nil)) == say)
        for reserved in [request(nil, files: ["_a.json"]), request("_a")] {
            let target = try ImportTarget(reserved, .inferred(nil))
            #expect(target.entity == "t_a" && target.reservedName == "_a")
        }
        #expect(try ImportTarget(request("a.b"), .inferred(nil)).entity == "a.b")
        #expect(
            message(request("a", mode: .replace), .inferred(nil))
                == "'--mode replace' needs a key: --key NAME")
        let table = entity("users", ["id"], unique: [["id"]])
        #expect(try ImportTarget(request("users"), .inferred(ModelDescription([table]))).key == ImportKey("id"))
        #expect(try ImportTarget(request("other"), .inferred(ModelDescription([table]))).key == nil)
        #expect(EntityName.stem(of: "/x/.json") == nil && EntityName.stem(of: "") == nil)
    }
}
