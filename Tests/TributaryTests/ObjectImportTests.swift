import Foundation
import Testing
import Tributary
import TributaryTestSupport

final class Visitor: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var name: String?
    @Attribute(.range(0...150)) var age: Int?
    @Relationship(inverse: \Visit.visitor, onDelete: .cascade) var visits: ToMany<Visit>
}

final class Visit: ManagedObject {
    @Attribute(.unique) var code: String
    @Attribute var day: Date?
    @Relationship var visitor: Visitor?
}

/// Imports whose closures set objects.
@Suite struct ObjectImportTests {
    private let folder: TemporaryFolder
    private let manager: ContextManager

    init() throws {
        folder = try TemporaryFolder()
        manager = try ContextManager(
            model: Model(Visitor.self, Visit.self), store: .sqlite(folder.path("visits.sqlite")))
    }

    private func source(_ count: Int, repeating: Int = 0, name: String = "n") -> MemorySource {
        var lines = (1...count).map { "{\"id\":\($0 * 7 % 10007),\"name\":\"\(name)\($0)\",\"age\":\($0 % 100)}" }
        if repeating > 0 { lines += (1...repeating).map { "{\"id\":\($0 * 7 % 10007),\"name\":\"again\($0)\"}" } }
        return MemorySource(Array(lines.joined(separator: "\n").utf8), name: "visitors")
    }

    private func load(_ source: MemorySource, _ options: ImportOptions) throws -> ImportSummary {
        let stream = ImportOperation<Visitor>(into: manager, from: source, key: \.id, options: options) {
            record, visitor in
            visitor.name = record["name"]
            if !record["age"].isMissing { visitor.age = record["age"] }
        }
        return try stream.perform().summary
    }

    @Test("Counts and objects are the same for every batch size", arguments: [1, 7, 10_000])
    func booksBalanceWhateverTheBatch(_ batch: Int) throws {
        var options = ImportOptions()
        options.batchSize = batch
        let first = try load(source(500, repeating: 20), options)
        #expect((first.read, first.inserted, first.updated) == (520, 500, 20))
        let second = try load(source(500, repeating: 20), options)
        #expect((second.read, second.updated, second.unchanged) == (520, 40, 480))
        try manager.writeAndWait { context in
            let all = try context.fetch(FetchRequest<Visitor>(sort: [SortKey(\Visitor.id)]))
            #expect(all.count == 500)
            #expect(all.first { $0.id == 7 }?.name == "again1")
            #expect(all.first { $0.id == 7 }?.age == 1)
        }
    }

    @Test("A rejected record leaves no object and no change")
    func refusedRecordsLeaveNothing() throws {
        var options = ImportOptions()
        options.onError = .skip
        let text = """
            {"id":1,"name":"a","age":200}
            {"id":2,"name":7}
            {"id":null}
            {"id":3,"name":"c","age":3}
            {"id":1,"name":"b","age":20}
            """
        let books = try load(MemorySource(Array(text.utf8), name: "dirt"), options)
        #expect((books.read, books.inserted, books.rejected) == (5, 2, 3))
        try manager.writeAndWait { context in
            let all = try context.fetch(FetchRequest<Visitor>(sort: [SortKey(\Visitor.id)]))
            #expect(all.map(\.name) == ["b", "c"])
        }
    }

    @Test("A closure with a context can fetch and insert related objects")
    func closuresMayLookUpAndMakeOthers() throws {
        let text = (1...300).map { "{\"code\":\"v\($0)\",\"visitor\":\($0 % 10)}" }.joined(separator: "\n")
        var options = ImportOptions()
        options.batchSize = 40
        let visits = ImportOperation<Visit>(
            into: manager, from: MemorySource(Array(text.utf8), name: "visits"), key: \.code, options: options
        ) { record, visit, context in
            let id: Int = record["visitor"]
            let known = try Visitor.fetch(in: context, where: \Visitor.id == id).first
            let visitor = known ?? context.insert(Visitor.self)
            if known == nil { visitor.id = id }
            visit.visitor = visitor
        }
        let books = try visits.perform().summary
        #expect((books.inserted, books.isBalanced) == (300, true))
        try manager.writeAndWait { context in
            let all = try context.fetch(FetchRequest<Visitor>(sort: [SortKey(\Visitor.id)]))
            #expect(all.map(\.id) == Array(0..<10))
            #expect(all[3].visits.count == 30)
        }
    }
}
