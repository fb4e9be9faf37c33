import Foundation
import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// The key of inferred columns, which may change until the table has rows, and never includes `_rest`.
@Suite struct InferredKeyTests {
    /// An import that leaves the table without rows, and whose key differs from that of the next import.
    enum Attempt: CaseIterable, Sendable {
        /// A dry run with another key.
        case dry
        /// A dry run without a key.
        case dryWithoutKey
        /// An import that stops at its first record, which lacks the key.
        case stopped
        /// An import whose records are all rejected.
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

    private func attempt(_ attempt: Attempt, _ table: InferredTable) async throws {
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

    private func refusal(_ table: InferredTable, _ key: ImportKey?) async -> String? {
        do {
            try await table.take(Self.text, key: key)
            return nil
        } catch let error as ImportError where error.code == .route {
            return error.reason
        } catch {
            return "\(error)"
        }
    }

    /// SQLite stores true as 1, so a key of true would replace the record with key 1.
    @Test("A Boolean is no key by itself, but may be part of a compound key")
    func truthAloneIsNoKey() async throws {
        let table = try InferredTable()
        let text = #"[{"id":1,"n":5},{"id":true,"n":6},{"id":false,"n":7},{"id":0,"n":8}]"#
        #expect(try await table.take(text) { $0.onError = .skip } == [4, 2, 0, 0, 0, 0, 2])
        #expect(try table.records() == [["id": 1, "n": 5], ["id": 0, "n": 8]])
        let other = try InferredTable()
        let parts = #"[{"id":1,"n":true},{"id":1,"n":false},{"id":1,"n":true}]"#
        #expect(try await other.take(parts, key: ImportKey(["id", "n"])) == [3, 2, 0, 1, 0, 0, 0])
    }

    @Test("The key of inferred columns may change until the table has rows", arguments: Attempt.allCases, [1, 100])
    func itMayChangeBeforeThereAreRows(_ attempt: Attempt, _ batchSize: Int) async throws {
        let table = try InferredTable()
        // A second failed attempt must make no difference.
        for _ in 0..<2 { try await self.attempt(attempt, table) }
        #expect(try await table.take(Self.text, batchSize: batchSize) == [3, 2, 1, 0, 0, 0, 0])
        #expect(try table.records() == Self.rows)
        // Once there are rows, the key is fixed.
        let known = "the key of thing in \(table.path) is id, not "
        #expect(await refusal(table, "n") == known + "n")
        #expect(await refusal(table, nil) == known + "none")
        #expect(await refusal(table, ImportKey(["id", "n"])) == known + "id,n")
        #expect(try await table.take(#"[{"id":1,"n":6}]"#, batchSize: batchSize) == [1, 0, 0, 1, 0, 0, 0])
        #expect(try table.records() == Self.rows)
        #expect(try table.rows("PRAGMA integrity_check") == [["ok"]])
    }

    @Test("Dry runs with other keys, or with none, do not fix the key of a table")
    func itMayBeAnyOther() async throws {
        let table = try InferredTable()
        for key: ImportKey? in ["id", nil, ImportKey(["id", "n"]), ImportKey(["n", "id"]), "id"] {
            _ = try await table.take(Self.text, key: key) { $0.isDryRun = true }
        }
        #expect(try await table.take(Self.text, key: ImportKey(["id", "n"])) == [3, 3, 0, 0, 0, 0, 0])
        #expect(try await table.take(Self.text, key: ImportKey(["id", "n"])) == [3, 0, 0, 3, 0, 0, 0])
    }

    @Test(
        "The column _rest cannot be part of a key, but a member named _rest can",
        arguments: [["_rest"], ["id", "_rest"]])
    func theColumnOfTheRestIsNone(_ names: [String]) async throws {
        let table = try InferredTable()
        let refused = await refusal(table, ImportKey(names))
        #expect(refused?.hasPrefix("_rest cannot be a part of the key") == true, "\(refused ?? "nothing")")
        #expect(!FileManager.default.fileExists(atPath: table.path))
        // A member named `_rest` may still provide the key of another column.
        let text = #"[{"_rest":7,"a":1}]"#
        #expect(try await table.take(text, key: ImportKey("id", remote: "_rest")) == [1, 1, 0, 0, 0, 0, 0])
        #expect(try table.records().map { $0["id"] } == [7])
        #expect(await refusal(table, ImportKey(names))?.hasPrefix("_rest cannot be a part of the key") == true)
    }
}
