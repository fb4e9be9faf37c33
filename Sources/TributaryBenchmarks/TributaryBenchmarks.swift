import CTributaryThread
import Foundation
import TributaryTestSupport

/// The program of `scripts/benchmark`, `scripts/profile` and `scripts/make-fixture`.
@main
enum TributaryBenchmarks {
    static func main() {
        // As the command does.
        tributary_return_memory()
        do {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(64)
        }
    }

    static func run(_ words: [String]) throws {
        let others = Array(words.dropFirst())
        switch words.first {
        case "fixture": return try makeFixture(others)
        case "import-side": return try ImportSide.run(others)
        case "postgres-side": return try PostgresSide.run(others)
        case "import-frames": return try ImportFrames.run(others)
        case "import-users": return try makeUsers(others)
        case "import-films": return try makeFilms(others)
        case "profile-form": return try ProfileForm.run(others)
        default: break
        }
        #if DEBUG
            FileHandle.standardError.write(
                Data("*** THIS IS A DEBUG BUILD: ITS TIMES ARE MEANINGLESS. Use scripts/benchmark. ***\n".utf8))
        #endif
        if words.first == "import" { return try ImportBenchmark(others).run() }
        if words.first == "postgres" { return try PostgresBenchmark(others).run() }
        if words.first == "migrate" { return try MigrationBenchmark(others).run() }
        if words.first == "profile" { return try Profile(others).run() }
        var rounds = 5
        var count = 1_000_000
        var printsJSON = false
        var filter: String?
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--json": printsJSON = true
            case "--rounds": rounds = try number(rest.popFirst(), word)
            case "--count": count = try number(rest.popFirst(), word)
            case _ where word.hasPrefix("-"):
                throw Problem(
                    "usage: scripts/benchmark [FILTER] [--rounds N] [--count N] [--json]\n\(ImportBenchmark.usage)")
            default: filter = word
            }
        }
        let workload = try Workload(count: count)
        try Benchmark(workload: workload, rounds: rounds, filter: filter, printsJSON: printsJSON).run(
            ParseCases.all + ObjectCases.all + LoadCases.all)
    }

    static func number(_ text: String?, _ option: String) throws -> Int {
        guard let text, let number = Int(text), number > 0 else { throw Problem("\(option) takes a whole number") }
        return number
    }

    private static func makeUsers(_ words: [String]) throws {
        guard (4...5).contains(words.count), let count = Int(words[0]), let order = UInt64(words[1]),
            let contents = UInt64(words[2]), let first = Int(words.count > 4 ? words[4] : "1")
        else { throw Problem("usage: import-users COUNT ORDER CONTENTS PATH [FIRST]") }
        let kind: Dump.Kind = words[3].hasSuffix(".ndjson") ? .usersNDJSON : .users
        try ImportUsers.write(count, of: kind, from: first, order: order, contents: contents, to: words[3])
    }

    private static func makeFilms(_ words: [String]) throws {
        guard words.count == 3, let count = Int(words[0]) else { throw Problem("usage: import-films COUNT FORM PATH") }
        try GraphBenchmark.write(count, isNested: words[1] == "nested", to: words[2])
    }

    private static func makeFixture(_ words: [String]) throws {
        let kinds = Dump.Kind.allCases.map(\.rawValue).joined(separator: " ")
        guard (2...3).contains(words.count), let kind = Dump.Kind(rawValue: words[0]), let count = Int(words[1]),
            count >= 0,
            let seed = UInt64(words.count > 2 ? words[2] : "1")
        else { throw Problem("usage: scripts/make-fixture KIND COUNT [SEED]\nkinds: \(kinds)") }
        signal(SIGPIPE, SIG_DFL)
        try Dump(kind, count: count, seed: seed).write {
            try FileHandle.standardOutput.write(contentsOf: Data($0.utf8))
        }
    }
}
