import Foundation
import Testing
import Tributary

@Suite struct InsertOrUpdateTests {
    private let shop: Shop

    init() throws { shop = try Shop() }

    private func items(_ context: ManagedObjectContext) throws -> [String] {
        try Item.fetch(in: context, sort: [SortKey("id")]).map { "\($0.id) \($0.name ?? "-")" }
    }

    @Test("insertOrUpdate inserts and updates objects without saving them")
    func makesAndChangesAndSavesNothing() throws {
        try shop.work { context in
            let first = try RecordList(json: #"[{"id":2,"name":"b"},{"id":1,"name":"a"},{"id":2,"name":"B"}]"#)
            let result = try Item.insertOrUpdate(first, key: \.id, in: context) { $1.name = $0["name"] }
            #expect(result.outcomes == [.inserted, .inserted, .updated])
            #expect(result.objects[0] === result.objects[2])
            #expect(context.insertedObjects.count == 2)
            #expect(try items(context) == ["1 a", "2 B"])
        }
        #expect(try shop.work { try Item.count(in: $0) } == 0)
    }

    @Test("A second run with the same records reports every object as unchanged")
    func secondRunTellsNothingNew() throws {
        let records = try RecordList(json: #"[{"id":3,"name":"c"},{"id":1,"name":null},{"id":2,"name":"b"}]"#)
        for expected in [RecordOutcome.inserted, .unchanged] {
            try shop.work { context in
                let result = try Item.insertOrUpdate(records, key: \.id, in: context) { record, item in
                    item.name = "on the way"
                    item.name = record["name"]
                }
                #expect(result.outcomes.allSatisfy { $0 == expected })
                #expect(context.hasChanges == (expected == .inserted))
                try context.save()
            }
        }
    }

    @Test("The key and the defaults are set before the setter runs")
    func keyIsSetBeforeTheSetter() throws {
        try shop.work { context in
            let records = try RecordList(json: #"[{"user":{"id":"7"}}]"#)
            try Item.insertOrUpdate(records, key: \.id, remoteKey: "user.id", in: context) { _, item in
                #expect(item.id == 7)
                #expect(item.rank == 1)
            }
        }
    }

    @Test("Records that are bare keys insert objects without a setter")
    func bareIDsAreStubs() throws {
        try shop.work { context in
            let records = try RecordList(json: #"["x", "y", "x", 7, "7", null, {"code":"z"}]"#)
            let result = try Maker.insertOrUpdate(records, key: \.code, remoteKey: .`self`, in: context)
            #expect(result.inserted == 3)
            #expect(result.unchanged == 2)
            #expect(result.rejects.map(\.error.code) == [.keyNull, .keyType])
            #expect(result.objects.map { $0?.code } == ["x", "y", "x", "7", "7", nil, nil])
        }
    }

    @Test("Records with a missing, null or unusable key are rejected")
    func impossibleKeysAreRefused() throws {
        try shop.work { context in
            let text = #"[{"id":1},{},{"id":null},{"id":"one"},{"id":1.5},{"id":[1]},{"id":1e30},5,null,{"id":"1"}]"#
            let result = try Item.insertOrUpdate(try RecordList(json: text), key: \.id, in: context)
            #expect(result.inserted == 1)
            #expect(result.unchanged == 1)
            #expect(
                result.rejects.map(\.error.code) == [
                    .keyMissing, .keyNull, .keyType, .keyType, .keyType, .keyType, .keyType, .keyMissing,
                ])
            #expect(result.rejects.map(\.record) == [2, 3, 4, 5, 6, 7, 8, 9])
            let nested = try RecordList(json: #"[{"a":5},{"a":null},{"a":{}},{"a":{"id":3}}]"#)
            let other = try Item.insertOrUpdate(nested, key: \.id, remoteKey: "a.id", in: context)
            #expect(other.rejects.map(\.error.code) == [.keyType, .keyMissing, .keyMissing])
            #expect(other.inserted == 1)
        }
    }

    @Test("Each import mode has its outcomes for known, new and repeated keys")
    func modesDoWhatTheySay() throws {
        try shop.work { context in
            let item = context.insert(Item.self)
            (item.id, item.name, item.note, item.rank) = (1, "old", "mine", 50)
            try context.save()
        }
        let records = try RecordList(json: #"[{"id":1,"name":"a"},{"id":2,"name":"b"},{"id":2,"name":"c"}]"#)
        let expected: [ImportMode: ([RecordOutcome], String, String?)] = [
            .upsert: ([.updated, .inserted, .updated], "a", "mine"),
            .insert: ([.duplicate, .inserted, .duplicate], "old", "mine"),
            .update: ([.updated, .skipped, .skipped], "a", "mine"),
            .ignore: ([.skipped, .inserted, .skipped], "old", "mine"),
            .replace: ([.updated, .inserted, .updated], "a", "new"),
        ]
        for mode in ImportMode.allCases {
            let (outcomes, name, note) = try #require(expected[mode])
            try shop.work { context in
                let result = try Item.insertOrUpdate(records, key: \.id, mode: mode, in: context) {
                    $1.name = $0["name"]
                }
                #expect(result.outcomes == outcomes, "\(mode)")
                let first = try #require(try Item.find(["id": 1], in: context))
                #expect(first.name == name, "\(mode)")
                #expect(first.note == note, "\(mode)")
                #expect(first.rank == (mode == .replace ? 1 : 50), "\(mode)")
            }
        }
    }

    @Test("Replacing an object by equal values is no change")
    func replacingByTheSameChangesNothing() throws {
        let records = try RecordList(json: #"[{"id":1,"name":"a","note":"n"}]"#)
        for expected in [RecordOutcome.inserted, .unchanged] {
            try shop.work { context in
                let result = try Item.insertOrUpdate(records, key: \.id, mode: .replace, in: context) { record, item in
                    item.name = record["name"]
                    item.note = record["note"]
                }
                #expect(result.outcomes == [expected])
                #expect(context.hasChanges == (expected == .inserted))
                try context.save()
            }
        }
    }

    @Test("insertOrUpdate works for entities without a class")
    func entitiesWithoutAClass() throws {
        var entity = EntityDescription("Place")
        entity.attributes = [AttributeDescription("code", .string), AttributeDescription("size", .integer64)]
        entity.uniquenessConstraints = [["code"]]
        let manager = try ContextManager(model: try Model(ModelDescription([entity])), store: .memory)
        try manager.newPrivateContext().performAndWait { context in
            let records = try RecordList(json: #"[{"code":12,"size":1},{"code":"12","size":2}]"#)
            let result = try context.insertOrUpdate(records, into: "Place", key: "code") { record, place in
                place["size"] = .integer(try record.require("size"))
            }
            #expect(result.outcomes == [.inserted, .updated])
            #expect(result.objects[0]?["size"] == .integer(2))
        }
    }

    @Test("Invalid keys, unknown entities and invalid JSON throw errors")
    func wrongCallsThrow() throws {
        let records = try RecordList(json: "[]")
        try shop.work { context in
            #expect(throws: ImportError.self) { try Item.insertOrUpdate(records, key: "nothing", in: context) }
            #expect(throws: ImportError.self) { try Item.insertOrUpdate(records, key: ImportKey([]), in: context) }
            #expect(throws: ImportError.self) {
                try Item.insertOrUpdate(records, key: ImportKey(["id", "id"]), in: context)
            }
            #expect(throws: ContextError.self) { try context.insertOrUpdate(records, into: "Missing", key: "id") }
            #expect(throws: JSONError.self) { try RecordList(json: "[1,") }
        }
    }

    @MainActor @Test("insertOrUpdate refuses the main context and its children")
    func mainContextsAreRefused() throws {
        let records = try RecordList(json: "[]")
        let error = #expect(throws: ContextError.self) {
            try Item.insertOrUpdate(records, key: \.id, in: shop.manager.mainContext)
        }
        #expect(error?.code == .notPrivate)
        #expect(throws: ContextError.self) {
            try Item.insertOrUpdate(records, key: \.id, in: shop.manager.mainContext.scratchChild())
        }
    }

    @Test("insertOrUpdate reads the objects of a batch with one query")
    func oneSelectForEachBatch() throws {
        let records = try RecordList(json: "[\((0..<500).map { "{\"id\":\($0 * 37 % 250)}" }.joined(separator: ","))]")
        for _ in 0..<2 {
            try shop.work { context in
                let selects = try shop.selects { try Item.insertOrUpdate(records, key: \.id, in: context) }
                #expect(selects.count == 1)
                let join = #"FROM "_keys" AS "_k" CROSS JOIN "Item" AS "_o" ON "_o"."id" = "_k"."c0""#
                #expect(selects.first?.contains(join) == true, "\(selects)")
                try context.save()
            }
        }
        // Without an index, keys are not looked up one by one.
        try shop.work { context in
            let selects = try shop.selects {
                let result = try Item.insertOrUpdate(records, key: \.rank, remoteKey: "id", in: context)
                // An object of rank 1 exists, and a new one would need an id.
                #expect(result.unchanged == 2 && result.rejects.count == 498)
            }
            #expect(selects.count == 1)
            #expect(selects.first?.contains(#""rank" IN (SELECT "c0" FROM "_keys") ORDER BY"#) == true, "\(selects)")
        }
        try shop.work { context in
            var batch = RecordBatch(try RecordKey("code", of: try context.entity(named: "Maker")))
            batch.isFirst = true
            let makers = try RecordList(json: #"[{"code":"a"},{"code":"b"},{"code":"a"}]"#)
            var outcomes: [RecordOutcome] = []
            let selects = try shop.selects { outcomes = try batch.apply(makers, in: context, setter: nil).outcomes }
            #expect(selects.isEmpty)
            #expect(outcomes == [.inserted, .inserted, .unchanged])
        }
    }

    @Test("New objects get the row numbers that are reserved for their records")
    func numbersFollowTheRecords() throws {
        try shop.work { context in
            var batch = RecordBatch(try RecordKey("id", of: try context.entity(named: "Item")))
            batch.numbers = .reserved((0..<5).map { 100 + $0 })
            let records = try RecordList(json: #"[{"id":9},{"id":null},{"id":9},{"id":3},{"id":4}]"#)
            let result = try batch.apply(records, in: context) { record, item in
                if item["id"] == .integer(3) { throw Refusal() }
            }
            #expect(result.outcomes == [.inserted, .rejected, .unchanged, .rejected, .inserted])
            try context.save()
            #expect(try Item.fetch(in: context).count == 2)
            let numbers = result.objects.compactMap { $0?.objectID.description }
            #expect(numbers.map { $0.hasSuffix("p100") || $0.hasSuffix("p104") } == [true, true, true])
        }
    }
}
