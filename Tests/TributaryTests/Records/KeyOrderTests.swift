import Foundation
import Testing
import Tributary

/// Keys whose order differs between Swift and SQLite, where a lookup in sorted order could insert duplicates.
@Suite struct KeyOrderTests {
    private let shop: Shop

    init() throws { shop = try Shop() }

    /// Imports `keys` in batches, twice, and compares the outcomes with a set of their bytes.
    private func check(_ keys: [String], batch: Int, _ comment: Comment) throws {
        let quoted = try keys.map {
            String(decoding: try JSONEncoder().encode([$0]), as: UTF8.self).dropFirst().dropLast()
        }
        var known: Set<[UInt8]> = []
        for _ in 0..<2 {
            for start in stride(from: 0, to: keys.count, by: batch) {
                let part = quoted[start..<min(start + batch, keys.count)]
                let records = try RecordList(json: "[\(part.joined(separator: ","))]")
                try shop.work { context in
                    let result = try Maker.insertOrUpdate(records, key: \.code, remoteKey: .`self`, in: context)
                    for (key, outcome) in zip(keys[start...], result.outcomes) {
                        let isNew = known.insert(Array(key.utf8)).inserted
                        #expect(outcome == (isNew ? .inserted : .unchanged), "\(key) \(comment)")
                    }
                    try context.save()
                }
            }
        }
        let stored = try shop.work { try Maker.all(in: $0).map { Array($0.code.utf8) } }
        #expect(Set(stored) == known)
        #expect(stored.count == known.count)
    }

    private static let hard = [
        "é", "e\u{301}", "a", "A", "10", "9", "09", "b", "B", "", " ", "Å", "A\u{30A}", "\u{212B}", "ß", "ss", "ﬁ",
        "fi",
        "\u{FFFF}", "\u{1F600}", "\u{E000}", "z", "Z", "a\u{0}b", "a\u{0}", "a", "\"", "\\", "\u{1}", "\u{7F}",
        "abcdefgh", "abcdefgh\u{0}", "abcdefghi", "abcdefg", "null", "[1]", "'", "%", "é",
    ]

    @Test("Text keys are equal only if their bytes are", arguments: [1, 2, 3, 7, 100])
    func textIsComparedByItsBytes(batch: Int) throws {
        try check(KeyOrderTests.hard, batch: batch, "in batches of \(batch)")
    }

    @Test("Text keys without NUL bytes are equal only if their bytes are", arguments: [1, 4, 100])
    func textWithoutZerosIsOneList(batch: Int) throws {
        try check(KeyOrderTests.hard.filter { !$0.utf8.contains(0) }.reversed(), batch: batch, "in batches of \(batch)")
    }

