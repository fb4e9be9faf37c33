import Foundation
import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributaryTestSupport

import Tributary

/// What classes say about their import: mappings and closures, in memory and in streams.
@Suite struct ImportHooksTests {
    final class Job: ManagedObject {
        @Attribute(.unique) var code: String
        @Attribute var title: String?
    }

    final class Person: ManagedObject {
        @Attribute(.unique) var id: Int
        @Attribute var firstName: String?
        @Attribute var lastName: String?
        @Attribute var favoriteColor: String?
        @Attribute var zip: String?
        @Attribute var lastUpdated: Date?
        @Attribute var summary: String?
        @Relationship var job: Job?
    }

    final class Tweet: ManagedObject {
        @Attribute(.unique) var feedID: String
        @Attribute var text: String?
        @Attribute var userHandle: String?
        @Attribute var imageURL: String?
    }

    private let folder: TemporaryFolder
    private let manager: ContextManager

    init() throws {
        folder = try TemporaryFolder()
        manager = try ContextManager(
            model: Model(Person.self, Job.self, Tweet.self, Badge.self, Note.self, Pair.self),
            store: .sqlite(folder.path("people.sqlite")))
    }

    private static let person = #"""
        {"ID": 7, "FirstName": "Ada", "profile": {"last_name": "Byron", "prefs": {"color": "red"}, "extra": 1},
         "zip": "not10202valid", "last_updated": "2014-05-06_07:08", "employment": {"code": "x", "title": "Poet"}}
        """#

    @Test("Mappings of a class: other names, paths, date formats, objects and refused values, as RZImport has them")
    func classMappings() throws {
        try manager.newPrivateContext().performAndWait { context in
            let person: Person = try context.import(json: Self.person)[0]
            #expect(person.id == 7 && person.firstName == "Ada" && person.lastName == "Byron")
            #expect(person.favoriteColor == "red" && person.zip == nil && person.job?.title == "Poet")
            #expect(person.lastUpdated == Date(timeIntervalSince1970: 1_399_360_080))
            #expect(person.summary == "Ada Byron")
            try context.import(json: #"{"zip": "1020", "employment": null}"#, into: person)
            #expect(person.zip == "1020" && person.job == nil && person.firstName == "Ada")
            var mapping = Mapping()
            mapping["firstName"].paths = ["given"]
            try context.import(json: #"{"given": "Augusta"}"#, into: person, mapping: mapping)
            #expect(person.firstName == "Augusta")
        }
    }

    @Test("A stream calls the same closures, and gives the same objects")
    func streamedClosures() throws {
        let records = (1...500).map { Self.person.replacing("7,", with: "\($0),").replacing("\n", with: "") }
        let summary = try manager.load(.text(records.joined(separator: "\n")), [.rows("Person")])
        #expect(summary.inserted == 500, "\(summary)")
        try manager.newPrivateContext().performAndWait { context in
            let people = try Person.all(in: context)
            #expect(people.count == 500)
            #expect(people.allSatisfy { $0.summary == "Ada Byron" && $0.zip == nil && $0.job?.code == "x" })
            #expect(try Job.count(in: context) == 1)
        }
    }

    @Test("The example of KarthVader: keys for JSON keys, and paths into nested objects")
    func jsonKeysAndPaths() throws {
        let text = #"{"id_str": "1", "text": "t", "user": {"screen_name": "a", "profile_image_url_https": "u"}}"#
        try manager.newPrivateContext().performAndWait { context in
            let tweet: Tweet = try context.import(json: text)[0]
            #expect(tweet.feedID == "1" && tweet.text == "t" && tweet.userHandle == "a" && tweet.imageURL == "u")
            let again: Tweet = try context.import(json: text.replacing("\"t\"", with: "\"s\""))[0]
            #expect(again === tweet && tweet.text == "s")
            try context.save()
            let third: Tweet = try context.import(json: text)[0]
            #expect(third === tweet)
        }
    }

    @Test("Closures may find objects otherwise than by their keys, or make new ones each time")
    func finding() throws {
        try manager.newPrivateContext().performAndWait { context in
            let known: Badge = context.insert()
            known.label = "Gold"
            let badges: [Badge] = try context.import(json: #"[{"label": "gold"}, {"label": "tin"}]"#)
            #expect(badges[0] === known && badges[1] !== known)
            let notes: [Note] = try context.import(json: #"[{"id": 1}, {"id": 1}]"#)
            #expect(notes[0] !== notes[1])
        }
    }

    @Test("Attributes are set in the order of the mapping")
    func orderOfProperties() throws {
        try manager.newPrivateContext().performAndWait { context in
            for (order, expected) in [(["first", "second"], "1 only"), (["second", "first"], "both")] {
                var mapping = Mapping()
                mapping.ordered = order
                let pairs: [Pair] = try context.import(json: #"{"first": "1", "second": "2"}"#, mapping: mapping)
                #expect((pairs[0].first == nil ? "2 only" : pairs[0].second == nil ? "1 only" : "both") == expected)
            }
        }
    }

    final class Pair: ManagedObject {
        @Attribute var first: String?
        @Attribute var second: String?
    }

    final class Badge: ManagedObject {
        @Attribute var label: String?
    }

    final class Note: ManagedObject {
        @Attribute var id: Int?
    }
}

extension ImportHooksTests.Person: Mapped {
    static var mapping: Mapping {
        var mapping = Mapping()
        mapping["lastName"].paths = ["profile.last_name"]
        mapping["favoriteColor"].paths = ["profile.prefs.color"]
        mapping["lastUpdated"].dates = ["yyyy-MM-dd_HH:mm"]
        mapping["job"].paths = ["employment"]
        mapping.ignored = ["profile.extra"]
        return mapping
    }

    static var importHooks: ImportHooks {
        var hooks = ImportHooks()
        hooks.shouldImport { (value, property, _: ImportHooksTests.Person) in
            property != "zip" || value.compactText.count < 10
        }
        hooks.didImport { (_: JSON, person: ImportHooksTests.Person) in
            person.summary = [person.firstName, person.lastName].compactMap(\.self).joined(separator: " ")
        }
        return hooks
    }
}

extension ImportHooksTests.Tweet: Mapped {
    static var mapping: Mapping {
        var mapping = Mapping()
        mapping["feedID"].paths = ["id_str"]
        mapping["userHandle"].paths = ["user.screen_name"]
        mapping["imageURL"].paths = ["user.profile_image_url_https"]
        return mapping
    }
}

extension ImportHooksTests.Badge: Mapped {
    static var importHooks: ImportHooks {
        var hooks = ImportHooks()
        hooks.find = { value, context in
            let label = value["label"].compactText.trimmingCharacters(in: ["\""]).capitalized
            return try ImportHooksTests.Badge.first(in: context, where: "label == \(label)")
        }
        return hooks
    }
}

extension ImportHooksTests.Note: Mapped {
    static var importHooks: ImportHooks {
        var hooks = ImportHooks()
        hooks.alwaysMakesNew = true
        return hooks
    }
}

extension ImportHooksTests.Pair: Mapped {
    static var importHooks: ImportHooks {
        var hooks = ImportHooks()
        // The second one is not wanted once the first one is there.
        hooks.shouldImport { (_, property, pair: ImportHooksTests.Pair) in property == "first" || pair.first == nil }
        return hooks
    }
}
