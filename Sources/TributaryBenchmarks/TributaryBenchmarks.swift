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
        switch words.first {
        case "import": try ImportBenchmark(others).run()
        case "postgres": try PostgresBenchmark(others).run()
        case "migrate": try MigrationBenchmark(others).run()
        case "profile": try Profile(others).run()
        default: try Benchmark(words).run(ParseCases.all + ObjectCases.all + LoadCases.all)
        }
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
