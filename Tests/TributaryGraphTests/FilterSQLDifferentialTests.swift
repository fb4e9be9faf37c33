import Foundation
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// Random filters, compared between SQL and evaluation in memory.
@Suite struct FilterSQLDifferentialTests {
    @Test("Random filters and sorts give the same rows in SQL and in memory")
    func randomFiltersAndSorts() throws {
        var random = SeededGenerator.fresh()
        let seed = random.seed
        var (compared, refused, faults) = (0, 0, 0)
        for _ in 0..<12 {
            let world = try FilterSQLWorld(&random)
            var maker = FilterSQLMaker(random: random, world: world)
            for _ in 0..<2000 {
                let filter = maker.filter()
                let keys = maker.keys()
                let entity = maker.random.pick(["Item", "Item", "Special"])
                let memory = Result { try world.inMemory(entity, filter, keys) }
                let sql = Result { try world.inSQL(entity, filter, keys) }
                switch (memory, sql) {
                case (.success(let memory), .success(let sql)):
                    compared += 1
                    if memory != sql {
                        faults += 1
                        Issue.record("seed \(seed): \(filter) \(keys): memory \(memory), SQL \(sql)")
                    }
                case (_, .failure(let error)):
                    refused += 1
                    guard error is FilterError else {
                        if case .failure = memory { break }
                        faults += 1
                        Issue.record("seed \(seed): \(filter): \(error)")
                        break
                    }
                case (.failure(let error), .success):
                    faults += 1
                    Issue.record("seed \(seed): \(filter): only memory refuses: \(error)")
                }
                if faults > 12 { return }
            }
            random = maker.random
        }
        print("filters compared: \(compared), refused: \(refused)")
        #expect(compared >= 10_000, "seed \(seed)")
    }
}
