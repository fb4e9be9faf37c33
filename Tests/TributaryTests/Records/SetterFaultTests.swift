import Testing
import Tributary

/// Setters that break a rule, which rejects their record and nothing else.
@Suite struct SetterFaultTests {
    private let shop: Shop

    init() throws {
        shop = try Shop()
        try shop.work { context in
            for (code, count) in [("m", 3), ("n", 0)] {
                let maker = context.insert(Maker.self)
                maker.code = code
                for id in 0..<count {
                    let item = context.insert(Item.self)
                    (item.id, item.name, item.maker) = (id + 100, "stored", maker)
                }
            }
            let shelf = context.insert(Shelf.self)
            shelf.number = 1
            shelf.makers = OrderedToMany(try Maker.fetch(in: context, sort: [SortKey("code")]))
            try context.save()
        }
    }

    /// All objects of a context, as text.
    private func picture(_ context: ManagedObjectContext) throws -> [String] {
        try Item.fetch(in: context, sort: [SortKey("id")]).map { item in
            "\(item.entity.name) \(item.id) \(item.name ?? "-") \(item.rank) \(item.maker?.code ?? "-") \(item.kin.map(\.id).sorted())"
        }
            + Maker.fetch(in: context, sort: [SortKey("code")]).map { maker in
                "\(maker.code) \(maker.name ?? "-") \(maker.items.map(\.id).sorted()) \(maker.shelf?.number ?? 0)"
            }
            + Shelf.fetch(in: context, sort: [SortKey("number")]).map { "\($0.number) \($0.makers.map(\.code))" }
    }

    /// A picture without some items.
    private func without(_ ids: [Int], _ picture: [String]) -> [String] {
        picture.filter { line in !ids.contains { line.hasPrefix("Item \($0) ") } }
            .map { line in
                ids.reduce(line) { $0.replacing("[\($1), ", with: "[").replacing(" \($1), ", with: " ") }
            }
    }

    /// Lets the setter of the second of three records break a rule, and expects that only its own changes are undone.
    private func check(
        _ code: JSONError.Code, isFirst: Bool = false, ids: [Int] = [1, 2, 3],
        _ wrong: @escaping (Record, Item, ManagedObjectContext) throws -> Void
    ) throws {
        try shop.work { context in
            let maker = try #require(try Maker.find(["code": "m"], in: context))
            var before: [String] = []
            var batch = RecordBatch(try RecordKey("id", of: try context.entity(named: "Item")))
            batch.isFirst = isFirst
            let records = try RecordList(json: "[\(ids.map { "{\"id\":\($0),\"name\":5}" }.joined(separator: ","))]")
            let result = try batch.apply(records, in: context) { record, object in
                let item = try #require(object as? Item)
                if record.number == 2 {
                    if !isFirst { before = try picture(context) }
                    item.name = "wrong"
                    item.maker = maker
                    maker.name = "wrong"
                    maker.shelf?.makers.insert(try #require(try Maker.find(["code": "n"], in: context)), at: 0)
                    context.insert(Maker.self).code = "wrong"
                    try wrong(record, item, context)
                } else {
                    item.name = "right"
                    item.maker = maker
                    maker.name = "right"
                }
            }
            #expect(result.outcomes[1] == .rejected)
            #expect(result.rejects.map(\.error.code) == [code])
            let after = try picture(context)
            if !isFirst {
                // Leaves out the object of the rejected record, and the changes of the third one.
                let others = [ids[2]] + (ids[1] < 100 && ids[1] != ids[0] ? [ids[1]] : [])
                #expect(without(others, after) == without(others, before))
            }
            #expect(after.allSatisfy { !$0.contains("wrong") })
            try context.save()
        }
        try shop.work { context in
            let picture = try picture(context)
            #expect(picture.allSatisfy { !$0.contains("wrong") })
            #expect(picture.contains("1 [\"m\", \"n\"]"))
            #expect(try Set(Item.all(in: context).map(\.id)).count == Item.count(in: context))
        }
    }

    @Test(
        "A setter that throws rejects its record, and its changes are undone",
        arguments: [[1, 2, 3], [1, 101, 3], [101, 101, 3], [1, 1, 3]])
    func throwing(ids: [Int]) throws {
        try check(.setterFailed, ids: ids) { _, _, _ in throw Refusal() }
    }

