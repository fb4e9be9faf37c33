import Testing
import TributaryGraph
import TributaryJSON

import Tributary

/// Creating, updating, keeping and deleting objects by dictionaries, as DKDBManager has it.
@Suite("CRUD of dictionaries") struct CRUDTests {
    private let stage: CRUDStage

    init() throws { stage = try CRUDStage() }

    private static let book = #"""
        {"name": "LOTR", "order": 1, "stamp": 1, "pages": [
          {"code": "a", "text": "A", "pictures": [{"url": "a1", "size": 1}, {"url": "a2", "size": 0}]},
          {"code": "b", "text": null}, {"code": "c", "text": "C"}]}
        """#

    @Test("An object is created, kept, updated and deleted as invalid, with its children")
    func fourStates() throws {
        try stage.work { context throws in
            var states: [CRUDState] = []
            func crud(_ json: String) throws -> CRUDBook? {
                try context.crud(CRUDBook.self, with: CRUDInput(json: json)) { book, state throws in
                    #expect((book == nil) == (state == .deleted))
                    // The object is marked, and nothing is saved.
                    if let book { #expect(try context.isSeen(book) && context.hasChanges) }
                    states.append(state)
                }
            }
            let book = try #require(try crud(Self.book))
            #expect(book.pages.map(\.code).sorted() == ["a", "c"])
            #expect(try CRUDImage.all(in: context).map(\.url) == ["a1"] && CRUDPage.count(in: context) == 2)
            #expect(
                try crud(#"{"name": "LOTR", "order": 9, "stamp": 1, "pages": [{"code": "d", "text": "D"}]}"#) === book)
            #expect(try book.order == 1 && CRUDPage.count(in: context) == 2)
            #expect(
                try crud(#"{"name": "LOTR", "order": 2, "stamp": 2, "pages": [{"code": "d", "text": "D"}]}"#) === book)
            #expect(try book.order == 2 && CRUDPage.count(in: context) == 3 && book.pages.count == 3)
            #expect(try crud(#"{"name": "LOTR", "order": -1, "stamp": 3}"#) == nil)
            #expect(states == [.created, .unchanged, .updated, .deleted])
            for count in [try CRUDBook.count(in: context), try CRUDPage.count(in: context)] { #expect(count == 0) }
            #expect(try CRUDImage.count(in: context) == 0)
        }
    }

    @Test("An array gives its valid objects in order, and duplicates in it are merged")
    func arrays() throws {
        try stage.work { context throws in
            let none: [CRUDInput] = []
            #expect(try context.crud(CRUDBook.self, with: none).isEmpty)
            var states: [CRUDState] = []
            let text = #"""
                [{"name": "x", "order": 1, "stamp": 1}, {"name": "bad", "order": -1}, {"name": "y", "order": 2},
                 {"name": "x", "order": 3, "stamp": 2}, {"name": "x", "order": -3, "stamp": 3}, {"name": "x", "order": 4}]
                """#
            let books = try context.crud(CRUDBook.self, json: text) { _, state in states.append(state) }
            #expect(states == [.created, .deleted, .created, .updated, .deleted, .created])
            #expect(books[0] === books[2] && books.count == 4 && books[3].order == 4)
            let tags = try context.crud(
                CRUDTag.self,
                with: RecordList(json: #"[{"name": "Sea"}, {"name": "SEA"}, {"name": "sea", "keep": true}]"#))
            #expect(Set(tags).count == 1 && tags[0].count == 2 && tags[0].name == "SEA")
            try context.save()
            // Equal as strings, but different keys.
            let spelled = try context.crud(CRUDBook.self, json: #"[{"name": "\u00e9"}, {"name": "e\u0301"}]"#)
            #expect(spelled[0] !== spelled[1])
        }
    }

    @Test("A nil filter means one object of the class, .never a new object each time")
    func singletonsAndNewObjects() throws {
        try stage.work { context throws in
            let first = try #require(try context.crud(CRUDSetting.self))
            let again = try context.crud(CRUDSetting.self, json: #"[{"value": 1}, {"value": 2}]"#)
            #expect(again[0] === first && again[1] === first && first.value == 2)
            let visits = try context.crud(CRUDVisit.self, json: #"[{"place": "x"}, {"place": "x"}]"#)
            #expect(visits[0] !== visits[1])
        }
    }

    @Test("The switches of the manager allow, forbid and force updates")
    func switches() throws {
        func order(_ json: String) throws -> (Int?, CRUDState?) {
            try stage.work { context throws in
                var found: CRUDState?
                let book = try context.crud(CRUDBook.self, with: CRUDInput(json: json)) { found = $1 }
                try context.save()
                return (book?.order, found)
            }
        }
        #expect(try order(#"{"name": "x", "order": 1, "stamp": 1}"#) == (1, .created))
        stage.manager.crud.allowUpdate = false
        #expect(try order(#"{"name": "x", "order": 2, "stamp": 2}"#) == (1, .unchanged))
        stage.manager.crud.needForcedUpdate = true
        #expect(try order(#"{"name": "x", "order": 3, "stamp": 1}"#) == (3, .updated))
        #expect(try order(#"{"name": "x", "order": -3, "stamp": 1}"#) == (nil, .deleted))
    }

    @Test("Live objects are read like members, and both forms of hooks are called")
    func liveObjectsAndHooks() throws {
        try stage.work { context throws in
            let book = context.insert(CRUDBook.self)
            book.name = "x"
            var input = try CRUDInput(json: #"{"name": "Sea"}"#)
            input["book"] = book
            let tag = try #require(try context.crud(CRUDTag.self, with: input))
            #expect(tag.book === book && tag.ending == "created of 1" && tag.count == 1)
            let none: CRUDPage? = input["book"]
            #expect(none == nil)
            // The hook without the context deletes its object.
            var state: CRUDState?
            #expect(
                try context.crud(CRUDVisit.self, with: CRUDInput(json: #"{"place": "home"}"#)) { state = $1 } == nil)
            #expect(try CRUDVisit.count(in: context) == 0 && state == .deleted)
        }
    }

    @Test("A member of a wrong type, and children that are not objects, are errors")
    func wrongMembers() throws {
        try stage.work { context throws in
            let error = #expect(throws: JSONError.self) {
                try context.crud(CRUDBook.self, json: #"[{"name": "x"}, {"name": 7}]"#)
            }
            #expect(error?.path == "$[1].name", "\(String(describing: error))")
            context.rollback()
            #expect(throws: JSONError.self) {
                try context.crud(CRUDBook.self, json: #"{"name": "x", "pages": [1]}"#)
            }
            context.rollback()
            #expect(throws: (any Error).self) { try CRUDInput(json: "[]") }
            #expect(try CRUDBook.count(in: context) == 0)
        }
    }

    @Test("Deleting with a reason deletes children, by hand or if an object is invalid")
    func deletions() throws {
        try stage.work { context throws in
            let book = try #require(try context.crud(CRUDBook.self, json: Self.book).first)
            try context.save()
            #expect(!book.deleteIfInvalid())
            book.order = -1
            #expect(book.deleteIfInvalid() && book.isDeleted && !book.deleteIfInvalid())
            try context.save()
            #expect(try CRUDPage.count(in: context) == 0 && CRUDImage.count(in: context) == 0)
            let other = try #require(try context.crud(CRUDBook.self, json: Self.book).first)
            other.delete(reason: "removed by user")
            #expect(try CRUDImage.count(in: context) == 0)
        }
    }

    @Test("A verbose manager logs what became of the objects of verbose classes, and dumps them")
    func logAndDump() throws {
        try stage.work { context throws in
            try context.crud(CRUDBook.self, json: Self.book)
            try context.dump()
            try context.dumpCount()
            #expect(stage.log.isEmpty)
            stage.manager.crud.verbose = true
            try context.crud(CRUDBook.self, json: Self.book)
            try context.crud(CRUDBook.self, json: #"[{"name": "a", "order": 2}, {"name": "b", "order": -1}]"#)
            try context.dump()
            try context.dumpCount()
        }
        #expect(
            stage.log == [
                "CRUDBook { name: LOTR, order: 1 } unchanged", "CRUDBook { name: a, order: 2 } created",
                "CRUDBook { name: b, order: -1 } deleted: the order is negative",
                "CRUDBook { name: LOTR, order: 1 }", "CRUDBook { name: a, order: 2 }", "CRUDBook: 2",
            ])
    }

    @Test("The number of SELECTs for an array does not depend on its length, nor on the children")
    func arraysAreFetchedAtOnce() throws {
        func text(_ count: Int, stamp: Int) -> String {
            "["
                + (0..<count).map { book in
                    let pages = (0..<3).map { page in
                        #"{"code": "\#(book)-\#(page)", "text": "t", "pictures": [{"url": "\#(book)-\#(page)", "size": 1}]}"#
                    }
                    return
                        #"{"name": "\#(book)", "order": 1, "stamp": \#(stamp), "pages": [\#(pages.joined(separator: ","))]}"#
                }.joined(separator: ",") + "]"
        }
        var counts: [[Int]] = []
        for number in [1, 300] {
            let stage = try CRUDStage()
            counts.append(
                try [0, 1, 1].map { stamp in
                    try stage.work { context throws in
                        let selects = try stage.selects { () throws in
                            #expect(try context.crud(CRUDBook.self, json: text(number, stamp: stamp)).count == number)
                        }
                        try context.save()
                        #expect(try CRUDImage.count(in: context) == number * 3)
                        #expect(selects.count < 12, "\(selects)")
                        return selects.count
                    }
                })
        }
        #expect(counts[0] == counts[1], "\(counts)")
    }
}
