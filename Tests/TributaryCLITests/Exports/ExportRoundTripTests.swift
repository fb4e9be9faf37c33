import Foundation
import Testing
import TributaryModel
import TributaryTestSupport

/// An export, and the import that its commands make of it, give an equal database.
///
/// `scripts/sweep-exports` raises the number of random databases.
@Suite struct ExportRoundTripTests {
    private static let environment = ProcessInfo.processInfo.environment
    static let count = environment["TRIBUTARY_EXPORTS"].flatMap { Int($0) } ?? 8
    static let base = environment["TRIBUTARY_SEED"].flatMap { UInt64($0) } ?? 16_200

    private let exported: ExportWorld
    private var world: ImportWorld { exported.world }

    init() throws { exported = try ExportWorld() }

    private static let fixtures: [String] = ["dumps", "nested", "compressed"].flatMap { group in
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: Tool.package.appending(path: "Fixtures/\(group)").path)
        return (names ?? []).sorted().map { "\(group)/\($0)" }
    }

    @Test("Each fixture comes back equal, with relations and without", arguments: fixtures, [true, false])
    func fixture(_ name: String, hasRelations: Bool) throws {
        let path = Tool.package.appending(path: "Fixtures/\(name)").path
        // It has several arrays of records.
        let isTrello = name.hasSuffix("trello.json")
        if isTrello, hasRelations { return }
        let words =
            [path, "--on-error", "skip", "-q"] + (hasRelations ? ["--relations"] : []) + (isTrello ? ["--all"] : [])
        let loaded = try Tool.tributary.run(["import", world.database] + words)
        try #require([0, 3].contains(loaded.code), "\(loaded.error)")
        try expectRoundTrip("\(name), relations \(hasRelations)")
    }

    @Test("Random models of all kinds of values and links come back equal, also nested and compressed")
    func random() throws {
        var (compared, nested) = (0, 0)
        for number in 0..<ExportRoundTripTests.count {
            let exported = try ExportWorld()
            var lots = SeededGenerator.sampled(ExportRoundTripTests.base, case: UInt64(number))
            let draw = ExportDraw(lots)
            try exported.load(draw)
            var place = "seed \(draw.seed), database \(number)"
            let path = draw.paths.isEmpty || lots.once(in: 3) ? nil : lots.pick(draw.paths)
            var options: [String] = []
            if let path { (options, place) = (["--nest", path], place + ", --nest \(path)") }
            let outcome = try exported.export(["--to", "out"] + options)
            guard outcome.code == 0 else {
                let isRefusal =
                    outcome.error.contains("cannot be exported") || outcome.error.contains("cannot be nested")
                    || outcome.error.contains("would be inside")
                #expect(outcome.code == 1 && isRefusal, "\(place): \(outcome.error)")
                continue
            }
            compared += 1
            if path != nil { nested += 1 }
            let other = try exported.runCommands(outcome, "out", isCompressed: lots.once(in: 3))
            let difference = try DatabaseShape(other).differences(from: DatabaseShape(exported.world.database))
            #expect(difference.isEmpty, "\(place): \(difference.joined(separator: "\n"))")
        }
        #expect(compared * 3 > ExportRoundTripTests.count, "only \(compared) could be exported")
        print("\(compared) exports compared, \(nested) of them nested, first seed \(ExportRoundTripTests.base)")
    }

    /// Expects that an import of an export gives an equal database, or that the export is refused.
    private func expectRoundTrip(_ place: String) throws {
        let outcome = try exported.export("--to", "out")
        guard outcome.code == 0 else {
            #expect(outcome.code == 1 && outcome.error.contains("cannot be exported"), "\(place): \(outcome.error)")
            return
        }
        let other = try exported.runCommands(outcome, "out")
        let difference = try DatabaseShape(other).differences(from: DatabaseShape(world.database))
        #expect(difference.isEmpty, "\(place): \(difference.joined(separator: "\n"))")
    }
}