    @Test(
        "A value of the wrong type rejects its record, and changes are undone",
        arguments: [[1, 2, 3], [1, 101, 3], [1, 1, 3]])
    func failedConversions(ids: [Int]) throws {
        try check(.convertType, ids: ids) { record, item, _ in item.name = record["name"] }
    }

    @Test(
        "A missing required member rejects its record, and changes are undone",
        arguments: [[1, 2, 3], [1, 101, 3], [1, 1, 3]])
    func errorsOfItsOwn(ids: [Int]) throws {
        try check(.convertMissing, ids: ids) { record, _, _ in _ = try record.require("nothing", as: String.self) }
    }

    @Test(
        "A setter that deletes its object rejects its record, and changes are undone",
        arguments: [[1, 2, 3], [1, 101, 3], [1, 1, 3]])
    func deletingTheObject(ids: [Int]) throws {
        try check(.keyDeleted, ids: ids) { _, item, context in context.delete(item) }
    }

    @Test(
        "A setter that deletes its object and then fetches rejects its record",
        arguments: [[1, 2, 3], [1, 101, 3], [1, 1, 3]])
    func deletingAndLookingUp(ids: [Int]) throws {
        try check(.keyDeleted, ids: ids) { _, item, context in
            context.delete(item)
            // A fetch applies pending deletions, and discards deleted objects that are new.
            let found = try Item.find(["id": 1], in: context)
            #expect(found?.isDeleted != true)
        }
    }

    @Test(
        "A setter that changes the key rejects its record, and changes are undone",
        arguments: [[1, 2, 3], [1, 101, 3], [1, 1, 3]])
    func changingTheKey(ids: [Int]) throws {
        try check(.keyChanged, ids: ids) { _, item, _ in item.id = 55 }
    }

    @Test(
        "A value out of range rejects its record, and changes are undone",
        arguments: [[1, 2, 3], [1, 101, 3], [1, 1, 3]])
    func breakingBounds(ids: [Int]) throws {
        try check(.validateRange, ids: ids) { _, item, _ in item.rank = 101 }
    }

    @Test("An invalid value in a related or a new object rejects the record")
    func breakingWhatIsAround() throws {
        try check(.validateRange) { _, item, _ in item.maker?.items.first { $0.id == 100 }?.rank = -1 }
        // A new maker without its required code is invalid.
        try check(.validateRequired) { _, _, context in _ = context.insert(Maker.self) }
    }

    @Test("A setter that inserts an object with a taken key rejects its record", arguments: [1, 2, 100])
    func makingASecondOne(id: Int) throws {
        try check(.keyTaken) { _, _, context in context.insert(Item.self).id = id }
        try check(.keyTaken, ids: [11, 12, 13]) { _, _, context in
            context.insert(Tool.self).id = id == 100 ? 100 : id + 10
        }
    }

    @Test("A setter that gives another object a taken key rejects its record")
    func givingOthersAKeyThatIsTaken() throws {
        try check(.keyTaken) { _, item, _ in item.maker?.items.first { $0.id == 102 }?.id = 101 }
    }

    @Test("Taken, changed and deleted keys reject their records in a first load as well")
    func inAFirstLoad() throws {
        try check(.keyTaken, isFirst: true, ids: [11, 12, 13]) { _, _, context in context.insert(Item.self).id = 100 }
        try check(.keyChanged, isFirst: true, ids: [21, 22, 23]) { _, item, _ in item.id = 5 }
        try check(.keyDeleted, isFirst: true, ids: [31, 32, 33]) { _, item, _ in item.delete() }
    }

    @Test("A later record finds the object to which a setter gave its key", arguments: [1, 2, 4])
    func laterRecordsFindWhatASetterMade(batchSize: Int) throws {
        try shop.work { context in
            let records = Array(try RecordList(json: "[1,2,3,4]"))
            var outcomes: [RecordOutcome] = []
            for start in stride(from: 0, to: 4, by: batchSize) {
                let batch = records[start..<min(4, start + batchSize)]
                outcomes += try Item.insertOrUpdate(batch, key: \.id, remoteKey: .`self`, in: context) {
                    record, item, context in
                    if record.number == 1 {
                        context.insert(Item.self).id = 3
                        try Item.find(["id": 102], in: context)?.id = 4
                    }
                    item.name = "\(record.number)"
                }.outcomes
            }
            #expect(outcomes == [.inserted, .inserted, .updated, .updated])
            try context.save()
            #expect(try Item.all(in: context).map(\.id).sorted() == [1, 2, 3, 4, 100, 101])
        }
    }

