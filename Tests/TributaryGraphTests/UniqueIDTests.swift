import Foundation
import Testing
import TributaryConcurrency
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// Numbers, none of which is issued twice.
@Suite struct UniqueIDTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func manager(_ store: StoreLocation? = nil, _ options: StoreOptions = StoreOptions()) throws
        -> ContextManager
    {
        try ContextManager(
            model: Model(Mayhem.model), store: store ?? .sqlite(folder.path("app.sqlite")), options: options)
    }

    private func reserved() throws -> SQLValue? {
        try Connection(.file(folder.path("app.sqlite-ids"))).value(of: "SELECT \"reserved\" FROM \"_uniqueID\"")
    }

    @Test("10,000 numbers are different, and need 4 transactions")
    func tenThousandNumbers() throws {
        let manager = try manager()
        let numbers = try (0..<10_000).map { _ in try manager.uniqueIDs.next() }
        #expect(numbers == Array(1...10_000))
        #expect(try reserved() == .integer(15_000))
    }

    @Test("Threads and other generators of the same file, as other processes have them, get different numbers")
    func threadsAndProcesses() throws {
        let file = folder.path("app.sqlite-ids")
        let generators = (0..<3).map { _ in UniqueIDGenerator(file: file) }
        let all = Guarded<[Int64]>([])
        DispatchQueue.concurrentPerform(iterations: 6) { index in
            do {
                let numbers = try (0..<3000).map { _ in try generators[index % 3].next() }
                all.withLock { $0 += numbers }
            } catch {
                Issue.record(error)
            }
        }
        let numbers = all.withLock { $0 }
        #expect(numbers.count == 18_000 && Set(numbers).count == 18_000)
    }

    @Test("Numbers continue after a rollback, a new start and the deletion of the store")
    @MainActor func noNumberComesAgain() throws {
        var numbers: [Int64] = []
        do {
            let first = try manager()
            try first.readAndWait { context in
                let company = try context.insert(entity: "Company")
                numbers.append(try first.uniqueIDs.next())
                company["companyID"] = .integer(numbers[0])
                context.rollback()
            }
            numbers.append(try first.uniqueIDs.next())
            try first.destroyAndRebuild()
            numbers.append(try first.uniqueIDs.next())
            first.close()
        }
        numbers.append(try manager().uniqueIDs.next())
        #expect(Set(numbers).count == 4 && numbers == numbers.sorted(), "\(numbers)")
    }

    @Test("Numbers are issued while an import holds the writer")
    func duringAnImport() throws {
        let manager = try manager()
        let number = try manager.stores.stores[0].importing { connection in
            try connection.transaction { try manager.uniqueIDs.next() }
        }
        #expect(number == 1)
    }

    @Test("Paths that lead to one store lead to the same numbers, and a store in memory counts as well")
    func otherStores() throws {
        let first = try manager()
        #expect(try first.uniqueIDs.next() == 1)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link.sqlite"), withDestinationPath: folder.path("app.sqlite"))
        let reader = try manager(.sqlite(folder.path("link.sqlite")), StoreOptions { $0.isReadOnly = true })
        let error = #expect(throws: StoreError.self) { try reader.uniqueIDs.next() }
        #expect(error?.code == .readOnly && error?.store.hasSuffix("app.sqlite-ids") == true)
        let memory = try manager(.memory)
        #expect(try [memory.uniqueIDs.next(), memory.uniqueIDs.next()] == [1, 2])
    }

    @Test("A counter without numbers left, or with a wrong value, is an error")
    func noNumberIsLeft() throws {
        let generator = UniqueIDGenerator(file: folder.path("app.sqlite-ids"))
        _ = try generator.next()
        let connection = try Connection(.file(folder.path("app.sqlite-ids")))
        for value in [Int64.max - 5, -1] {
            try connection.execute("UPDATE \"_uniqueID\" SET \"reserved\" = \(value)")
            let other = UniqueIDGenerator(file: folder.path("app.sqlite-ids"))
            #expect { try other.next() } throws: { ($0 as? StoreError)?.code == .damaged }
        }
        _ = try folder.write(Array("not a database, but a text".utf8), to: "text-ids")
        #expect(throws: SQLiteError.self) { try UniqueIDGenerator(file: folder.path("text-ids")).next() }
    }
}
