import Foundation
import Testing

import TributaryGraph

@Suite struct ModelVersionHashTests {
    private func hash(_ change: (inout EntityDescription) -> Void = { _ in }) throws -> VersionHash {
        var model = ModelSamples.library()
        change(&model.entities[0])
        return try #require(try Model(model)["Book"]).versionHash
    }

    @Test(
        "SHA-256 gives the digests of the FIPS 180-4 test vectors",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                String(repeating: "a", count: 1_000_000),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
            ),
        ])
    func sha256(_ text: String, _ digest: String) {
        var hasher = SHA256()
        hasher.update(text.utf8)
        #expect(hasher.finish().map { String(format: "%02x", $0) }.joined() == digest)
    }

    @Test("The version hash of an entity is the same in every process")
    func itIsTheSameInEveryRun() throws {
        let hash = try hash()
        #expect(hash.description == "2214ac498d1e04c9bce02d8a734d1ceb7dac054d6f430284908e500c39ce02ff")
        #expect(VersionHash(hash.bytes) == hash)
        #expect(VersionHash([1]) == nil)
    }

    private typealias Change = @Sendable (inout EntityDescription) -> Void

    private static let parts: [Change] = [
        { $0.isAbstract = true },
        { $0.versionHashModifier = "x" },
        { $0.attributes[0].name = "headline" },
        { $0.attributes[0].type = .binary },
        { $0.attributes[0].isOptional = false },
        { $0.attributes[1].versionHashModifier = "x" },
        { $0.attributes[1].derivation = "title" },
        { $0.relationships[0].isOptional = false },
        { $0.relationships[0].versionHashModifier = "x" },
        { $0.attributes.append(AttributeDescription("a", .string)) },
        { $0.uniquenessConstraints = [["isbn"]] },
        { $0.uniquenessConstraints = [["isbn"], ["title"]] },
        { $0.uniquenessConstraints = [["isbn", "title"]] },
    ]

    @Test("Each structural change of an entity gives a different version hash")
    func whatTakesPart() throws {
        var hashes: Set<VersionHash> = [try hash()]
        for change in Self.parts {
            hashes.insert(
                try hash { entity in
                    entity.indexes = []
                    change(&entity)
                })
        }
        #expect(hashes.count == Self.parts.count + 1)
    }

    @Test("Changes that do not affect the stored data keep the version hash")
    func whatTakesNoPart() throws {
        let changes: [Change] = [
            { $0.className = "Other" }, { $0.userInfo = ["a": "b"] }, { $0.indexes = [] },
            { $0.attributes[0].defaultValue = .string("x") }, { $0.attributes[0].regularExpression = "x" },
            { $0.attributes[0].minimum = .integer(3) }, { $0.attributes[0].isIndexed = true },
            { $0.renamingIdentifier = "Old" }, { $0.relationships[0].deleteRule = .cascade },
            { $0.attributes.swapAt(0, 1) }, { $0.relationships[0].userInfo = ["a": "b"] },
        ]
        let plain = try hash()
        for change in changes { #expect(try hash(change) == plain) }
    }

    @Test("A changed parent changes the version hashes of its subentities only")
    func aParentChangesItsChildrenAndNoOther() throws {
        let before = try Model(ModelSamples.library())
        var changed = ModelSamples.library()
        changed.entities[1].attributes.append(AttributeDescription("more", .string))
        let after = try Model(changed)
        #expect(after["Item"]?.versionHash != before["Item"]?.versionHash)
        #expect(after["Book"]?.versionHash != before["Book"]?.versionHash)
        #expect(after["Author"]?.versionHash == before["Author"]?.versionHash)
        var extended = ModelSamples.library()
        extended.entities.append(makeEntity("Magazine", parent: "Item"))
        #expect(try Model(extended)["Item"]?.versionHash == before["Item"]?.versionHash)
    }
}
