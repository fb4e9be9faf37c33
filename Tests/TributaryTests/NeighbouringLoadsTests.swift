import Testing
import TributaryGraph
import TributaryJSON
import TributaryTestSupport

import Tributary

/// Imports that fill two tables at once, by rows and by a setter, each directly where its table is empty.
@Suite struct NeighbouringLoadsTests {
    private static let text = """
        {"x":[{"b":[{"id":1,"name":"b1"},{"id":1,"name":"b1 again"},{"id":2,"name":"b2"}]},
        {"a":[{"id":1,"name":"a1"}]},
        {"b":[{"id":1,"name":"b1 at last"},{"id":3,"name":"b3"},{"id":3,"name":"b3 at last"}]},
        {"a":[{"id":1,"name":"a1 at last"},{"id":2,"name":"a2"}]},
        {"b":[{"id":2,"name":"b2 at last"}]}]}
        """

    @Test("Each route applies its repeated keys in feed order", arguments: [1, 2, 3, 100], [true, false])
    func repeats(_ batchSize: Int, _ isFilled: Bool) throws {
        let folder = try TemporaryFolder()
        let manager = try ContextManager(
            model: Model(FeedItem.self, Item.self, Maker.self, Shelf.self),
            store: .sqlite(folder.path("items.sqlite")))
        if isFilled {
            // A filled table is not loaded directly.
            try manager.load(.text(#"[{"id":9,"name":"nine"}]"#), [.rows("FeedItem", at: "[]")])
        }
        var options = ImportOptions()
        options.batchSize = batchSize
        options.firstLoad = .direct
        let books = try manager.load(
            .text(Self.text),
            [
                .objects(FeedItem.self, at: ".x[].a[]") { record, item in
                    item.name = record["name"]
                },
                .rows("Item", at: ".x[].b[]"),
            ], options)
        #expect(books.read == 10 && books.inserted == 5 && books.rejected == 0)
        let (items, feedItems) = try manager.newPrivateContext().performAndWait { context in
            (
                try Item.all(in: context).map { "\($0.id) \($0.name ?? "-")" }.sorted(),
                try FeedItem.all(in: context).map { "\($0.id) \($0.name)" }.sorted()
            )
        }
        #expect(items == ["1 b1 at last", "2 b2 at last", "3 b3 at last"])
        #expect(feedItems == ["1 a1 at last", "2 a2"] + (isFilled ? ["9 nine"] : []))
    }
}
