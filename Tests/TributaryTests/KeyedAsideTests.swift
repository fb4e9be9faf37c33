import Foundation
import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// A model of its own, because a load needs a single unique attribute, and seats have two.
private final class Word: ManagedObject {
    @Attribute(.unique) var id: String
    @Attribute var s: String?
    @Attribute(.derived("canonical:(s)")) var plain: String?
}

/// Members of an object that a load holds back together with their keys, which must not count against the limits.
@Suite struct KeyedAsideTests {
    /// The kind of route that sets the objects.
    enum Way: CaseIterable, Sendable { case closure, model }

    /// The result of an import: its counts, rows and rejects.
    private struct Outcome: Equatable {
        var counts: [Int]
        var rows: [[SQLValue]]
        var rejects: [String]
    }

    private func load(
        _ text: String, by way: Way, batchSize: Int, _ limits: ReadLimits = ReadLimits()
    ) throws -> (result: Outcome, lines: [RejectedRecord]) {
        let folder = try TemporaryFolder()
        let manager = try ContextManager(model: Model(Word.self), store: .sqlite(folder.path("words.sqlite")))
        let rejects = folder.path("rejects.ndjson")
        var options = ImportOptions.loads(of: batchSize, rejects: rejects)
        options.reading.limits = limits
        let route: ImportRoute =
            switch way {
            case .closure: .objects(Word.self, at: "{}") { record, word in word.s = record["s"] }
            case .model: .rows("Word", at: "{}")
            }
        let counts = try manager.load(.text(text), [route], options).tally
        let store = manager.stores.stores[0]
        #expect(try FeedStore.faults(store) == [])
        var lines: [RejectedRecord] = []
        var reader = RejectsReader(FileSource(rejects))
        if FileManager.default.fileExists(atPath: rejects) {
            while case .reject(let line, _)? = try reader.next() { lines.append(line) }
        }
        let rows = try store.read { connection in
            try connection.rows(of: "SELECT \"_pk\", \"id\", \"s\", \"plain\" FROM \"Word\" ORDER BY \"_pk\"")
        }
        // Deferred records are rejected after the others, so only the order of the rejects may differ.
        return (Outcome(counts: counts, rows: rows, rejects: try FeedStore.rejects(rejects).sorted()), lines)
    }

    /// A limit that the records meet, but would exceed with their keys among their members.
    enum Narrow: CaseIterable, Sendable {
        case string, keys, key, record, all

        var limits: ReadLimits {
            var limits = ReadLimits()
            if self == .string || self == .all { limits.string = 20 }
            if self == .keys || self == .all { limits.keys = 4 }
            // The member that keeps the key of a deferred record has a longer name than this.
            if self == .key { limits.key = 3 }
            if self == .record || self == .all { limits.record = 40 }
            return limits
        }
    }

    @Test(
        "Limits apply to records as they were read, without the keys kept with them",
        arguments: Way.allCases, Narrow.allCases)
    func limitsAreThoseOfTheSource(_ way: Way, _ narrow: Narrow) throws {
        // Keys of about 30 bytes, unless the limit allows only short ones.
        func key(_ number: Int) -> String {
            narrow == .key ? "k\(number)" : "k\(number)" + String(repeating: "-", count: 28)
        }
        // At most four members and 40 bytes each.
        let records = [
            "{\"id\":\"1\",\"s\":\"a\"}", "{\"id\":\"1\",\"s\":\"\(String(repeating: "b", count: 20))\"}",
            "{\"id\":\"1\",\"x\":0,\"y\":0,\"s\":\"\\u00c4b\"}", "{\"id\":\"2\",\"s\":\"last\"}",
        ]
        #expect(records.allSatisfy { $0.utf8.count <= 40 })
        let text = "{" + records.enumerated().map { "\"\(key($0))\":\($1)" }.joined(separator: ",") + "}"
        for batchSize in [1, 2, 100] {
            let place = "batch \(batchSize): \(text)"
            let result = try load(text, by: way, batchSize: batchSize, narrow.limits).result
            #expect(result.counts == [4, 2, 2, 0, 0, 0, 0], "\(place)")
            #expect(result.rows == [[1, "1", "Äb", "ab"], [4, "2", "last", "last"]], "\(place)")
            #expect(result.rejects == [], "\(place)")
        }
    }

    /// Only the first bytes of a long record are kept, but an error among them has its place as in a short one.
    @Test("The reject of a deferred member names the place of the wrong value", arguments: Way.allCases, [100, 70_000])
    func theValueIsNamedThatIsWrong(_ way: Way, _ length: Int) throws {
        let long = String(repeating: "z", count: length)
        for blank in ["", "\n  "] {
            let text =
                "{\"aa\":{\"id\":\"1\",\"s\":\"a\"},\(blank)\"bb\":\(blank){\"id\":\"1\", \"s\":\(blank) 5,\n \"x\":\"\(long)\"}}"
            let whole = try load(text, by: way, batchSize: 100_000)
            #expect(whole.result.counts == [2, 1, 0, 0, 0, 0, 1])
            let parts = try load(text, by: way, batchSize: 1)
            #expect(parts.result == whole.result)
            let head = Array(text.utf8[..<(try #require(text.range(of: "5,"))).lowerBound])
            let start = head.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
            for line in [try #require(parts.lines.first), try #require(whole.lines.first)] {
                #expect(line.code == "convert.type" && line.path == "$.bb.s" && line.record == 2)
                #expect(line.byte == head.count)
                #expect(line.line == head.count(where: { $0 == 0x0A }) + 1)
                #expect(line.column == head.count - start + 1)
                #expect(line.isTruncated == (length > ReadLimits().rejectedBytes))
            }
        }
    }
}
