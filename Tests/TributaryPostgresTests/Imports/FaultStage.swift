import Testing
import TributaryTestSupport

import Tributary
import TributaryPostgres

/// A dump, one that was imported before, and what both leave if nothing disturbs them.
struct FaultStage {
    let dump: String
    let earlier: String?
    let whole: FaultTrial.Result
    let statements: Int

    init(isFilled: Bool = false, isValid: Bool = false, connections: Int = 1, _ lots: inout SeededGenerator) throws {
        earlier = isFilled ? FaultTrial.dump(200, &lots) : nil
        dump = FaultTrial.dump(600, isValid: isValid, &lots)
        (whole, statements) = try FaultTrial.whole(dump, after: earlier, connections: connections)
        #expect(whole.rows.count > 300 && whole.rejects.count > 50 && statements > 50)
    }

    /// A schema into which the earlier dump was imported.
    func makeWorld(on server: PostgresServer? = nil) throws -> PostgresWorld {
        let world = try PostgresWorld(on: server)
        try FaultTrial.prepare(world, dump, after: earlier)
        return world
    }

    /// Expects the result of an import that nothing disturbed; without a summary, of one that others have ended.
    func expect(_ summary: ImportSummary?, in world: PostgresWorld, _ comment: Comment) throws {
        let summary = try summary ?? #require(try Imports(in: world.address()).entries().last).summary
        let result = try FaultTrial.result(of: summary, world)
        #expect(result.tally == whole.tally, comment)
        #expect(result.rows == whole.rows, comment)
        #expect(result.rejects == whole.rejects, comment)
        #expect(result.lines == whole.rejects.count, comment)
    }
}
