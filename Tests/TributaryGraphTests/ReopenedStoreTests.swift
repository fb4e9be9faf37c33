import Dispatch
import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryTestSupport

/// A store closes with the last reference to it, on any thread, and can be opened again at the same time.
@Suite struct ReopenedStoreTests {
    @Test("A store can be opened while its previous instance is being deallocated")
    func itIsOpenedWhileItIsLetGo() throws {
        let folder = try TemporaryFolder()
        let failures = Guarded<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { worker in
            let location = StoreLocation.sqlite(folder.path("\(worker).sqlite"))
            for round in 0..<60 {
                do {
                    let manager = try ContextManager(
                        model: Model(Author.self, Reader.self, Book.self, Series.self), store: location,
                        alias: "\(folder.path("")) \(worker)")
                    try manager.writeAndWait { _ = $0.author(round) }
                } catch {
                    failures.withLock { $0.append("\(worker), \(round): \(error)") }
                }
            }
        }
        #expect(failures.withLock { $0 } == [])
        for worker in 0..<4 {
            let manager = try ContextManager(
                model: Model(Author.self, Reader.self, Book.self, Series.self),
                store: .sqlite(folder.path("\(worker).sqlite")))
            #expect(try manager.newPrivateContext().performAndWait { try Author.count(in: $0) } == 60)
        }
    }
}
