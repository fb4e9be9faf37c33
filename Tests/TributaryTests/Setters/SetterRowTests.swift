import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// A model of its own, whose class has hooks and a property that is no attribute.
private final class Leaf: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute(.length(...100_000)) var text: String?
    @Attribute var other: String?
    @Attribute var count: Int = 7
    private(set) var notes: [String] = []

    /// How often a hook was called for an id.
    static let calls = Guarded<[String: Int]>([:])

    private func note(_ hook: String) {
        notes.append(hook)
        Leaf.calls.withLock { $0["\(hook) \(id)", default: 0] += 1 }
    }

    override func awakeFromInsert() { note("awake") }
    override func willSave() {
        note("willSave")
        // Each of these ids stands for one misuse or use.
        if id == -3, count < 10 { count += 1 }
        if id == -4 { count += 1 }
        if id == -5, text != nil { text = nil }
    }
    override func didSave() {
        note("didSave")
        if id == -6 { text = "too late" }
    }
    override func validateForInsert() throws {
        note("validate")
        if id == -2 || id == -5 && text == nil { throw Unwanted() }
        if id == -7 { text = String(repeating: "x", count: 100_001) }
    }

    struct Unwanted: Error {}
}

/// A model of its own with an attribute that is derived from another one.
private final class Bud: ManagedObject {
    @Attribute(.unique) var name: String
    @Attribute var text: String?
    @Attribute(.derived("uppercase:(text)"), .length(...9)) var loud: String?
}

/// The objects that a setter has kept, which no other thread uses before the import has ended.
private final class Kept: @unchecked Sendable {
    var leaves: [Leaf] = []
}

/// Objects of a first import, each of which becomes a row before the next one is made.
@Suite(.serialized) struct SetterRowTests {
    private let folder: TemporaryFolder
    private let manager: ContextManager

    init() throws {
        folder = try TemporaryFolder()
        manager = try ContextManager(model: Model(Leaf.self, Bud.self), store: .sqlite(folder.path("leaves.sqlite")))
        Leaf.calls.withLock { $0 = [:] }
    }

    private func load(
        _ text: String, jobs: Int = 1, _ setter: @escaping @Sendable (Record, Leaf) throws -> Void
    ) throws -> ImportSummary {
        try manager.load(.text(text), [.objects(Leaf.self, at: "[]", setter: setter)], options(jobs))
    }

    /// Options for an import that loads its table if that is empty.
    private func options(_ jobs: Int = 1) -> ImportOptions {
        var options = ImportOptions.loads(of: 1000, rejects: folder.path("rejects.ndjson"))
        options.jobs = jobs
        return options
    }

    private static let set: @Sendable (Record, Leaf) throws -> Void = { record, leaf in
        leaf.text = record["text"]
        leaf.other = record["inner"]["other"]
    }

    private func rows(_ manager: ContextManager) throws -> [String] {
        try manager.newPrivateContext().performAndWait { context in
            try Leaf.all(in: context).sorted { $0.id < $1.id }.map { leaf in
                let text = leaf.text.map { Array($0.utf8) }, other = leaf.other.map { Array($0.utf8) }
                return "\(leaf.id) \(text as Any) \(other as Any) \(leaf.count)"
            }
        }
    }

    private func calls(_ hook: String, _ id: Int) -> Int { Leaf.calls.withLock { $0["\(hook) \(id)"] ?? 0 } }

    /// Texts as JSON: short and long, with and without escapes, of one to four bytes a character; null, and none.
    private static let texts = [
        "\"\"", "\"a\"", "\"fifteen letters\"", "\"sixteen letters.\"", "\"J\u{FC}rgen\"",
        "\"\u{65E5}\u{672C} \u{1F600}\"",
        "\"\\u0000\"", "\"\\ud83d\\ude00 \\\"quoted\\\" \\\\ \\/ \\n\\t\"", "\"e\u{301} \u{E9}\"", "null",
        "\"\(String(repeating: "long ", count: 60))\"", "\"\(String(repeating: "\u{E9}", count: 40_000))\"",
    ]

    @Test("Any text is the same in a first import, in an import of changes and in a save", arguments: [1, 4])
    func texts(_ jobs: Int) throws {
        func feed(_ shift: Int) -> String {
            let count = Self.texts.count
            let records = (0..<count * count).map { index in
                let (one, two) = (Self.texts[(index + shift) % count], Self.texts[(index / count + shift) % count])
                let text = index % 7 == 0 ? "" : ",\"text\":\(one)"
                return "{\"id\":\(index)\(text),\"inner\":{\"other\":\(two)}}"
            }
            return "[" + records.joined(separator: ",\n") + "]"
        }
        let other = try ContextManager(model: Model(Leaf.self), store: .sqlite(folder.path("other.sqlite")))
        for shift in [0, 1, 5] {
            let summary = try load(feed(shift), jobs: jobs, Self.set)
            #expect(summary.isBalanced && summary.rejected == 0 && summary.read == 144)
            try other.newPrivateContext().performAndWait { context in
                let records = try RecordList(json: feed(shift))
                try context.insertOrUpdate(records, into: Leaf.self, key: \Leaf.id, setter: Self.set)
                try context.save()
            }
            #expect(try rows(manager) == rows(other))
        }
    }

