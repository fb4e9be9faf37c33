import Foundation
import Testing
import TributaryCLI
import TributaryJSON
import TributaryModel
import TributaryStore
import TributaryTestSupport

/// Random queries of random graphs, compared with an evaluation in memory that uses no SQL.
///
/// `scripts/sweep-queries` draws thousands of them.
@Suite struct QueryDifferentialTests {
    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment["TRIBUTARY_\(name)"].flatMap { Int($0) }
    }

    /// The queries of each graph.
    private static let each = 25

    @Test("Random queries give what an evaluation in memory gives, in every format", arguments: 0..<2)
    func randomQueries(half: Int) throws {
        let graphs = ((QueryDifferentialTests.number("QUERIES") ?? 200) / QueryDifferentialTests.each + 1) / 2
        let limit = QueryDifferentialTests.number("DIFFERENCES") ?? 3
        var (compared, refused, differences) = (0, 0, 0)
        var seed: UInt64 = 0
        for graph in 0..<max(1, graphs) {
            var random = SeededGenerator.sampled(1600, case: UInt64(graph * 2 + half))
            seed = random.seed
            let world = try QueryWorld(&random)
            let database = try #require(try QueryableDatabase(world.path))
            var draw = QueryDraw(random: random, world: world)
            for number in 0..<QueryDifferentialTests.each {
                let drawn = draw.request()
                let output = Result { try text(drawn, world, database) }
                let difference: String?
                switch (Result { try expectation(drawn, world) }, output) {
                case (.success(let expected), .success(let output)):
                    compared += 1
                    difference = try expected(output)
                    if number == 0, difference == nil { try compareCommand(drawn, world, output) }
                case (_, .failure):
                    refused += 1
                    difference = nil
                case (.failure(let error), .success): difference = "only memory refuses: \(error)"
                }
                guard let difference else { continue }
                differences += 1
                Issue.record("seed \(seed), graph \(graph * 2 + half): \(line(drawn))\n\(difference)")
                if differences >= limit { return }
            }
        }
        print("queries compared: \(compared), refused: \(refused)")
        #expect(compared > refused * 6, "seed \(seed)")
    }

    /// The output of the command, run in this process.
    private func text(_ drawn: QueryDrawn, _ world: QueryWorld, _ database: QueryableDatabase) throws -> String {
        let command: QueryCommand = try Invocation.command(["query", world.path] + drawn.words)
        let path = try world.folder.write([], to: "output")
        let file = try #require(FileHandle(forWritingAtPath: path))
        try command.write(database, to: file.fileDescriptor)
        return String(decoding: try world.folder.read("output"), as: UTF8.self)
    }

    private func compareCommand(_ drawn: QueryDrawn, _ world: QueryWorld, _ output: String) throws {
        try Tool.tributary.run(["query", world.path] + drawn.words).expect(0, output: output)
    }

    private func line(_ drawn: QueryDrawn) -> String {
        drawn.words.map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
    }

    /// Compares an output with what is expected; nil if it is that.
    private func expectation(_ drawn: QueryDrawn, _ world: QueryWorld) throws -> (String) throws -> String? {
        let oracle = QueryOracle(world: world)
        if drawn.isCount {
            let count = try oracle.count(drawn)
            return { $0 == "\(count)\n" ? nil : "found \($0), expected \(count)" }
        }
        let table = try oracle.table(drawn)
        let isShown = drawn.format == "list" || drawn.format == "markdown"
        let names = table.columns.map { isShown ? Excerpt.escape($0.name) : $0.name }
        return { text in
            let output = try QueryOutput(text, format: drawn.format, columns: names)
            let all =
                "found\n\(text.prefix(3000))\nexpected\n\(table.rows.prefix(40).map { "\($0)" }.joined(separator: "\n"))"
            if let found = output.names, found != names { return "names \(found), expected \(names)\n\(all)" }
            if output.rows.count != table.rows.count {
                return "\(output.rows.count) rows, expected \(table.rows.count)\n\(all)"
            }
            for (number, (found, expected)) in zip(output.rows, table.rows).enumerated() {
                guard found.count == expected.count else { return "row \(number): \(found.count) cells\n\(all)" }
                for (index, (cell, value)) in zip(found, expected).enumerated() {
                    if !cell.isText(of: value, table.columns[index], drawn.format) {
                        return "row \(number), \(names[index]): found \(cell), expected \(value)\n\(all)"
                    }
                }
            }
            return nil
        }
    }
}
