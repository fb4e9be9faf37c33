import Foundation
import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Importing JSON in memory: the same objects as those of a stream.
@Suite struct ObjectImportingTests {
    /// Works in a context, and saves it.
    @discardableResult
    private func saving<Result: Sendable>(
        _ manager: ContextManager, _ body: @Sendable (ManagedObjectContext) throws -> Result
    ) throws -> Result {
        try manager.newPrivateContext().performAndWait { context in
            let result = try body(context)
            try context.save()
            return result
        }
    }

    @Test("Random libraries become the same objects as in a stream, in any order of the files")
    func equalToStream() throws {
        var lots = SeededGenerator.sampled(7_200)
        for _ in 0..<20 {
            let seed = lots.next()
            var own = SeededGenerator(seed: seed)
            let feed = LibraryFeed(agreeing: &own)
            let store = try MappedStore.library()
            for file in feed.files.shuffled(using: &own) {
                try saving(store.manager) { context in
                    let records = try RecordList(json: file.text, at: "[]")
                    _ = try context.import(records, as: file.entity, stubs: true)
                }
            }
            let found = try store.libraryContent()
            #expect(Set(found).symmetricDifference(feed.content).isEmpty, "seed \(seed)")
            #expect(try store.libraryFaults() == [], "seed \(seed)")
        }
    }

