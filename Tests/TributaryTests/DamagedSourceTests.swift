import Testing
import TributaryGraph
import TributaryJSON
import TributaryTestSupport

import Tributary

/// Imports that stop at a damaged record, even the first of a source, and resume with a policy that tolerates it.
@Suite struct DamagedSourceTests {
    enum Way: CaseIterable, Sendable { case rows, closure }

    /// Records of a source, one of which may be damaged.
    private static func text(_ ids: Range<Int>, damaged: Int? = nil) -> String {
        let records = ids.map { id in
            id - ids.lowerBound == damaged ? "{\"id\":x\(id)}" : "{\"id\":\(id),\"name\":\"n\(id)\"}"
        }
        return "[" + records.joined(separator: ",\n ") + "]"
    }

    /// Imports sources, resuming an earlier import of them if there is one.
    private func take(
        _ sources: [any ByteSource], into items: ItemStore, _ way: Way, _ policy: ErrorPolicy, batchSize: Int
    ) throws -> ImportSummary {
        var options = ImportOptions.batches(of: batchSize, onError: policy)
        options.resuming = .resume
        if policy == .quarantine { options.rejects = items.folder.path("rejects.ndjson") }
        let route: ImportRoute =
            switch way {
            case .rows: .rows("FeedItem", at: "[]")
            case .closure: .objects(FeedItem.self, at: "[]") { record, item in item.name = record["name"] }
            }
        let feed = StreamImport(into: items.manager, from: sources, routes: [route], options: options)
        return try feed.perform().summary
    }

    /// Imports files with these texts in one run, and in several that stop at the damage first, and compares both.
    private func check(_ texts: [String], _ way: Way, batchSize: Int, count: Int) throws {
        let place = "\(way), batch \(batchSize): \(texts)"
        let (whole, items) = (try ItemStore(), try ItemStore())
        let sources = try texts.enumerated().map {
            FileSource(try items.folder.write($1.utf8, to: "\($0).json"))
        }
        let expected = try take(sources, into: whole, way, .quarantine, batchSize: batchSize)
        #expect(expected.tally == [count, count - 1, 0, 0, 0, 0, 1], "\(place)")
        // A second attempt that stops at the damage again must change nothing.
        for _ in 0..<2 {
            #expect(throws: JSONError.self, "\(place)") {
                try take(sources, into: items, way, .stop, batchSize: batchSize)
            }
        }
        let books = try take(sources, into: items, way, .quarantine, batchSize: batchSize)
        #expect(books.tally == expected.tally && books.resumedAt != nil, "\(place): \(books)")
        #expect(try items.rows() == whole.rows(), "\(place)")
        let rejects = try FeedStore.rejects(items.folder.path("rejects.ndjson"))
        #expect(try rejects == FeedStore.rejects(whole.folder.path("rejects.ndjson")), "\(place)")
        #expect(rejects.count == 1, "\(place): \(rejects)")
        #expect(try items.faults() == [], "\(place)")
    }

    @Test(
        "An import stopped at a damaged second source resumes with the same result",
        arguments: Way.allCases, [1, 3, 100])
    func afterAWholeSource(_ way: Way, _ batchSize: Int) throws {
        for damaged in [0, 1, 4] {
            let texts = [Self.text(0..<5), Self.text(5..<10, damaged: damaged), Self.text(10..<13)]
            try check(texts, way, batchSize: batchSize, count: 13)
        }
    }

    @Test(
        "An import stopped at a damaged first source resumes with the same result",
        arguments: Way.allCases, ["", "\u{FEFF}", "\n\r\n "])
    func atTheBeginning(_ way: Way, _ front: String) throws {
        for damaged in [0, 1, 4] {
            for batchSize in [1, 100] {
                let texts = [front + Self.text(0..<5, damaged: damaged), Self.text(5..<8)]
                try check(texts, way, batchSize: batchSize, count: 8)
            }
        }
    }
}
