import Foundation
import Testing
import TributaryConcurrency
import TributaryJSON
import TributaryModel
import TributaryTestSupport

import Tributary
import TributaryPostgres
import TributaryPlatform

/// An import that is disturbed, which ends as one that is not.
struct FaultTrial: Codable, Sendable, CustomStringConvertible {
    /// What an import leaves.
    struct Result: Equatable {
        let rows: [String]
        let tally: [Int]
        let rejects: [String]
        /// The number of lines of the file of rejects.
        let lines: Int
    }

    private(set) var address: String
    let source: String
    var connections = 1
    /// Whether it shares the work with others, which divide the dump into many ranges.
    var joins = false
    /// The number of the statement before which the process is killed.
    var killAt = Int.max

    var description: String { "\(connections) connections, killed before statement \(killAt)" }

    /// The number of tries of each kind; a sweep tries more.
    static let tries = asked ?? 2
    /// The number of tries with several workers, which take longer.
    static let sharedTries = asked ?? 1
    private static let asked = Int(ProcessInfo.processInfo.environment["TRIBUTARY_FAULTS"] ?? "")

    init(_ world: PostgresWorld, connections: Int, _ more: String = "") throws {
        address = world.addressText + more
        source = world.folder.path("dump.json")
        self.connections = connections
    }

    /// The same import through another port.
    func through(_ port: UInt16) throws -> FaultTrial {
        var other = self
        other.address = address.replacing(/:[0-9]+\//, with: ":\(port)/")
        return other
    }

    static func model() throws -> Model {
        var name = AttributeDescription("name", .string)
        name.isOptional = false
        return try Model(thing: [
            AttributeDescription("id", .integer64), name, AttributeDescription("score", .integer64),
        ])
    }

    /// A dump with repeated keys, missing values, values of the wrong type, and damage unless it is valid JSON.
    static func dump(_ count: Int, isValid: Bool = false, _ lots: inout SeededGenerator) -> String {
        let records = (0..<count).map { number -> String in
            let id = lots.once(in: 4) ? lots.below(max(1, number)) : number
            let padding = String(repeating: "x", count: lots.below(120))
            if lots.once(in: 15) { return "{\"id\":\(id),\"score\":\(number).5}" }
            if lots.once(in: 20) { return "{\"id\":\(id),\"score\":\(number)}" }
            if lots.once(in: 20) { return "{\"id\":\(id),\"name\":\"\\u0000\"}" }
            // One reader can continue after damage of text and of syntax; ranges have no certain borders then.
            if !isValid, number > 0, lots.once(in: 20) { return "{\"id\":\(id),\"name\":\"\u{1}\"}" }
            if !isValid, number > 0, lots.once(in: 20) { return "{\"id\":\(id),\"name\" \"\(padding)\"}" }
            return "{\"id\":\(id),\"name\":\"\(number) \(padding)\",\"score\":\(lots.below(100))}"
        }
        return "[\(records.joined(separator: ",\n"))]"
    }

    func makeImport(onStatement: (@Sendable (String) -> Void)? = nil) throws -> PostgresImport {
        var options = ImportOptions()
        (options.jobs, options.batchSize, options.onError, options.resuming) = (2, 20, .quarantine, .resume)
        // The file of rejects is one for each process.
        if !joins { options.rejects = source + ".rejects" }
        var settings = PostgresSettings()
        (settings.connections, settings.groupRows, settings.onStatement) = (connections, 40, onStatement)
        (settings.joins, settings.rangeBytes) = (joins, 2048)
        return PostgresImport(
            into: try PostgresAddress(address), from: [.file(source)], routes: [.rows("thing")],
            model: try Self.model(),
            options: options, settings: settings)
    }

    /// The import of a dump that nothing disturbs, after one of `earlier`, and the number of its statements.
    static func whole(_ dump: String, after earlier: String?, connections: Int) throws -> (Result, statements: Int) {
        let world = try PostgresWorld()
        try prepare(world, dump, after: earlier)
        let count = Guarded(0)
        let summary = try FaultTrial(world, connections: connections)
            .makeImport { _ in count.withLock { $0 += 1 } }.perform().summary
        return (try Self.result(of: summary, world), count.withLock { $0 })
    }

    /// Writes the dump, and imports an earlier one if there is one.
    static func prepare(_ world: PostgresWorld, _ dump: String, after earlier: String?) throws {
        _ = try world.folder.write(dump.utf8, to: "dump.json")
        if let earlier { try world.load(earlier, .rows("thing"), model: model(), file: "earlier.json") }
    }

    static func result(of summary: ImportSummary, _ world: PostgresWorld) throws -> Result {
        try world.expectNoLeftovers()
        let rejects = try world.rejects()
        let file = "dump.json.rejects"
        let hasFile = FileManager.default.fileExists(atPath: world.folder.path(file))
        let lines = hasFile ? try world.folder.read(file).count { $0 == UInt8(ascii: "\n") } : rejects.count
        return Result(rows: try world.rows(), tally: summary.tally, rejects: rejects, lines: lines)
    }

    /// Runs the import in this process, which is killed before a statement, or at the end.
    func work() throws {
        let begun = Guarded(0)
        let killAt = killAt
        _ = try makeImport { _ in
            if begun.next() == killAt { FaultTrial.die() }
        }.perform()
        FaultTrial.die()
    }

    private static func die() {
        kill(getpid(), SIGKILL)
        while true { pause() }
    }
}
