import Foundation
import TributarySQLite
import TributaryTestSupport

extension CrashScene {
    /// The commands that are killed at each call.
    static let all = [
        CrashScene(name: "new", words: load, prepare: users),
        CrashScene(name: "new, loaded", words: load + direct, isDirect: true, prepare: users),
        CrashScene(name: "new, with a model", words: load + typed, prepare: model),
        CrashScene(name: "new, with a model, loaded", words: load + typed + direct, isDirect: true, prepare: model),
        CrashScene(name: "new, loaded, searched", words: load + direct + search, isDirect: true, prepare: users),
        CrashScene(name: "existing, searched", words: load + changes + search, prepare: earlier),
        CrashScene(name: "new, with rules and indexes", words: load + rules, prepare: users),
        CrashScene(
            name: "new, loaded, with rules and indexes", words: load + direct + rules, isDirect: true, prepare: users),
        CrashScene(name: "existing, searched by other columns", words: load + search) { place in
            try earlier(place)
            try place.run(load + ["--search", "id"], code: 3)
        },
        CrashScene(name: "existing", words: load + changes, prepare: earlier),
        CrashScene(name: "existing, staged", words: load + changes + staged, prepare: earlier),
        CrashScene(name: "existing, undoable", words: load + changes + ["--undoable"], prepare: earlier),
        CrashScene(name: "new, staged", words: load + changes + staged, prepare: users),
        CrashScene(name: "sync", words: sync + changes, prepare: synced),
        CrashScene(name: "sync, staged", words: sync + changes + staged, prepare: synced),
        CrashScene(name: "undo", words: ["undo", "-q", "app.sqlite", "--run", "2"], isRepeated: true) { place in
            try synced(place)
            try place.run(sync + ["--undoable"])
        },
        CrashScene(name: "append", words: keyless + ["--append"], prepare: repeated),
        CrashScene(name: "truncate", words: keyless + ["--truncate"], isRepeated: true, prepare: repeated),
        CrashScene(
            name: "retry", words: ["retry", "app.sqlite", "-q", "bad"] + pace, hasOwnRuns: true
        ) { place in
            try users(place)
            try place.run(load, code: 3)
            // Every other reject is fixed.
            let bad = place.folder.appending(path: "bad")
            let lines = try String(contentsOf: bad, encoding: .utf8).split(separator: "\n").enumerated()
                .map { number, line in
                    number % 2 == 0 ? line.replacing("\\\"name\\\" 1", with: "\\\"name\\\":\\\"fixed\\\"") : line
                }
            try (lines.joined(separator: "\n") + "\n").write(to: bad, atomically: false, encoding: .utf8)
        },
        CrashScene(
            name: "retry from the database",
            words: ["retry", "app.sqlite", "-q"] + pace, hasOwnRuns: true
        ) { place in
            try users(place)
            try place.run(load + ["--max-depth", "1"], code: 3)
        },
        CrashScene(
            name: "relations",
            words: ["import", "app.sqlite", "-q", "../r.json", "--relations"] + rejects + changes + pace
        ) { place in
            func write(_ name: String, _ more: String) throws {
                let records = (0..<30).map { id in
                    let states = (0..<id % 4).map { "{\"id\":\(10 * id + $0),\"name\":\"\(name) \($0)\"}" }
                    return """
                        {"id":\(id),"name":"\(name) \(id / 3)","states":[\(states.joined(separator: ","))],\
                        "currency":{"id":"\(id % 3)","name":"\(name)"},"by":{"\(id)":{"name":"\(name)"}}}
                        """
                }
                _ = try place.world.write("[\((records + [more]).joined(separator: ",\n"))]", "r.json")
            }
            try write("a", #"{"id":97}"#)
            try place.run(["import", "app.sqlite", "-q", "../r.json", "--relations"])
            try write("b", #"{"id":99,"name" 1},{"id":98,"tags":[{"id":1},{"id":2}]}"#)
        },
        CrashScene(
            name: "relations, loaded",
            words: ["import", "app.sqlite", "-q", "../r.json", "--relations"] + rejects + pace + direct,
            isDirect: true
        ) { place in
            // Some objects differ from earlier ones, and some keys come before their objects.
            let records = (0..<40).map { id in
                let states = (0..<id % 4).map { "{\"id\":\(10 * id + $0),\"name\":\"\($0)\"}" }
                let currency = id % 7 == 3 ? "\(id % 5)" : "{\"id\":\(id % 5),\"name\":\"\(id / 30)\"}"
                return """
                    {"id":\(id % 37),"name":"\(id / 3)","states":[\(states.joined(separator: ","))],"currency":\(currency),\
                    "by":{"\(id)":[{"name":"\(id)"},{}]},"tags":[{"id":\(id % 3)},{"id":\(id % 4 + 2)}]}
                    """
            }
            _ = try place.world.write("[\((records + ["{\"id\":99,\"name\" 1}"]).joined(separator: ",\n"))]", "r.json")
        },
        CrashScene(
            name: "relations, read once",
            words: ["import", "app.sqlite", "-q", "../r.json", "--relations"] + rejects + pace + direct,
            isDirect: true
        ) { place in
            // The first 4 MiB do not tell all tables.
            let text = String(repeating: "x", count: 200_000)
            let records = (0..<28).map { "{\"id\":\($0),\"text\":\"\(text)\",\"o\":{\"id\":\($0 % 5)}}" }
            let last = ["{\"id\":98,\"name\" 1}", "{\"id\":99,\"rating\":7.5,\"p\":[{\"id\":1}]}"]
            _ = try place.world.write("[\((records + last).joined(separator: ",\n"))]", "r.json")
        },
        CrashScene(name: "foreign table", words: keyless + ["--add-columns"], prepare: foreign),
        CrashScene(name: "foreign table, searched", words: keyless + ["--add-columns"] + search, prepare: foreign),
        CrashScene(
            name: "migrate", words: ["migrate", "-q", "app.sqlite", "--model", "../Next.xml", "--drop-values"],
            leftovers: ["app.sqlite-journal", "app.sqlite-shm", "app.sqlite-wal", "app.sqlite-writer"]
        ) { place in
            try model(place)
            try place.run(load + typed + ["--undoable", "--search", "name,city"], code: 3)
            let text = try String(contentsOf: place.world.folder.url.appending(path: "Users.xml"), encoding: .utf8)
            let next = text.replacing("name=\"name\"", with: "name=\"title\" elementID=\"name\"")
                .replacing("name=\"city\"", with: "name=\"note\"")
            _ = try place.world.write(next, "Next.xml")
        },
        CrashScene(
            name: "seed", words: ["seed", "app.sqlite", "-q", "../seed.json"] + typed
        ) { place in
            _ = try place.world.model()
            // Unique ids would differ, since those of a killed process are not given again.
            let objects = (0..<20).map { "{\"id\":\($0),\"name\":\"\($0)\"}" }
            _ = try place.world.write("{\"User\":[\(objects.joined(separator: ","))]}", "seed.json")
        },
    ]

