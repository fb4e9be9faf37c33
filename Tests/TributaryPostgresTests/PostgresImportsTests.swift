import Foundation
import Testing
import Tributary
import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributaryPostgres
import TributaryTestSupport

/// The journal of a database, and retries of its rejects.
@Suite struct PostgresImportsTests {
    private let folder: TemporaryFolder
    private let address: PostgresAddress
    private let imports: Imports

    init() throws {
        folder = try TemporaryFolder()
        address = try PostgresServer.shared().newSchema()
        imports = Imports(in: address)
    }

    /// Imports lines without a key, of which each second one is rejected.
    private func load(_ count: Int) throws -> ImportSummary {
        let lines = (0..<count).map { "{\"n\":\($0 % 2 == 0 ? "\($0)" : "\"x\($0)\"")}\n" }.joined()
        let file = try folder.write(lines.utf8, to: "numbers.ndjson")
        var inference = ColumnInference()
        inference.types = ["n": .integer]
        var options = ImportOptions()
        options.onError = .quarantine
        return try PostgresImport(
            into: address, from: [.file(file)], routes: [.inferred("numbers", inference)], options: options
        ).perform().summary
    }

    private func count() throws -> Int64? {
        let connection = try PostgresConnection(address, role: "tests")
        return try connection.execute("SELECT count(*) FROM numbers").integer(0, 0)
    }

    @Test("Runs are listed with their counts, and rejects in pages")
    func listing() throws {
        #expect(throws: ImportError.self) { try imports.entries() }
        let summary = try load(10)
        #expect(summary.inserted == 5 && summary.rejected == 5)
        let runs = try imports.runs()
        #expect(runs.count == 1 && runs[0].rejects == 5 && runs[0].workers.isEmpty)
        #expect(try imports.entries().map(\.summary.counts) == [summary.counts] && runs[0].entry.state == .finished)
        #expect(try imports.rejects.count() == 5 && imports.rejects.count(run: summary.run + 1) == 0)
        let page = try imports.rejects.page(run: summary.run, limit: 3)
        let rest = try imports.rejects.page(after: page[2].id)
        #expect((page + rest).map(\.line) == [2, 4, 6, 8, 10])
        #expect(try imports.waitingReferences().isEmpty)
        #expect(try !imports.forget(run: summary.run + 1) && imports.forget(run: summary.run))
        #expect(try imports.rejects.count() == 0 && count() == 5)
    }

    @Test("An import and a retry are operations: the retry is cancelled if the import that it depends on fails")
    func dependencies() throws {
        let feed = PostgresImport(into: address, from: [.file(folder.path("none.json"))], routes: [])
        let retry = Retry(into: address)
        retry.addDependency(feed)
        OperationQueue().addOperations([feed, retry], waitUntilFinished: true)
        #expect((feed.error as? ImportError)?.code == .route && !feed.hasSucceeded)
        #expect((retry.error as? ImportError)?.code == .dependency && retry.isCancelled)
    }

    @Test("Two retries of the same rejects at once import each record once")
    func concurrentRetries() throws {
        let count = 2000
        let run = try load(count).run
        let file = folder.path("bad.ndjson")
        try imports.rejects.write(to: file, run: run)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        _ = try folder.write(text.replacing(#"\"x"#, with: "1").replacing(#"\"}"#, with: "}").utf8, to: "fixed.ndjson")
        var options = RetryOptions()
        options.batchSize = 10
        let source = RejectSource.file(FileSource(folder.path("fixed.ndjson")))
        let retries = (0..<2).map { _ in Retry(into: address, from: source, options: options) }
        let errors = Guarded<[any Error]>([])
        DispatchQueue.concurrentPerform(iterations: 2) { index in
            do {
                try retries[index].perform()
            } catch {
                errors.withLock { $0.append(error) }
            }
        }
        // One of them may have met records that the other has imported.
        #expect(errors.withLock { $0.allSatisfy { ($0 as? ImportError)?.code == .running } })
        let last = try Retry(into: address, from: source).perform()
        let imported = (retries.map(\.summary) + [last]).map(\.counts.inserted)
        #expect(imported.reduce(0, +) == count / 2, "\(imported)")
        #expect(try self.count() == Int64(count) && imports.rejects.count() == 0)
    }
}