    @Test("A record whose object another setter has deleted inserts a new one")
    func deletingAnObjectOfAnotherRecord() throws {
        try shop.work { context in
            let records = try RecordList(json: "[1,100,100,1]")
            let result = try Item.insertOrUpdate(records, key: \.id, remoteKey: .`self`, in: context) { record, item in
                if record.number == 1 { try Item.find(["id": 100], in: context)?.delete() }
                item.name = "\(record.number)"
            }
            // The second record finds no object with its key, and inserts a new one.
            #expect(result.outcomes == [.inserted, .inserted, .updated, .updated])
            try context.save()
            #expect(try Item.count(in: context) == 4)
        }
    }

    @Test("A setter may find or insert related objects")
    func othersMayBeMade() throws {
        try shop.work { context in
            let records = try RecordList(
                json: #"[{"id":1,"by":"n"},{"id":2,"by":"o"},{"id":3,"by":"o"},{"id":1,"by":"o"}]"#)
            let result = try Item.insertOrUpdate(records, key: \.id, in: context) { record, item in
                let code: String = record["by"]
                item.maker = try Maker.findOrInsert(["code": code], in: context)
            }
            #expect(result.outcomes == [.inserted, .inserted, .inserted, .updated])
            try context.save()
            #expect(try Maker.find(["code": "o"], in: context)?.items.count == 3)
        }
    }

    @Test("A setter may call insertOrUpdate for nested records")
    func batchesMayStandOneInTheOther() throws {
        try shop.work { context in
            let text = """
                [{"id":1,"makers":[{"code":"m","name":"1"},{"code":"p","name":"1"}]},
                 {"id":2,"makers":[{"code":"m","name":"2"},{"code":"q","name":"2"},{"code":"m","name":"3"}],"bad":true},
                 {"id":3,"makers":[{"code":"q","name":"3"},{"code":"m","name":4}]}]
                """
            var inner: [[RecordOutcome]] = []
            let result = try Item.insertOrUpdate(try RecordList(json: text), key: \.id, in: context) { record, item in
                let makers = try RecordList(json: (record["makers"] as JSON).compactText)
                let result = try Maker.insertOrUpdate(makers, key: \.code, in: context) { $1.name = $0["name"] }
                inner.append(result.outcomes)
                item.maker = result.objects[0]
                let isBad: Bool? = record["bad"]
                if isBad == true { throw Refusal() }
            }
            #expect(result.outcomes == [.inserted, .rejected, .inserted])
            #expect(
                inner == [[.updated, .inserted], [.updated, .inserted, .updated], [.inserted, .rejected]])
            try context.save()
            #expect(
                try Maker.fetch(in: context, sort: [SortKey("code")]).map { "\($0.code) \($0.name ?? "-")" } == [
                    "m 1", "n -", "p 1", "q 3",
                ])
        }
    }

    @Test("A rejected record keeps changes that were pending before it")
    func whatWasPendingBeforeStays() throws {
        try shop.work { context in
            let item = try #require(try Item.find(["id": 101], in: context))
            item.name = "pending"
            let fresh = context.insert(Item.self)
            (fresh.id, fresh.name) = (7, "fresh")
            let records = try RecordList(json: "[101,7,7,101]")
            let result = try Item.insertOrUpdate(records, key: \.id, remoteKey: .`self`, in: context) { record, item in
                item.name = "by record"
                item.maker = nil
                if record.number < 3 { throw Refusal() }
                item.name = "by record \(record.number)"
            }
            #expect(result.outcomes == [.rejected, .rejected, .updated, .updated])
            #expect([item.name, fresh.name] == ["by record 4", "by record 3"])
            context.rollback()
            #expect(item.name == "stored")
        }
    }
}
