import Testing
import TributaryGraph
import TributaryJSON
import TributaryTestSupport

import Tributary

/// Imports with several routes into one table, whose records apply in feed order.
@Suite struct SharedTableTests {
    private static let text = """
        {"a":[{"id":1,"name":"a1"},{"id":2,"name":"a2"}],"b":[{"id":2,"name":"b2"},{"id":3,"name":"b3"}],
        "a2":[{"id":3,"name":"c3"},{"id":1,"name":"c1"},{"id":4,"name":"c4"}]}
        """

    @Test(
        "The last record of a key in the feed wins, whatever its route",
        arguments: [1, 2, 100], [[".a[]", ".b[]", ".a2[]"], [".a2[]", ".b[]", ".a[]"]])
    func theLastOneWins(_ batchSize: Int, _ paths: [String]) throws {
        for isFilled in [false, true] {
            let items = try ItemStore()
            if isFilled { try items.take("[{\"id\":9,\"name\":\"nine\"}]") }
            var options = ImportOptions()
            options.batchSize = batchSize
            let books = try items.manager.load(
                .text(Self.text), try paths.map { .rows("FeedItem", at: try RecordPath($0)) }, options)
            #expect(books.tally == [7, 4, 3, 0, 0, 0, 0])
            let first = isFilled ? 2 : 1
            let numbers = [first, first + 1, first + 3, first + 6]
            let expected = zip(numbers, ["1 c1", "2 b2", "3 c3", "4 c4"]).map { "\($0) \($1)" }
            #expect(try items.rows() == (isFilled ? ["1 9 nine"] : []) + expected)
            #expect(try items.faults() == [])
        }
    }

    @Test("Routes with closures and with rows apply to one table in feed order", arguments: [1, 100])
    func closuresAndRowsMeet(_ batchSize: Int) throws {
        let items = try ItemStore()
        var options = ImportOptions()
        options.batchSize = batchSize
        let tally = try items.manager.load(
            .text(Self.text),
            [
                .rows("FeedItem", at: ".a2[]"),
                .objects(FeedItem.self, at: ".b[]") { record, item in item.name = "set " + record["name"] },
                .rows("FeedItem", at: ".a[]"),
            ], options
        ).tally
        #expect(tally == [7, 4, 3, 0, 0, 0, 0])
        #expect(try items.rows() == ["1 1 c1", "2 2 set b2", "4 3 c3", "7 4 c4"])
        #expect(try items.faults() == [])
    }

    @Test("Two routes that infer the columns of one table are refused")
    func inferredTwice() throws {
        let folder = try TemporaryFolder()
        let manager = try ContextManager(inferring: "t", key: "id", at: folder.path("t.sqlite"))
        let feed = StreamImport(
            into: manager, from: [.text(Self.text)],
            routes: [.inferred("t", at: ".a[]", key: "id"), .inferred("t", at: ".b[]", key: "id")])
        #expect {
            _ = try feed.perform()
        } throws: { error in
            "\(error)".contains("two routes infer the columns of t; import one after the other")
        }
    }
}
