import Foundation
import Testing
import TributaryGraph
import TributaryImport
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Seeds that are planted as rows, without objects.
@Suite struct SeedRowsTests {
    @Test("Rows of a seed are those that objects would have, whatever the batches are", arguments: 0..<24)
    func sameAsObjects(number: Int) throws {
        let lots = SeededGenerator.sampled(52_000, case: UInt64(number))
        for batchSize in [2000, 1, 3] {
            var maker = SeedMaker(lots, hasFaults: false)
            let studio = try SeedStudio()
            let seeds = try (0..<6).map { try studio.write("\($0).json", maker.file()) }
            let refused = studio.plantObjects(seeds)
            let refusedRows = studio.plantRows(seeds, batchSize: batchSize)
            let place: Comment = "seed \(lots.seed), number \(number), batches of \(batchSize)"
            if batchSize == 2000 {
                #expect((refused == nil) == (refusedRows == nil), "\(refused ?? ""), \(refusedRows ?? ""), \(place)")
            }
            // An earlier batch may lack what a later one brings, or have what a later one moves.
            guard refused == nil, refusedRows == nil else { continue }
            #expect(try SeedStudio.objects(of: studio.rows) == SeedStudio.objects(of: studio.objects), place)
            let entries = try [studio.rows, studio.objects].map { try $0.imports.entries()[0] }
            #expect(entries[0].summary.inserted == entries[1].summary.inserted, place)
            #expect(entries[0].routes.map(\.entity) == entries[1].routes.map(\.entity), place)
        }
    }

    @Test("Rows are refused when objects would be, for the same reasons", arguments: 0..<24)
    func sameFaults(number: Int) throws {
        let lots = SeededGenerator.sampled(53_000, case: UInt64(number))
        var maker = SeedMaker(lots, hasFaults: true)
        let studio = try SeedStudio()
        let seeds = try (0..<5).map { try studio.write("\($0).json", maker.file()) }
        let place: Comment = "seed \(lots.seed), number \(number)"
        let (refused, refusedRows) = (studio.plantObjects(seeds), studio.plantRows(seeds))
        guard let refused else {
            #expect(refusedRows == nil, place)
            #expect(try SeedStudio.objects(of: studio.rows) == SeedStudio.objects(of: studio.objects), place)
            return
        }
        let text = try #require(refusedRows, "\(refused), \(place)")
        #expect(try SeedStudio.objects(of: studio.rows).isEmpty, place)
        #expect(try studio.rows.imports.entries().isEmpty, place)
        if refused.contains("the same code") {
            #expect(text.contains("UNIQUE constraint failed: Work.code"), "\(text), \(place)")
        } else if !refused.contains(" more"), !text.contains("UNIQUE") {
            let parts = [refused, text].map {
                Set($0.replacing("nothing was saved: ", with: "").components(separatedBy: "; "))
            }
            #expect(parts[1].isSubset(of: parts[0]), "\(refused), \(text), \(place)")
        }
    }

    @Test(
        "Values of a text are not issued as its numbers, and numbers continue after those of rows", arguments: [1, 9])
    func numbers(batchSize: Int) throws {
        let studio = try SeedStudio()
        let first = try studio.write(
            "a.json", #"{"Work": [{"title": "a", "code": "1", "number": 5000}, {"title": "b", "code": "<uniqueID>"}]}"#)
        let second = try studio.write(
            "b.json", #"{"Work": [{"title": "c", "number": 6000}, {"title": "d", "number": "<uniqueID>"}]}"#)
        #expect(studio.plantRows([first], batchSize: batchSize) == nil)
        #expect(studio.plantRows([second], batchSize: batchSize) == nil)
        let lines = try SeedStudio.objects(of: studio.rows)
        #expect(lines[1].contains(#"title "b", code "2", "#), "\(lines)")
        #expect(lines[3].contains("number 6001, "), "\(lines)")
    }

    @Test("A derived attribute cannot be set, by rows and by objects alike")
    func derivedAttributes() throws {
        let studio = try SeedStudio()
        let seed = try studio.write("a.json", #"{"Work": {"title": "É", "searchTitle": "f"}}"#)
        let refused = try #require(studio.plantRows([seed]))
        #expect(refused.contains("Work.searchTitle is derived from") && refused == studio.plantObjects([seed]))
        let other = try studio.write("b.json", #"{"Work": {"title": "É", "searchTitle": null}}"#)
        #expect(studio.plantRows([other]) == nil && studio.plantObjects([other]) == nil)
        #expect(try SeedStudio.objects(of: studio.rows)[0].contains(#"searchTitle "e""#))
    }

    @Test("A trigger that ignores a new row ends a seed")
    func ignoringTrigger() throws {
        let studio = try SeedStudio()
        try studio.rows.stores.stores[0].write { connection in
            try connection.execute(
                "CREATE TRIGGER none BEFORE INSERT ON \"Tag\" BEGIN SELECT RAISE(IGNORE); END")
        }
        let seed = try studio.write("a.json", #"{"Tag": {"title": "a", "works": {"Work": {"title": "b"}}}}"#)
        let refused = try #require(studio.plantRows([seed]))
        #expect(refused.contains("a trigger has ignored a new row of Tag"), "\(refused)")
        #expect(try SeedStudio.objects(of: studio.rows).isEmpty)
    }
}
