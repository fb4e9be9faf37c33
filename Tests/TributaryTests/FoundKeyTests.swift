import Foundation
import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// The key of columns that are found: it may be another one as long as there are no rows, and `_rest` never is one.
@Suite struct FoundKeyTests {
    /// Something that leaves a table without rows, whose key was not the right one.
    enum Attempt: CaseIterable, Sendable {
        /// A dry run with another key.
        case dry
        /// A dry run without any.
        case dryWithoutKey
        /// An import that ends with its first record, which lacks the key.
        case stopped
        /// One of which all records are refused.
        case refused

        var key: ImportKey? {
            switch self {
            case .dry: "n"
            case .dryWithoutKey: nil
            case .stopped, .refused: "wrong"
            }
        }
    }

    private static let text = #"[{"id":1,"n":5,"s":"a"},{"id":2,"n":5,"s":"b"},{"id":1,"n":6}]"#
    private static let rows: [[String: SQLValue]] = [["id": 1, "n": 6, "s": "a"], ["id": 2, "n": 5, "s": "b"]]

    private func attempt(_ attempt: Attempt, _ table: FoundTable) async throws {
        switch attempt {
        case .dry:
            #expect(try await table.take(Self.text, key: attempt.key) { $0.isDryRun = true } == [3, 2, 1, 0, 0, 0, 0])
        case .dryWithoutKey:
            #expect(try await table.take(Self.text, key: attempt.key) { $0.isDryRun = true } == [3, 3, 0, 0, 0, 0, 0])
        case .stopped:
            await #expect(throws: ImportError.self) { try await table.take(Self.text, key: attempt.key) }
        case .refused:
            #expect(try await table.take(Self.text, key: attempt.key) { $0.onError = .skip } == [3, 0, 0, 0, 0, 0, 3])
        }
    }

    private func refusal(_ table: FoundTable, _ key: ImportKey?) async -> String? {
        do {
            try await table.take(Self.text, key: key)
            return nil
        } catch let error as ImportError where error.code == .route {
            return error.reason
        } catch {
            return "\(error)"
        }
    }

    /// Truth would take the place of the record with 1.
    @Test func truthAloneIsNoKey() async throws {
        let table = try FoundTable()
        let text = #"[{"id":1,"n":5},{"id":true,"n":6},{"id":false,"n":7},{"id":0,"n":8}]"#
        #expect(try await table.take(text) { $0.onError = .skip } == [4, 2, 0, 0, 0, 0, 2])
        #expect(try table.records() == [["id": 1, "n": 5], ["id": 0, "n": 8]])
        let other = try FoundTable()
        let parts = #"[{"id":1,"n":true},{"id":1,"n":false},{"id":1,"n":true}]"#
        #expect(try await other.take(parts, key: ImportKey(["id", "n"])) == [3, 2, 0, 1, 0, 0, 0])
    }

    @Test(arguments: Attempt.allCases, [1, 100]) func itMayChangeBeforeThereAreRows(
        _ attempt: Attempt, _ batchSize: Int
    ) async throws {
        let table = try FoundTable()
        // The same mistake twice is none the worse.
        for _ in 0..<2 { try await self.attempt(attempt, table) }
        #expect(try await table.take(Self.text, batchSize: batchSize) == [3, 2, 1, 0, 0, 0, 0])
        #expect(try table.records() == Self.rows)
        // From now on it is what it is.
        let known = "the key of thing in \(table.path) is id, not "
        #expect(await refusal(table, "n") == known + "n")
        #expect(await refusal(table, nil) == known + "none")
        #expect(await refusal(table, ImportKey(["id", "n"])) == known + "id,n")
        #expect(try await table.take(#"[{"id":1,"n":6}]"#, batchSize: batchSize) == [1, 0, 0, 1, 0, 0, 0])
        #expect(try table.records() == Self.rows)
        #expect(try table.rows("PRAGMA integrity_check") == [["ok"]])
    }

    /// A table that was to have a key may do without, and have one of several parts.
    @Test func itMayBeAnyOther() async throws {
        let table = try FoundTable()
        for key: ImportKey? in ["id", nil, ImportKey(["id", "n"]), ImportKey(["n", "id"]), "id"] {
            _ = try await table.take(Self.text, key: key) { $0.isDryRun = true }
        }
        #expect(try await table.take(Self.text, key: ImportKey(["id", "n"])) == [3, 3, 0, 0, 0, 0, 0])
        #expect(try await table.take(Self.text, key: ImportKey(["id", "n"])) == [3, 0, 0, 3, 0, 0, 0])
    }

    @Test(arguments: [["_rest"], ["id", "_rest"]]) func theColumnOfTheRestIsNone(_ names: [String]) async throws {
        let table = try FoundTable()
        let refused = await refusal(table, ImportKey(names))
        #expect(refused?.hasPrefix("_rest cannot be a part of the key") == true, "\(refused ?? "nothing")")
        #expect(!FileManager.default.fileExists(atPath: table.path))
        // Its place in a record is free for the key of another column.
        let text = #"[{"_rest":7,"a":1}]"#
        #expect(try await table.take(text, key: ImportKey("id", remote: "_rest")) == [1, 1, 0, 0, 0, 0, 0])
        #expect(try table.records().map { $0["id"] } == [7])
        #expect(await refusal(table, ImportKey(names))?.hasPrefix("_rest cannot be a part of the key") == true)
    }
}
