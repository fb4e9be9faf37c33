import CTributaryFaults
import Foundation
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

import Tributary

/// A database before an import, the result of an import without faults, and the number of its calls.
final class ImportCrashStage: Sendable {
    let setting: ImportCrashTests.Setting
    /// The calls that change files during the import; `calls` includes those that close the store.
    let callsOfImport: Int
    let calls: Int
    let statements: Int
    private let folder: TemporaryFolder
    private let source: String
    /// The rows, and the marks of the feed.
    private let wholeRows: [[SQLValue]]
    private let wholeRejects: [String]

    /// Prepares the database and runs the import without faults.
    init(_ setting: ImportCrashTests.Setting, records: Int, _ lots: inout SeededGenerator) async throws {
        self.setting = setting
        folder = try TemporaryFolder()
        source = try folder.write(ImportCrash.feed(records, &lots), to: "feed.json")
        var crash = ImportCrash(
            fault: .call(mode: Int(FAULTS_NONE), number: 0, seed: 0), path: folder.path("template.sqlite"),
            source: source, usesLog: setting.usesLog, isDirect: setting.isDirect, isUnpublished: setting.isUnpublished)
        if !setting.isUnpublished {
            let manager = try crash.manager()
            if !setting.isEmpty {
                try manager.writeAndWait { context in
                    for number in 0..<records where number % 3 == 0 {
                        let item = context.insert(FeedItem.self)
                        item.id = number
                        item.name = "before"
                    }
                }
            }
            await MainActor.run { manager.close() }
        }
        let whole = folder.path("whole.sqlite")
        if !setting.isUnpublished { try FileManager.default.copyItem(atPath: crash.path, toPath: whole) }
        crash.path = whole
        crash.counts = true
        await ImportCrashStage.run(crash, dies: true)
        let counts = try String(contentsOfFile: whole + "-counts", encoding: .utf8).split(separator: " ").map {
            Int($0)
        }
        try #require(counts.count == 3)
        callsOfImport = counts[0] ?? 0
        calls = counts[1] ?? 0
        statements = counts[2] ?? 0
        let manager = try crash.manager()
        wholeRows = try ImportCrashStage.rows(manager)
        wholeRejects = try FeedStore.rejects(crash.rejects)
        #expect(try FeedStore.faults(manager.stores.stores[0]) == [])
        await MainActor.run { manager.close() }
    }

    private static func rows(_ manager: ContextManager) throws -> [[SQLValue]] {
        try manager.stores.stores[0].read { connection in
            // A run that had committed nothing may be replaced by a second run.
            try connection.rows(of: "SELECT \"_pk\", \"id\", \"name\", \"score\" FROM \"FeedItem\" ORDER BY \"_pk\"")
                + connection.rows(
                    of: "SELECT \"feed\", \"entity\", \"block\", \"bits\" FROM \"_mark\" ORDER BY \"run\"")
        }
    }

    private static func run(_ crash: ImportCrash, dies: Bool) async {
        guard let data = try? JSONEncoder().encode(crash) else { return }
        let text = String(decoding: data, as: UTF8.self)
        await #expect(processExitsWith: dies ? .signal(SIGKILL) : .success, "\(crash)") { [text = text as String] in
            try await JSONDecoder().decode(ImportCrash.self, from: Data(text.utf8)).work()
        }
    }

    /// Runs an import with a fault, resumes it, and returns how the result differs from one without faults.
    func violations(of fault: ImportCrash.Fault, maySucceed: Bool = true) async throws -> [String] {
        let files = FileManager.default
        let name = UUID().uuidString
        let crash = ImportCrash(
            fault: fault, path: folder.path(name), source: source, usesLog: setting.usesLog,
            isDirect: setting.isDirect, isUnpublished: setting.isUnpublished)
        if !setting.isUnpublished { try files.copyItem(atPath: folder.path("template.sqlite"), toPath: crash.path) }
        var found: [String] = []
        switch fault {
        case .full, .fileSize:
            await ImportCrashStage.run(crash, dies: false)
            if !maySucceed, !files.fileExists(atPath: crash.path + "-failed") { found.append("it did not fail") }
        default: await ImportCrashStage.run(crash, dies: true)
        }
        do {
            let manager = try crash.manager()
            let outcome = try crash.perform(manager)
            if !outcome.summary.isBalanced { found.append("the books do not balance: \(outcome.summary)") }
            let rows = try ImportCrashStage.rows(manager)
            if rows != wholeRows {
                found.append(
                    "\(rows.count) rows instead of \(wholeRows.count), "
                        + "\(Set(rows).symmetricDifference(wholeRows).count) differ")
            }
            let rejects = try FeedStore.rejects(crash.rejects)
            if rejects != wholeRejects {
                found.append(
                    Set(rejects) == Set(wholeRejects) && rejects.count == wholeRejects.count
                        ? "the rejects are in another order"
                        : "\(rejects.count) rejects instead of \(wholeRejects.count)")
            }
            found += try FeedStore.faults(manager.stores.stores[0])
            await MainActor.run { manager.close() }
        } catch {
            found.append("\(error)")
        }
        for file in try files.contentsOfDirectory(atPath: folder.url.path) where file.hasPrefix(name) {
            try files.removeItem(atPath: folder.path(file))
        }
        return found.map { "\(crash): \($0)" }
    }
}
