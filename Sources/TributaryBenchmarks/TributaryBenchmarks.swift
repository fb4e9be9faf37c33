import Foundation
import TributaryTestSupport

/// `scripts/benchmark` and `scripts/make-fixture`.
@main
enum TributaryBenchmarks {
    static func main() {
        do {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(64)
        }
    }

    static func run(_ words: [String]) throws {
        if words.first == "fixture" { return try makeFixture(Array(words.dropFirst())) }
        #if DEBUG
            FileHandle.standardError.write(
                Data("*** THIS IS A DEBUG BUILD: ITS FIGURES MEAN NOTHING. Use scripts/benchmark. ***\n".utf8))
        #endif
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
                throw Problem("usage: scripts/benchmark [FILTER] [--rounds N] [--count N] [--json]")
            default: filter = word
            }
        }
        let workload = try Workload(count: count)
        try Benchmark(workload: workload, rounds: rounds, filter: filter, printsJSON: printsJSON).run(
            ParseCases.all + ObjectCases.all)
    }

    private static func number(_ text: String?, _ option: String) throws -> Int {
        guard let text, let number = Int(text), number > 0 else { throw Problem("\(option) takes a whole number") }
        return number
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