    /// Imports of many records, for kills at random moments.
    static let imports = [
        CrashScene(name: "many, new", words: wideLoad + changes, prepare: wide),
        CrashScene(name: "many, new, loaded", words: wideLoad + direct, prepare: wide),
        CrashScene(name: "many, existing", words: wideLoad + changes, prepare: existing),
        CrashScene(name: "many, staged", words: wideLoad + changes + staged, prepare: existing),
    ]

    // MARK: Words

    private static let pace = ["--batch-size", "7", "--jobs", "2"]
    private static let rejects = ["--rejects", "bad"]
    private static let changes = ["--changes", "changes"]
    private static let staged = ["--staged"]
    private static let search = ["--search", "name,id"]
    private static let rules = ["--convert", "name=upper", "--default", "state=new", "--index", "id,name+id"]
    private static let direct = ["--first-load", "direct"]
    private static let typed = ["--model", "../Users.xml"]
    private static let keyless = ["import", "app.sqlite", "-q", "../users.ndjson"] + rejects + pace
    private static let load = keyless + ["--key", "id"]
    private static let sync =
        ["sync", "app.sqlite", "-q", "../feed.ndjson", "--key", "id", "--max-delete", "90%"] + pace
    private static let wideLoad =
        ["import", "app.sqlite", "-q", "../users.ndjson", "--key", "id", "--max-memory", "32M"] + rejects
        + ["--batch-size", "20", "--jobs", "2"]

