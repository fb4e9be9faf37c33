import Foundation
import Testing
import Tributary
import TributaryTestSupport

/// Imports whose closures set objects.
@Suite struct ObjectImportTests {
    private let folder: TemporaryFolder
    private let manager: ContextManager

    init() throws {
        folder = try TemporaryFolder()
        manager = try ContextManager(
            model: Model(Item.self, Maker.self, Shelf.self), store: .sqlite(folder.path("items.sqlite")))
    }

    private func source(_ count: Int, repeating: Int = 0, name: String = "n") -> MemorySource {
        var lines = (1...count).map { number in
            "{\"id\":\(number * 7 % 10007),\"name\":\"\(name)\(number)\",\"rank\":\((number + 4) % 100)}"
        }
        if repeating > 0 { lines += (1...repeating).map { "{\"id\":\($0 * 7 % 10007),\"name\":\"again\($0)\"}" } }
        return MemorySource(Array(lines.joined(separator: "\n").utf8), name: "items")
    }

    private func load(_ source: MemorySource, _ options: ImportOptions) throws -> ImportSummary {
        let stream = ImportOperation<Item>(into: manager, from: source, key: \.id, options: options) {
            record, item in
            item.name = record["name"]
            if !record["rank"].isMissing { item.rank = record["rank"] }
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
            let all = try context.fetch(FetchRequest<Item>(sort: [SortKey(\Item.id)]))
            #expect(all.count == 500)
            #expect(all.first { $0.id == 7 }?.name == "again1")
            #expect(all.first { $0.id == 7 }?.rank == 5)
        }
    }

    @Test("A rejected record leaves no object and no change")
    func refusedRecordsLeaveNothing() throws {
        var options = ImportOptions()
        options.onError = .skip
        let text = """
            {"id":1,"name":"a","rank":200}
            {"id":2,"name":7}
            {"id":null}
            {"id":3,"name":"c","rank":3}
            {"id":1,"name":"b","rank":20}
            """
        let books = try load(MemorySource(Array(text.utf8), name: "dirt"), options)
        #expect((books.read, books.inserted, books.rejected) == (5, 2, 3))
        try manager.writeAndWait { context in
            let all = try context.fetch(FetchRequest<Item>(sort: [SortKey(\Item.id)]))
            #expect(all.map(\.name) == ["b", "c"])
        }
    }

    @Test("A closure with a context can fetch and insert related objects")
    func closuresMayLookUpAndMakeOthers() throws {
        let text = (1...300).map { "{\"id\":\($0),\"maker\":\"m\($0 % 10)\"}" }.joined(separator: "\n")
        var options = ImportOptions()
        options.batchSize = 40
        let items = ImportOperation<Item>(
            into: manager, from: MemorySource(Array(text.utf8), name: "items"), key: \.id, options: options
        ) { record, item, context in
            let code: String = record["maker"]
            let known = try Maker.fetch(in: context, where: \Maker.code == code).first
            let maker = known ?? context.insert(Maker.self)
            if known == nil { maker.code = code }
            item.maker = maker
        }
        let books = try items.perform().summary
        #expect((books.inserted, books.isBalanced) == (300, true))
        try manager.writeAndWait { context in
            let all = try context.fetch(FetchRequest<Maker>(sort: [SortKey(\Maker.code)]))
            #expect(all.map(\.code) == (0..<10).map { "m\($0)" })
            #expect(all[3].items.count == 30)
        }
    }
}
