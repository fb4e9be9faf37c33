import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite

import Tributary

/// Nested objects, keys and lists of them, as records of one stream.
@Suite struct RelationImportTests {
    private let store: MappedStore

    init() throws { store = try .library() }

    @discardableResult
    private func take(
        _ text: String, as entity: String = "Book", _ mapping: Mapping? = nil,
        _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> ImportSummary {
        let summary = try store.take(text, as: entity, mapping, change)
        #expect(try store.libraryFaults() == [])
        return summary
    }

    private func content(_ kind: String) throws -> [String] {
        try store.libraryContent().filter { $0.contains("text(\"\(kind)\")") || $0.contains("\"\(kind)\"") }
    }

    /// A nested object, an array of objects, an object of objects, a key and an array of keys.
    @Test func kindsOfValues() throws {
        let summary = try take(
            """
            [{"isbn":"a","title":"A","author":{"id":1,"name":"Ann","mentor":{"id":2,"name":"Max"}},
              "tags":[{"name":"red","color":"r"},{"name":"blue"}],"publisher":{"code":5,"city":"Rom"}},
             {"isbn":"b","author":1,"tags":{"green":{"color":"g"},"red":{"color":"R"}},"publisher":5},
             {"isbn":"c","author_id":2,"tags":["blue","red","blue"],"similar":["a","c"]}]
            """)
        #expect(summary.inserted == 3 && summary.dangling == nil)
        #expect(summary.related?["Author"]?.inserted == 2)
        #expect(
            try store.rows(
                "SELECT id, name, (SELECT m.id FROM Author m WHERE m._pk = a.mentor) FROM Author a ORDER BY id")
                == [[1, "Ann", 2], [2, "Max", .null]]
        )
        #expect(
            try store.rows(
                "SELECT isbn, (SELECT id FROM Author WHERE _pk = author), (SELECT code FROM Publisher WHERE _pk = publisher) FROM Book ORDER BY isbn"
            )
                == [["a", 1, 5], ["b", 1, 5], ["c", 2, .null]])
        #expect(
            try store.rows("SELECT name, color FROM Tag ORDER BY name") == [
                ["blue", .null], ["green", "g"], ["red", "R"],
            ])
        #expect(try tags() == ["a: red blue", "b: green red", "c: blue red"])
        #expect(try store.rows("SELECT COUNT(*) FROM \"_Book.similar\"") == [[2]])
    }

    private func tags() throws -> [String] {
        try store.rows(
            """
            SELECT b.isbn || ': ' || group_concat(t.name, ' ') FROM (SELECT * FROM "_Book.tags" ORDER BY _source, _targetOrder) j
            JOIN Book b ON b._pk = j._source JOIN Tag t ON t._pk = j._target GROUP BY b.isbn ORDER BY b.isbn
            """
        ).map { if case .text(let text) = $0[0] { text } else { "" } }
    }

    @Test func clearingAndPolicies() throws {
        try take(
            "[{\"isbn\":\"a\",\"author\":{\"id\":1},\"tags\":[{\"name\":\"x\"},{\"name\":\"y\"}],\"reviews\":[{\"stars\":1},{\"stars\":2}]}]"
        )
        // A record without the members changes nothing.
        #expect(try take("[{\"isbn\":\"a\"}]").unchanged == 1)
        #expect(try take("[{\"isbn\":\"a\",\"tags\":[\"x\",\"y\"],\"author\":1}]").unchanged == 1)
        #expect(try take("[{\"isbn\":\"a\",\"tags\":[\"y\",\"x\"]}]").updated == 1)
        #expect(try tags() == ["a: y x"])
        var mapping = Mapping()
        mapping["tags"].links = .merge
        #expect(try take("[{\"isbn\":\"a\",\"tags\":[{\"name\":\"z\"},\"x\"]}]", mapping).updated == 1)
        #expect(try tags() == ["a: y x z"])
        mapping["tags"].links = .append
        #expect(try take("[{\"isbn\":\"a\",\"tags\":[\"y\"]}]", mapping).updated == 1)
        #expect(try tags() == ["a: x z y"])
        #expect(try take("[{\"isbn\":\"a\",\"author\":null,\"tags\":[],\"reviews\":[{\"stars\":7}]}]").updated == 1)
        #expect(try tags() == [])
        #expect(try store.rows("SELECT author FROM Book") == [[.null]])
        // A review cannot be without its book.
        #expect(try store.rows("SELECT stars FROM Review") == [[7]])
        #expect(try take("[{\"isbn\":\"a\",\"reviews\":null}]").rejected == 0)
        #expect(try store.rows("SELECT COUNT(*) FROM Review") == [[0]])
    }

    /// Objects without a key are known by their owner and position.
    @Test func objectsWithoutAKey() throws {
        let text =
            "[{\"isbn\":\"a\",\"reviews\":[{\"stars\":1,\"text\":\"p\"},{\"stars\":2}]},{\"isbn\":\"b\",\"reviews\":[{\"stars\":3}]}]"
        try take(text)
        let before = try store.rows("SELECT _pk, stars, text FROM Review ORDER BY 1")
        let again = try take(text)
        #expect(again.unchanged == 2 && again.related?["Review"]?.unchanged == 3)
        #expect(try store.rows("SELECT _pk, stars, text FROM Review ORDER BY 1") == before)
        let changed = try take("[{\"isbn\":\"a\",\"reviews\":[{\"stars\":9},{\"stars\":2},{\"stars\":4}]}]")
        #expect(changed.related?["Review"]?.updated == 1 && changed.related?["Review"]?.inserted == 1)
        #expect(
            try store.rows("SELECT stars, text FROM Review ORDER BY book, \"_order.Book.reviews\"") == [
                [9, .null], [2, .null], [4, .null], [3, .null],
            ])
    }

    /// Objects of an entity that refers to itself, and that is met at two places.
    private static func threads() -> [EntityDescription] {
        var (post, comment) = (EntityDescription("Post"), EntityDescription("Comment"))
        post.attributes = [AttributeDescription("id", .integer64)]
        post.uniquenessConstraints = [["id"]]
        comment.attributes = [AttributeDescription("t", .string), AttributeDescription("n", .integer64)]
        comment.attributes[1].defaultValue = .integer(7)
        func link(_ name: String, to entity: String, _ inverse: String, isToMany: Bool) -> RelationshipDescription {
            var link = RelationshipDescription(name, to: entity)
            (link.isToMany, link.isOrdered, link.inverse) = (isToMany, isToMany, inverse)
            if isToMany { link.deleteRule = .cascade }
            return link
        }
        post.relationships = [link("comments", to: "Comment", "post", isToMany: true)]
        comment.relationships = [
            link("post", to: "Post", "comments", isToMany: false),
            link("parent", to: "Comment", "replies", isToMany: false),
            link("replies", to: "Comment", "parent", isToMany: true),
        ]
        return [post, comment]
    }

    @Test("Objects without a key are complete at any depth, and replaced as a whole", arguments: [1, 100])
    func threads(_ batchSize: Int) throws {
        let store = try MappedStore(Self.threads())
        let inner = (1...40).reversed().reduce("") {
            #"{"t":"\#($1)","n":\#($1)\#($0.isEmpty ? "" : ",\"replies\":[\($0)]")}"#
        }
        let deep = try store.take(#"[{"id":1,"comments":[\#(inner)]}]"#, as: "Post") { $0.batchSize = batchSize }
        #expect(deep.related?["Comment"]?.inserted == 40 && deep.dangling == nil)
        let chain = """
            SELECT COUNT(*) FROM Comment c JOIN Comment p ON p._pk = c.parent WHERE c.n = p.n + 1 AND c.post IS NULL
            """
        #expect(try store.rows(chain) == [[39]])
        #expect(try store.rows("SELECT n FROM Comment WHERE post IS NOT NULL") == [[1]])
        let next = #"""
            [{"id":1,"comments":[{"t":"x","replies":[{"n":3},{"t":"z"}]}]},{"id":2,"comments":[{"n":1,"t":"q"}]},
             {"id":2,"comments":[{"n":2}]}]
            """#
        let changed = try store.take(next, as: "Post") { $0.batchSize = batchSize }
        #expect(changed.related?["Comment"]?.updated == 3 && changed.dangling == nil)
        // What an element lacks is as in a new one.
        #expect(
            try store.rows(
                "SELECT t, n, (SELECT id FROM Post WHERE _pk = post) FROM Comment WHERE parent IS NULL AND post > 0")
                == [["x", 7, 1], [.null, 2, 2]])
        #expect(
            try store.rows(
                "SELECT c.t, c.n FROM Comment c JOIN Comment p ON p._pk = c.parent WHERE p.t = 'x' ORDER BY c._pk")
                == [[.null, 3], ["z", 7]])
        #expect(try store.take(next, as: "Post") { $0.batchSize = batchSize }.dangling == nil)
    }

    @Test("An element that cannot be new is counted as rejected, with what is inside of it")
    func incompleteElements() throws {
        var entities = Self.threads()
        entities[1].attributes[0].isOptional = false
        let store = try MappedStore(entities)
        let text = #"[{"id":1,"comments":[{"n":1,"replies":[{"t":"a"}]},{"t":"b"},{"t":"c"}]}]"#
        let summary = try store.take(text, as: "Post")
        #expect(summary.related?["Comment"]?.inserted == 2 && summary.related?["Comment"]?.rejected == 2)
        #expect(try store.rows("SELECT t, post IS NULL FROM Comment ORDER BY t") == [["b", 0], ["c", 0]])
        let update = try store.take(#"[{"id":1,"comments":[{"t":"d"},{"t":"e"},{"t":"f"}]}]"#, as: "Post") {
            $0.mode = .update
        }
        #expect(update.related?["Comment"]?.updated == 2 && update.related?["Comment"]?.skipped == 1)
        #expect(update.dangling == nil)
    }

    /// An object found by an attribute that is no key.
    @Test func foundByAnotherAttribute() throws {
        try take("[{\"id\":1,\"name\":\"Ann\"},{\"id\":2,\"name\":\"Bob\"}]", as: "Author")
        var mapping = Mapping()
        mapping["author"].finder = ["name"]
        let summary = try take(
            "[{\"isbn\":\"a\",\"author\":\"Bob\"},{\"isbn\":\"b\",\"author\":{\"name\":\"Ann\",\"mentor\":2}}]", mapping
        )
        #expect(summary.inserted == 2)
        #expect(
            try store.rows("SELECT isbn, (SELECT id FROM Author WHERE _pk = author) FROM Book ORDER BY 1") == [
                ["a", 2], ["b", 1],
            ])
        #expect(try store.rows("SELECT COUNT(*) FROM Author") == [[2]])
    }

    @Test func oneToOne() throws {
        try take("[{\"isbn\":\"a\",\"sequel\":{\"isbn\":\"b\",\"sequel\":\"c\"}},{\"isbn\":\"c\"}]")
        func sequels() throws -> [[SQLValue]] {
            try store.rows("SELECT isbn, (SELECT isbn FROM Book s WHERE s._pk = b.sequel) FROM Book b ORDER BY 1")
        }
        #expect(try sequels() == [["a", "b"], ["b", "c"], ["c", .null]])
        // Another owner takes the partner over.
        #expect(try take("[{\"isbn\":\"c\",\"prequel\":\"a\"}]").updated == 1)
        #expect(try sequels() == [["a", "c"], ["b", .null], ["c", .null]])
        #expect(try take("[{\"isbn\":\"c\",\"prequel\":\"a\"}]").unchanged == 1)
        #expect(try take("[{\"isbn\":\"a\",\"sequel\":null}]").updated == 1)
        #expect(try sequels() == [["a", .null], ["b", .null], ["c", .null]])
    }

    /// A record that refers to itself, and cycles.
    @Test func selfReferences() throws {
        let summary = try take(
            "[{\"id\":1,\"mentor\":1,\"name\":\"x\"},{\"id\":2,\"mentor\":{\"id\":3,\"mentor\":2}},{\"id\":4,\"mentor\":{\"id\":4,\"name\":\"inner\"},\"name\":\"outer\"}]",
            as: "Author")
        #expect(summary.inserted + summary.updated == 3 && summary.dangling == nil)
        #expect(
            try store.rows("SELECT a.id, m.id, a.name FROM Author a JOIN Author m ON m._pk = a.mentor ORDER BY 1") == [
                [1, 1, "x"], [2, 3, .null], [3, 2, .null], [4, 4, "outer"],
            ])
    }

    /// Each wrong value rejects its record with its path, and nothing of that record is written.
    @Test(arguments: [
        (#"{"isbn":"a","author":[{"id":1}]}"#, "$[0].author", "expected one object for author, or its key"),
        (#"{"isbn":"a","author":{"name":"x"}}"#, "$[0].author", "no member for the key id"),
        (#"{"isbn":"a","author":{"id":null}}"#, "$[0].author", "the key id is null"),
        (#"{"isbn":"a","author":{"id":1,"name":5}}"#, "$[0].author.name", "found 5, expected a string"),
        (#"{"isbn":"a","author":"x"}"#, "$[0].author", "expected a whole number"),
        (#"{"isbn":"a","tags":[["x"]]}"#, "$[0].tags[0]", "expected an object for tags, or its key"),
        (#"{"isbn":"a","tags":[{"name":"ok"},{"name":"x","color":[]}]}"#, "$[0].tags[1].color", "found an array"),
        (#"{"isbn":"a","reviews":[5]}"#, "$[0].reviews[0]", "expected an object, as Review has no key"),
        (#"{"isbn":"a","author":{"id":1},"title":5}"#, "$[0].title", "found 5"),
    ])
    func wrongValues(_ record: String, _ path: String, _ reason: String) throws {
        let summary = try take("[\(record),{\"isbn\":\"z\"}]")
        #expect(summary.read == 2 && summary.inserted == 1 && summary.rejected == 1)
        let reasons = try store.reasons()
        #expect(reasons.count == 1 && reasons[0].contains(path) && reasons[0].contains(reason), "\(reasons)")
        #expect(try store.rows("SELECT (SELECT COUNT(*) FROM Author), (SELECT COUNT(*) FROM Tag)") == [[0, 0]])
    }

    @Test func wrongKindsAreKeptOrCleared() throws {
        try take("[{\"isbn\":\"a\",\"author\":{\"id\":1}}]")
        var mapping = Mapping()
        mapping["author"].mismatch = .keep
        let kept = try take("[{\"isbn\":\"a\",\"author\":[]}]", mapping)
        #expect(kept.unchanged == 1 && kept.mapping?["Book"]?.unfit == ["author": 1])
        mapping["author"].mismatch = .null
        #expect(try take("[{\"isbn\":\"a\",\"author\":[]}]", mapping).updated == 1)
        #expect(try store.rows("SELECT author FROM Book") == [[.null]])
    }

    /// Five hundred levels of objects in each other.
    @Test func deepNesting() throws {
        let levels = 500
        let open = (1...levels).map { "{\"id\":\($0),\"mentor\":" }.joined()
        let summary = try take(
            "[\(open)null\(String(repeating: "}", count: levels))]", as: "Author"
        ) { $0.reading.limits.depth = 600 }
        #expect(summary.inserted == 1 && summary.related?["Author"]?.inserted == levels - 1)
        #expect(
            try store.rows("SELECT COUNT(*) FROM Author a JOIN Author m ON m._pk = a.mentor AND m.id = a.id + 1") == [
                [.integer(Int64(levels - 1))]
            ])
    }

    /// References wait for objects of a later record, file or run; what waits is reported.
    @Test func references() throws {
        let first = try take(
            "[{\"isbn\":\"a\",\"author\":1,\"tags\":[\"x\",\"y\"],\"sequel\":\"b\"},{\"isbn\":\"b\",\"author\":{\"id\":2}}]"
        )
        #expect(first.dangling == ["Book.author": 1, "Book.tags": 2])
        try take("[{\"name\":\"y\"}]", as: "Tag")
        #expect(try tags() == ["a: y"])
        try take("[{\"name\":\"x\",\"color\":\"c\"}]", as: "Tag")
        #expect(try tags() == ["a: x y"])
        #expect(try take("[{\"id\":1}]", as: "Author").dangling == nil)
        #expect(
            try store.rows("SELECT (SELECT id FROM Author WHERE _pk = author) FROM Book ORDER BY isbn") == [[1], [2]])
        #expect(try store.rows("SELECT COUNT(*) FROM _waiting") == [[0]])
    }

    @Test("Lists of several records that add to one another wait together", arguments: [1, 100])
    func addedReferences(_ batchSize: Int) throws {
        for links in [PropertyRule.Links.merge, .append] {
            var mapping = Mapping()
            mapping["tags"].links = links
            let text = #"[{"isbn":"a","tags":["x"]},{"isbn":"a","tags":["y","x"]},{"isbn":"a","tags":["z"]}]"#
            for _ in 0..<2 { try take(text, as: "Book", mapping) { $0.batchSize = batchSize } }
            #expect(try store.rows("SELECT COUNT(*) FROM _waiting") == [[links == .merge ? 3 : 0]])
            try take(#"[{"name":"z"},{"name":"x"},{"name":"y"}]"#, as: "Tag")
            #expect(try tags() == ["a: y x z"])
        }
    }

    /// An object that can have one owner only waits for the one that names it last, whatever that says later.
    @Test(arguments: [1, 100])
    func latestReferenceCounts(_ batchSize: Int) throws {
        let change: (inout ImportOptions) -> Void = { $0.batchSize = batchSize }
        try take(
            """
            [{"isbn":"a","sequel":"x"},{"isbn":"b","sequel":"x"},{"isbn":"b","sequel":null},{"isbn":"x"},
             {"isbn":"c","sequel":"y"},{"isbn":"d","sequel":"y"},{"isbn":"y"}]
            """, as: "Book", nil, change)
        #expect(
            try store.rows("SELECT isbn, (SELECT isbn FROM Book s WHERE s._pk = b.sequel) FROM Book b ORDER BY 1")
                == [["a", .null], ["b", .null], ["c", .null], ["d", "y"], ["x", .null], ["y", .null]])
        try take(
            "[{\"id\":1,\"books\":[\"z\"]},{\"id\":2,\"books\":[\"z\"]},{\"id\":2,\"books\":[]}]", as: "Author", nil,
            change)
        try take("[{\"isbn\":\"z\"}]", as: "Book", nil, change)
        #expect(try store.rows("SELECT author FROM Book WHERE isbn = 'z'") == [[.null]])
    }

    @Test func danglingReferences() throws {
        let text = "[{\"isbn\":\"a\",\"author\":1,\"tags\":[\"x\"],\"publisher\":9},{\"isbn\":\"b\",\"author\":1}]"
        #expect(
            try take(text) { $0.dangling = .null }.dangling == ["Book.author": 2, "Book.tags": 1, "Book.publisher": 1])
        #expect(try store.rows("SELECT COUNT(*) FROM _waiting") == [[0]])
        let stubs = try take(text) { $0.dangling = .stub }
        #expect(stubs.dangling == nil && stubs.related?["Author"]?.inserted == 1)
        #expect(try store.rows("SELECT id, name FROM Author") == [[1, .null]])
        #expect(try store.rows("SELECT COUNT(*) FROM Book WHERE author = 1") == [[2]])
        #expect(try tags() == ["a: x"])
    }

    @Test("A rule of one relationship decides about its missing objects, whatever the import says about others")
    func danglingByRule() throws {
        var mapping = Mapping()
        mapping["author"].dangling = .stub
        mapping["publisher"].dangling = .null
        mapping["tags"].dangling = .wait
        let file = try Mappings(json: Array(Mappings(["Book": mapping]).jsonText.utf8), from: "map.json")
        #expect(file["Book"] == mapping)
        let text = #"[{"isbn":"a","author":1,"tags":["x"],"publisher":9},{"isbn":"b","author":1,"publisher":9}]"#
        let summary = try take(text, as: "Book", mapping) { $0.dangling = .null }
        #expect(summary.dangling == ["Book.tags": 1, "Book.publisher": 2])
        #expect(summary.emptied == ["Book.publisher"])
        #expect(summary.related?["Author"]?.inserted == 1)
        #expect(try store.rows("SELECT COUNT(*) FROM Book WHERE author = 1 AND publisher IS NULL") == [[2]])
        #expect(try store.rows("SELECT COUNT(*) FROM _waiting") == [[1]])
        try take(#"[{"name":"x"}]"#, as: "Tag")
        #expect(try tags() == ["a: x"])
    }

    @Test("A bare key of another type is a value that does not fit, and nothing beside it is written")
    func unfitKeys() throws {
        try take(#"[{"isbn":"a","author":{"id":1},"tags":[{"name":"x"}]}]"#)
        var mapping = Mapping()
        mapping["author"].mismatch = .keep
        mapping["tags"].mismatch = .null
        let summary = try take(#"[{"isbn":"a","author":"Ann","tags":[{"name":"y"},[]]}]"#, mapping)
        #expect(summary.updated == 1 && summary.mapping?["Book"]?.unfit == ["author": 1, "tags": 1])
        #expect(try store.rows("SELECT (SELECT id FROM Author WHERE _pk = author) FROM Book") == [[1]])
        #expect(try store.rows("SELECT name, (SELECT COUNT(*) FROM \"_Book.tags\") FROM Tag") == [["x", 0]])
    }

    /// The number of queries depends on chunks and entities, not on records.
    @Test func queriesDoNotDependOnRecords() throws {
        func count(_ records: Int, from first: Int) throws -> Int {
            let text = (first..<first + records).map {
                "{\"isbn\":\"\($0)\",\"author\":{\"id\":\($0 % 7)},\"tags\":[\"t\($0 % 5)\",{\"name\":\"u\($0)\"}],\"reviews\":[{\"stars\":1}],\"publisher\":\($0)}"
            }.joined(separator: ",")
            return try store.statements { try take("[\(text)]") }.count { $0.hasPrefix("SELECT") }
        }
        _ = try count(10, from: 0)
        let few = try count(10, from: 100)
        let many = try count(2000, from: 1000)
        #expect(many <= few + 2, "\(few) \(many)")
        // The same records again: they are looked up and compared.
        let again = try count(2000, from: 1000)
        #expect(again <= few + 20, "\(few) \(again)")
    }
}
