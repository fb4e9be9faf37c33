import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// A model of its own for hooks, each of which queries the store for one id.
private final class Hooked: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var name: String?
    @Attribute var count: Int = 0
    @Relationship(inverse: \Hooked.followers) var leader: Hooked?
    @Relationship var followers: ToMany<Hooked>

    private func use(for wanted: Int) {
        guard id == wanted, let context else { return }
        _ = try? context.count(FetchRequest<Hooked>())
    }

    override func awakeFromInsert() { use(for: 1001) }
    override func willSave() { use(for: 1002) }
    override func validateForInsert() throws { use(for: 1003) }
    override func validateForUpdate() throws { use(for: 1004) }
}

/// Setters with two arguments may use their record and the attributes of their object, and nothing else.
@Suite struct SetterAccessTests {
    enum Misuse: String, CaseIterable, Sendable {
        case fetching, context, inserting, deleting, link, reading, saving, swallowed
    }

    private let folder: TemporaryFolder
    private let manager: ContextManager

    init() throws {
        folder = try TemporaryFolder()
        manager = try ContextManager(model: Model(Hooked.self), store: .sqlite(folder.path("hooked.sqlite")))
    }

    private static func misuse(_ way: Misuse, _ object: Hooked, _ manager: ContextManager) throws {
        switch way {
        case .context: _ = object.context?.name
        case .reading: object.count = object.followers.count
        case .saving: try manager.writeAndWait { $0.insert(Hooked.self).id = 1000 }
        case .swallowed: _ = try? manager.writeAndWait { $0.insert(Hooked.self).id = 1000 }
        default:
            guard let context = object.context else { return }
            switch way {
            case .fetching: _ = try Hooked.all(in: context).count
            case .inserting: context.insert(Hooked.self).id = 1000
            case .deleting: object.delete()
            default: object.leader = try Hooked.find(["id": 0], in: context)
            }
        }
    }

    private func rows() throws -> [String] {
        try manager.newPrivateContext().performAndWait { context in
            try Hooked.all(in: context).map { "\($0.id) \($0.name ?? "-")" }
        }
    }

    private func text(_ count: Int, _ round: String = "a") -> String {
        "[" + (0..<count).map { "{\"id\":\($0),\"name\":\"\(round)\($0)\"}" }.joined(separator: ",\n") + "]"
    }

    /// Imports with a setter that breaks the rule at record 61.
    private func load(
        _ file: FileSource, _ way: Misuse, batchSize: Int, jobs: Int, isDryRun: Bool = false
    ) throws -> ImportOutcome {
        var options = ImportOptions.batches(of: batchSize, onError: .skip)
        options.jobs = jobs
        options.resuming = .resume
        options.isDryRun = isDryRun
        let manager = manager
        return try StreamImport(
            into: manager, from: [file],
            routes: [
                .objects(Hooked.self, at: "[]") { record, object in
                    object.name = record["name"]
                    if object.id == 60 { try Self.misuse(way, object, manager) }
                }
            ], options: options
        ).perform()
    }