    @Test("Number keys are equal if their values are, in any JSON form")
    func numbersAreComparedByValue() throws {
        let numbers = [
            "9", "10", "-1", "9223372036854775807", "-9223372036854775808", "0", "\"10\"", "1e1", "-0", "10.0",
        ]
        for batch in [1, 3, 10] {
            let shop = try Shop()
            for round in 0..<2 {
                for start in stride(from: 0, to: numbers.count, by: batch) {
                    let part = numbers[start..<min(start + batch, numbers.count)].joined(separator: ",")
                    try shop.work { context in
                        let result = try Item.insertOrUpdate(
                            try RecordList(json: "[\(part)]"), key: \.id, remoteKey: .`self`, in: context)
                        #expect(result.rejected == 0)
                        if round == 1 { #expect(result.inserted == 0) }
                        try context.save()
                    }
                }
            }
            let ids = try shop.work { try Item.fetch(in: $0, sort: [SortKey("id")]).map(\.id) }
            #expect(ids == [.min, -1, 0, 9, 10, .max])
        }
    }

    @Test(
        "Of several objects with a key, the first inserted one is used, with any index",
        arguments: [[], ["land"], ["land", "year"]])
    func theFirstOfSeveralCounts(_ index: [String]) throws {
        var entity = EntityDescription("Fact")
        entity.attributes = [
            AttributeDescription("land", .string), AttributeDescription("year", .integer64),
            AttributeDescription("note", .string),
        ]
        if !index.isEmpty {
            entity.indexes = [IndexDescription("index", index.map { IndexDescription.Element($0) })]
        }
        let manager = try ContextManager(model: Model(ModelDescription([entity])), store: .memory)
        for record in ["{\"land\":\"a\",\"year\":9}", "{\"land\":\"b\",\"year\":5}", "{\"land\":\"a\",\"year\":1}"] {
            try manager.newPrivateContext().performAndWait { context in
                // Each year makes an object of its own.
                try context.insertOrUpdate(try RecordList(json: "[\(record)]"), into: "Fact", key: "year") {
                    $1["land"] = .string($0["land"])
                }
                try context.save()
            }
        }
        for _ in 0..<2 {
            let years = try manager.newPrivateContext().performAndWait { context in
                let records = try RecordList(json: #"[{"land":"b"},{"land":"a"}]"#)
                return try context.insertOrUpdate(records, into: "Fact", key: "land").objects.map { $0?["year"] }
            }
            #expect(years == [.integer(5), .integer(9)])
        }
    }

    @Test("A compound key takes one query, and a record must have all of its parts")
    func keysOfSeveralAttributes() throws {
        let text = """
            [{"land":"a","year":1},{"land":"b","year":1},{"land":"a","year":2},{"land":"a","year":"1"},
             {"land":"a"},{"year":1},{"land":null,"year":1},{"land":"a\\u0000","year":1}]
            """
        for expected in [[4, 1, 3], [0, 5, 3]] {
            try shop.work { context in
                let selects = try shop.selects {
                    let result = try Fact.insertOrUpdate(
                        try RecordList(json: text), key: ImportKey(\Fact.land, \Fact.year), in: context)
                    #expect([result.inserted, result.unchanged, result.rejected] == expected)
                }
                #expect(selects.count == 1)
                try context.save()
            }
        }
    }

    @Test("Decimal, date and UUID keys are equal in every form of their values")
    func keysOfEveryType() throws {
        let text = """
            [{"land":"x","year":1,"value":1.50,"day":"2024-01-01","mark":"0f8fad5b-d9cb-469f-a165-70867728950e"},
             {"land":"y","year":2,"value":"1.5","day":"2024-01-01T00:00:00Z","mark":"0F8FAD5B-D9CB-469F-A165-70867728950E"},
             {"land":"z","year":3,"value":100,"day":"2024-01-01T00:00:00.25Z","mark":"1F8FAD5B-D9CB-469F-A165-70867728950E"}]
            """
        for key in ["value", "day", "mark"] {
            let shop = try Shop()
            for expected in [[RecordOutcome.inserted, .updated, .inserted], [.updated, .updated, .unchanged]] {
                try shop.work { context in
                    let result = try Fact.insertOrUpdate(
                        try RecordList(json: text), key: ImportKey(key), in: context
                    ) { record, fact in
                        fact.land = record["land"]
                        fact.year = record["year"]
                    }
                    #expect(result.outcomes == expected, "\(key)")
                    try context.save()
                }
            }
        }
    }

    @Test("Duplicate keys in the store do not disturb the lookup of later keys")
    func doublesInTheStoreDoNotStallTheWalk() throws {
        try shop.work { context in
            for land in ["a", "b", "b", "b", "c"] { context.insert(Fact.self).land = land }
            for fact in try Fact.all(in: context) { fact.year = 0 }
            try context.save()
        }
        try shop.work { context in
            let records = try RecordList(json: #"["a","b","c","d","e","b"]"#)
            let result = try Fact.insertOrUpdate(
                records, key: ImportKey("land", remote: .`self`), in: context
            ) { $1.year = $1.year + 1 }
            #expect(result.outcomes == [.updated, .updated, .updated, .inserted, .inserted, .updated])
            let sum = try Fact.all(in: context).map(\.year).reduce(0, +)
            #expect(sum == 6)
        }
    }

    @Test("Unsaved insertions, deletions and key changes count when keys are looked up")
    func whatIsNotSavedCounts() throws {
        try shop.work { context in
            for id in [1, 2, 3] { context.insert(Item.self).id = id }
            try context.save()
            // One is deleted, one has another key, one is new.
            let all = try Item.fetch(in: context, sort: [SortKey("id")])
            all[0].delete()
            all[1].id = 20
            context.insert(Item.self).id = 4
            let result = try Item.insertOrUpdate(
                try RecordList(json: "[1,2,3,4,20]"), key: \.id, remoteKey: .`self`, in: context)
            #expect(result.outcomes == [.inserted, .inserted, .unchanged, .unchanged, .unchanged])
            #expect(result.objects[4] === all[1])
            try context.save()
        }
    }

    @Test("insertOrUpdate in a child context finds unsaved objects of its parent")
    func childContextsAskTheirParent() throws {
        try shop.work { context in
            for id in [1, 2] { context.insert(Item.self).id = id }
            try context.save()
            context.insert(Item.self).id = 3
            let child = context.scratchChild()
            let result = try Item.insertOrUpdate(
                try RecordList(json: "[4,3,2,1]"), key: \.id, remoteKey: .`self`, in: child)
            #expect(result.outcomes == [.inserted, .unchanged, .unchanged, .unchanged])
            try child.save()
            try context.save()
            #expect(try Item.count(in: context) == 4)
        }
    }

    @Test("A key finds objects of subentities, and is rejected for those of a superentity")
    func keysOfSiblingsAreRefused() throws {
        try shop.work { context in
            context.insert(Item.self).id = 1
            context.insert(Tool.self).id = 2
            try context.save()
            let records = try RecordList(json: "[1,2,3]")
            let tools = try Tool.insertOrUpdate(records, key: \.id, remoteKey: .`self`, in: context)
            #expect(tools.rejects.map(\.error.code) == [.storeEntity])
            #expect(tools.outcomes == [.rejected, .unchanged, .inserted])
            let items = try Item.insertOrUpdate(records, key: \.id, remoteKey: .`self`, in: context)
            #expect(items.outcomes == [.unchanged, .unchanged, .unchanged])
        }
    }
}