    @Test("Objects are validated once, or again if a hook has changed them; only the invalid ones are rejected")
    func hooks() throws {
        let ids = [1, 2, -2, 3, -3, 4, -6, 5]
        let text =
            "[" + ids.map { "{\"id\":\($0),\"text\":\"t\($0)\",\"inner\":{\"other\":\"o\"}}" }.joined(separator: ",")
            + "]"
        let kept = Kept()
        let summary = try load(text) { record, leaf in
            try Self.set(record, leaf)
            if leaf.id == -6 { kept.leaves.append(leaf) }
        }
        #expect(summary.tally == [8, 7, 0, 0, 0, 0, 1])
        // What its hook has changed after the save is gone.
        #expect(kept.leaves.map(\.text) == ["t-6"])
        for id in [1, 2, 3, 4, 5] {
            #expect(["awake", "validate", "willSave", "didSave"].map { calls($0, id) } == [1, 1, 1, 1])
        }
        #expect(["awake", "validate", "willSave", "didSave"].map { calls($0, -2) } == [1, 1, 0, 0])
        // Its hook changes it three times, and then no more.
        #expect(["awake", "validate", "willSave", "didSave"].map { calls($0, -3) } == [1, 2, 4, 1])
        let found = try manager.newPrivateContext().performAndWait { context in
            try Leaf.all(in: context).sorted { $0.id < $1.id }.map { "\($0.id) \($0.text ?? "-") \($0.count)" }
        }
        #expect(found == ["-6 t-6 7", "-3 t-3 10", "1 t1 7", "2 t2 7", "3 t3 7", "4 t4 7", "5 t5 7"])
    }

    @Test("A derived attribute is computed once its setter was called, and validated")
    func derivedAttributes() throws {
        func load(_ text: String) throws -> ImportSummary {
            try manager.load(
                .text("[{\"name\":\"a\",\"text\":\"one\"},{\"name\":\"b\",\"text\":\"\(text)\"}]"),
                [.objects(Bud.self, at: "[]") { record, bud in bud.text = record["text"] }], options())
        }
        #expect(throws: SaveError.self) { try load("much too long") }
        #expect(try load("two").inserted == 2)
        let found = try manager.newPrivateContext().performAndWait { context in
            try Bud.all(in: context).map { "\($0.name) \($0.loud ?? "-")" }.sorted()
        }
        #expect(found == ["a ONE", "b TWO"])
    }

    @Test("A hook that makes its object invalid, or never stops changing it, ends the import", arguments: [-4, -5, -7])
    func endlessHooks(_ id: Int) throws {
        let error = #expect(throws: SaveError.self) {
            try load("[{\"id\":1,\"text\":\"a\"},{\"id\":\(id),\"text\":\"b\"}]", Self.set)
        }
        #expect(error?.code == (id == -4 ? .unstable : .validation))
        #expect(try rows(manager) == [])
    }

    @Test("Objects that a setter keeps stay as they were saved, and no later record changes them")
    func keptObjects() throws {
        let kept = Kept()
        let text =
            "[" + (1...3000).map { "{\"id\":\($0),\"text\":\"a text of number \($0)\"}" }.joined(separator: ",") + "]"
        let summary = try load(text) { record, leaf in
            leaf.text = record["text"]
            if leaf.id % 3 == 0 { kept.leaves.append(leaf) }
        }
        #expect(summary.inserted == 3000 && kept.leaves.count == 1000)
        for (index, leaf) in kept.leaves.enumerated() {
            #expect(leaf.id == index * 3 + 3 && leaf.text == "a text of number \(leaf.id)")
            #expect(leaf.notes == ["awake", "validate", "willSave", "didSave"] && !leaf.hasChanges)
        }
        #expect(try rows(manager).count == 3000)
    }

    @Test("A setter that changes an object kept from an earlier record ends the import")
    func changesOfKeptObjects() throws {
        let kept = Kept()
        let error = #expect(throws: ImportError.self) {
            try load("[" + (1...20).map { "{\"id\":\($0),\"text\":\"t\"}" }.joined(separator: ",") + "]") {
                record, leaf in
                leaf.text = record["text"]
                if leaf.id == 4 { kept.leaves.append(leaf) }
                if leaf.id == 9 { kept.leaves[0].text = "changed" }
            }
        }
        #expect(error?.code == .setter && error?.reason.contains(" at record 9 ") ?? false)
        #expect(try rows(manager) == [])
    }

    @Test("Rejects have the reason and the place of their record, whichever the kind of key")
    func rejects() throws {
        let long = String(repeating: "x", count: 100_001)
        let text = """
            [{"id":1,"text":"a"},
             {"id":"2","text":"b"},
             {"text":"no key"},
             {"id":null,"text":"null key"},
             {"id":3,"text":5},
             {"id":4,"text":"\(long)"},
             {"id":5.0,"text":"key changed"},
             {"id":6,"text":"thrown"},
             {"id":7,"text":"z"}]
            """
        var options = options()
        options.onError = .quarantine
        let summary = try manager.load(
            .text(text),
            [
                .objects(Leaf.self, at: "[]") { record, leaf in
                    leaf.text = record["text"]
                    if leaf.id == 5 { leaf.id = 50 }
                    if leaf.id == 6 { throw Leaf.Unwanted() }
                }
            ], options)
        #expect(summary.isBalanced && summary.inserted == 3 && summary.rejected == 6)
        let rejects = try manager.rejects.page().map { "\($0.code) \($0.record ?? 0)" }
        #expect(
            rejects == [
                "key.missing 3", "key.null 4", "convert.type 5", "validate.length 6", "key.changed 7",
                "setter.failed 8",
            ])
        #expect(try rows(manager).map { $0.prefix(2) } == ["1 ", "2 ", "7 "])
    }
}