    @Test("Importing into a deleted object is an error, before and after the save of its deletion")
    func intoDeleted() throws {
        let store = try MappedStore.library()
        try store.manager.newPrivateContext().performAndWait { context in
            func refuse(_ object: ManagedObject) {
                let error = #expect(throws: ContextError.self) {
                    try context.import(json: #"{"name":"other"}"#, into: object)
                }
                #expect(error?.code == .missing && error?.reason.contains("was deleted") == true)
            }
            let tags = try context.import(RecordList(json: #"["red", "blue"]"#, at: "[]"), as: "Tag")
            tags[0].delete()
            // It had no row yet.
            refuse(tags[0])
            try context.save()
            tags[1].delete()
            refuse(tags[1])
            try context.save()
            refuse(tags[1])
            let other = try context.import(RecordList(json: #"["green"]"#, at: "[]"), as: "Tag")[0]
            try context.import(json: #"{"name":"other"}"#, into: other)
            #expect(other["name"] as FilterValue == .string("other"))
        }
    }

    @Test("The number of fetches depends on entities and levels, not on records")
    func fetches() throws {
        let store = try MappedStore.library()
        func text(_ count: Int) -> String {
            let books = (0..<count).map {
                #"{"isbn":"b\#($0)","author":{"id":\#($0),"mentor":{"id":\#($0 + 1000)}},"tags":["t1","t\#($0)"]}"#
            }
            return "[" + books.joined(separator: ",") + "]"
        }
        func selects(_ count: Int) throws -> Int {
            try store.manager.newPrivateContext().performAndWait { context in
                try store.statements {
                    let books = try context.import(RecordList(json: text(count), at: "[]"), as: "Book", stubs: true)
                    #expect(books.count == count)
                }.count { $0.hasPrefix("SELECT") }
            }
        }
        let few = try selects(3)
        #expect(few > 0)
        #expect(try selects(300) == few)
    }

    @Test("Results are in the order of the values; equal keys are one object, and bare keys find it")
    func order() throws {
        let store = try MappedStore.library()
        try saving(store.manager) { context in
            let tags = try context.import(RecordList(json: #"["red", {"name":"blue"}, "red"]"#, at: "[]"), as: "Tag")
            #expect(tags.count == 3)
            #expect(tags[0] === tags[2] && tags[0] !== tags[1])
            let book = try context.import(
                RecordList(json: #"{"isbn":"a","tags":["red","blue"]}"#, at: "."), as: "Book")[0]
            #expect(book.objects(forKey: "tags") == [tags[0], tags[1]])
            try context.import(json: #"{"isbn":"a","tags":["blue","red"]}"#, into: book)
            #expect(book.objects(forKey: "tags") == [tags[1], tags[0]])
            try context.import(json: #"{"tags":null}"#, into: book)
            #expect(book.objects(forKey: "tags").isEmpty)
        }
    }

    @Test("Objects without a key are new each time, and those left without a mandatory owner are deleted")
    func keyless() throws {
        let store = try MappedStore.library()
        for text in [#"{"isbn":"a","reviews":[{"stars":1},{"stars":2}]}"#, #"{"isbn":"a","reviews":[{"stars":3}]}"#] {
            try saving(store.manager) { _ = try $0.import(RecordList(json: text, at: "."), as: "Book") }
        }
        #expect(try store.values("stars", of: "Review") == [3])
    }

    @Test("A dictionary without its key makes a new object, at any depth, and is rejected from a stream")
    func withoutKeys() throws {
        let store = try MappedStore.library()
        let text =
            #"[{"title":"a","author":{"name":"b"}},{"title":"a","author":{"name":"b"}},{"isbn":"i","author":{"name":"c"}}]"#
        try store.manager.newPrivateContext().performAndWait { context in
            let books = try context.import(RecordList(json: text, at: "[]"), as: "Book")
            #expect(Set(books).count == 3 && books.map { $0["title"] } == ["a", "a", .null])
            let authors = books.compactMap { $0.object(forKey: "author") }
            #expect(Set(authors).count == 3 && authors.map { $0["name"] } == ["b", "b", "c"])
        }
        let summary = try store.take(text, as: "Book")
        #expect(summary.rejected == 3)
    }

    @Test("An error in the data changes nothing, and says where it is")
    func atomic() throws {
        let store = try MappedStore.library()
        store.manager.newPrivateContext().performAndWait { context in
            for (text, reason) in [
                (#"[{"isbn":"a"},{"isbn":"b","title":7}]"#, "$[1].title"),
                (#"[{"isbn":"a"},{"isbn":"b","author":[1]}]"#, "one object for author"),
                (#"[{"isbn":"a","author":{"id":null}}]"#, "id"),
            ] {
                let error = #expect(throws: JSONError.self) {
                    try context.import(RecordList(json: text, at: "[]"), as: "Book")
                }
                #expect("\(error.map { "\($0)" } ?? "")".contains(reason), "\(error as Any)")
                #expect(!context.hasChanges)
            }
            #expect(throws: JSONError.self) {
                try context.import(RecordList(json: #"[{"isbn":"a","author":7}]"#, at: "[]"), as: "Book")
            }
        }
    }

    @Test("The rule of a relationship says what becomes of a bare key of a missing object, or of another type")
    func referencesByRule() throws {
        let store = try MappedStore.library()
        let text = #"{"isbn":"a","author":1,"publisher":9,"tags":[{"name":"x"},[]]}"#
        var mapping = Mapping()
        mapping["author"].dangling = .stub
        mapping["publisher"].dangling = .null
        mapping["tags"].mismatch = .keep
        try saving(store.manager) { [mapping] context in
            let book = try context.import(RecordList(json: text, at: "."), as: "Book", mapping: mapping)[0]
            #expect(book.object(forKey: "author")?["id"] == 1)
            #expect(book.object(forKey: "publisher") == nil && book.objects(forKey: "tags").isEmpty)
        }
        #expect(try store.rows("SELECT COUNT(*) FROM Tag") == [[0]])
        mapping["publisher"].dangling = .wait
        store.manager.newPrivateContext().performAndWait { [mapping] context in
            #expect(throws: JSONError.self) {
                try context.import(RecordList(json: text, at: "."), as: "Book", mapping: mapping, stubs: true)
            }
        }
    }

    @Test("The rule of a relationship names the subentity of its objects, in memory as in a stream")
    func subentities() throws {
        var animal = EntityDescription("Animal")
        animal.isAbstract = true
        animal.attributes = [AttributeDescription("tag", .string)]
        animal.uniquenessConstraints = [["tag"]]
        var dog = EntityDescription("Dog")
        dog.parent = "Animal"
        dog.attributes = [AttributeDescription("breed", .string)]
        var owner = EntityDescription("Owner")
        owner.attributes = [AttributeDescription("id", .integer64)]
        owner.uniquenessConstraints = [["id"]]
        owner.relationships = [LibraryModel.one("pet", "Animal")]
        var mapping = Mapping()
        mapping["pet"].entity = "Dog"
        let text = #"[{"id":1,"pet":{"tag":"a","breed":"Beagle"}}]"#
        for isStream in [false, true] {
            let store = try MappedStore([animal, dog, owner])
            if isStream {
                try store.take(text, as: "Owner", mapping)
            } else {
                try saving(store.manager) { [mapping] context in
                    _ = try context.import(RecordList(json: text, at: "[]"), as: "Owner", mapping: mapping)
                }
            }
            #expect(try store.rows("SELECT _entity, tag, breed FROM Animal") == [["Dog", "a", "Beagle"]])
            #expect(try store.rows("SELECT o.id FROM Owner o JOIN Animal a ON a._pk = o.pet") == [[1]])
        }
    }
}