    @Test(
        "A setter that uses other objects ends the import, which resumes once it is fixed",
        arguments: Misuse.allCases, [1, 4])
    func refusal(_ way: Misuse, _ jobs: Int) throws {
        // Followers are read from the store only if the table may have any.
        if way == .reading {
            try manager.load(.text(text(100)), [.rows("Hooked", at: "[]")])
        }
        for round in way == .reading ? ["b"] : ["a", "b"] {
            let file = FileSource(try folder.write(text(100, round).utf8, to: "\(round).json"))
            for isDryRun in [true, false] {
                let before = try rows()
                let error = #expect(throws: ImportError.self) {
                    try load(file, way, batchSize: 7, jobs: jobs, isDryRun: isDryRun)
                }
                #expect(error?.code == .setter, "\(error.map { "\($0)" } ?? "")")
                #expect(error?.reason.contains("the setter for Hooked ") ?? false)
                #expect(error?.reason.contains(" at record 61 ") ?? false, "\(error.map { "\($0)" } ?? "")")
                #expect(error?.hint == "take the context as a third argument")
                let after = try rows()
                if isDryRun {
                    #expect(after == before)
                } else {
                    // Nothing of its group is committed, and nothing after it.
                    let written = after.count { $0.hasPrefix("60 ") || $0.hasSuffix(" \(round)60") }
                    #expect(written == (round == "a" ? 0 : 1) && !after.contains("60 \(round)60"))
                }
            }
            var options = ImportOptions.batches(of: 7, onError: .skip)
            options.resuming = .resume
            let calls = Counter()
            let books = try manager.load(
                file,
                [
                    .objects(Hooked.self, at: "[]") { record, object, context in
                        _ = calls.isPast()
                        object.name = record["name"]
                        if object.id == 60 { object.count = try context.count(FetchRequest<Hooked>()) }
                    }
                ], options)
            #expect(books.read == 100 && books.isBalanced)
            #expect(calls.value == 100 - (books.resumedAt ?? 0))
            #expect(try rows() == (0..<100).map { "\($0) \(round)\($0)" })
        }
    }

    @Test("A hook that queries the store ends the import as its setter would", arguments: [1001, 1002, 1003, 1004])
    func hooks(_ id: Int) throws {
        func load(_ ids: [Int], _ name: String) throws -> ImportSummary {
            let text = "[" + ids.map { "{\"id\":\($0),\"name\":\"\(name)\"}" }.joined(separator: ",") + "]"
            return try manager.load(
                .text(text), [.objects(Hooked.self, at: "[]") { record, object in object.name = record["name"] }],
                .batches(of: 100, onError: .skip))
        }
        if id == 1004 { #expect(try load([1, 2, id], "first").inserted == 3) }
        let error = #expect(throws: ImportError.self) { try load([1, 2, id, 3], "second") }
        #expect(
            error?.code == .setter && error?.reason.contains(" at record 3 ") ?? false, "\(error.map { "\($0)" } ?? "")"
        )
        #expect(try !rows().contains { $0.hasSuffix("second") })
    }

    @Test("Derived attributes that read other objects need a setter with the context")
    func derivations() throws {
        let manager = try ContextManager(
            model: Model(Team.self, Player.self), store: .sqlite(folder.path("teams.sqlite")))
        func load(_ route: ImportRoute) throws -> ImportSummary {
            try manager.load(.text("[{\"id\":1},{\"id\":2}]"), [route])
        }
        let error = #expect(throws: ImportError.self) {
            try load(.objects(Team.self, at: "[]") { _, team in team.name = "x" })
        }
        #expect(error?.code == .setter && error?.hint == "take the context as a third argument")
        let books = try load(
            .objects(Team.self, at: "[]") { record, team, context in
                let player = context.insert(Player.self)
                (player.id, player.team) = (team.id, team)
            })
        #expect(books.inserted == 2)
        // Rows that the model maps need no setter.
        #expect(try load(.rows("Team", at: "[]")).unchanged == 2)
        let sizes = try manager.newPrivateContext().performAndWait { try Team.all(in: $0).map(\.size) }
        #expect(sizes == [1, 1])
    }

    @Test("insertOrUpdate lets setters use other objects, with or without a context")
    func insertOrUpdate() throws {
        let records = try RecordList(json: text(3))
        try manager.newPrivateContext().performAndWait { context in
            let first = try context.insertOrUpdate(records, into: Hooked.self, key: \.id) { record, object in
                object.name = record["name"]
                object.count = try object.context?.count(FetchRequest<Hooked>()) ?? -1
            }
            #expect(first.inserted == 3 && first.objects.map { $0?.count } == [1, 2, 3])
            let second = try context.insertOrUpdate(records, into: Hooked.self, key: \.id) { record, object, context in
                object.leader = try Hooked.find(["id": 0], in: context)
            }
            #expect(second.counts.updated == 3)
            try context.save()
        }
    }
}

/// A model of its own for a derived attribute that reads other objects.
private final class Team: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var name: String?
    @Attribute(.derived("players.@count")) var size: Int
    @Relationship(inverse: \Player.team) var players: ToMany<Player>
}

/// A member of a team, which the team's derived attribute counts.
private final class Player: ManagedObject {
    @Attribute(.unique) var id: Int
    @Relationship var team: Team?
}