    // MARK: Files

    /// New columns appear now and then, and so do damaged records and keys that were read before.
    private static func users(_ place: Place, count: Int, padding: Int) throws {
        let records = (0..<count).map { number -> String in
            if number % 13 == 5 { return "{\"id\":\(number),\"name\" 1}" }
            let text = String(repeating: "x", count: padding == 0 ? 0 : padding + number % 90)
            let column = number * 5 / count
            return "{\"id\":\(number % (count * 5 / 6)),\"name\":\"\(number)\(text)\",\"c\(column)\":[\(number)]}"
        }
        _ = try place.world.write(records.joined(separator: "\n"), "users.ndjson")
    }

    @Sendable private static func users(_ place: Place) throws { try users(place, count: 60, padding: 0) }

    @Sendable private static func model(_ place: Place) throws {
        try users(place)
        _ = try place.world.model()
    }

    /// A database that has some of the records already.
    private static func earlier(_ ids: some Sequence<Int>, _ place: Place) throws {
        let lines = ids.map { "{\"id\":\($0),\"name\":\"earlier \($0)\"}" }
        let path = try place.world.write(lines.joined(separator: "\n"), "earlier.ndjson")
        try place.run(["import", "app.sqlite", "-q", path, "--key", "id", "--table", "users"])
    }

    @Sendable private static func earlier(_ place: Place) throws {
        try users(place)
        try earlier(stride(from: 0, to: 60, by: 3), place)
    }

    /// Several groups are committed in a sweep; a sample of the suite has to be fast.
    private static let many = ProcessInfo.processInfo.environment["TRIBUTARY_KILLS"] == nil ? 120 : 3000

    @Sendable private static func wide(_ place: Place) throws { try users(place, count: many, padding: 3000) }

    @Sendable private static func existing(_ place: Place) throws {
        try wide(place)
        try earlier(stride(from: 0, to: many, by: 3), place)
    }

    /// A keyless table, whose file has changed.
    @Sendable private static func repeated(_ place: Place) throws {
        try users(place)
        try place.run(keyless, code: 3)
        let url = place.world.folder.url.appending(path: "users.ndjson")
        let text = try String(contentsOf: url, encoding: .utf8)
        _ = try place.world.write(text.replacing("\"name\":\"1", with: "\"name\":\"changed 1"), "users.ndjson")
    }

    @Sendable private static func synced(_ place: Place) throws {
        func feed(_ ids: some Sequence<Int>, _ name: String) throws {
            let lines = ids.map { "{\"id\":\($0),\"name\":\"\(name) \($0 / 3)\"}" }
            _ = try place.world.write(lines.joined(separator: "\n"), "feed.ndjson")
        }
        try feed(0..<40, "a")
        try place.run(sync)
        try feed(stride(from: 1, to: 60, by: 2), "b")
    }

    /// A table of another program, with a search index that triggers maintain.
    @Sendable private static func foreign(_ place: Place) throws {
        try users(place)
        let connection = try Connection(.file(place.database))
        connection.setUsesSchemaCode(true)
        for statement in [
            "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
            "CREATE VIRTUAL TABLE search USING fts5(name, content='users', content_rowid='id')",
            """
            CREATE TRIGGER added AFTER INSERT ON users BEGIN
            INSERT INTO search (rowid, name) VALUES (new.id, new.name); END
            """,
            """
            CREATE TRIGGER changed AFTER UPDATE ON users BEGIN
            INSERT INTO search (search, rowid, name) VALUES ('delete', old.id, old.name);
            INSERT INTO search (rowid, name) VALUES (new.id, new.name); END
            """,
        ] { try connection.execute(SQLFragment(trusted: statement)) }
    }
}
