import Foundation
import Testing
import TributaryGraph
import TributaryJSON
import TributaryTestSupport

import Tributary

/// What hooks of an import are asked, under which names, and what their answers save.
@Suite struct HookNamesTests {
    private let folder: TemporaryFolder
    private let manager: ContextManager

    init() throws {
        folder = try TemporaryFolder()
        manager = try ContextManager(
            model: Model(HookedArtist.self, HookedGenre.self, HookedSong.self, HookedLabel.self),
            store: .sqlite(folder.path("artists.sqlite")))
    }

    /// Imports a text in memory or as a stream; passes the artists in the order of their keys, and the errors.
    private func take(
        _ text: String, _ isStream: Bool, _ body: @Sendable ([HookedArtist], ManagedObjectContext) throws -> Void
    ) throws {
        if isStream {
            var options = ImportOptions()
            options.onError = .quarantine
            let summary = try manager.load(.text(text), [.rows("HookedArtist")], options)
            #expect(summary.rejected == 0)
            #expect(try manager.rejects.page().map(\.reason) == [])
        } else {
            try manager.newPrivateContext().performAndWait { context throws in
                try context.import(json: text, as: HookedArtist.self)
                try context.save()
            }
        }
        try manager.newPrivateContext().performAndWait { context throws in
            try body(HookedArtist.all(in: context, sort: [SortKey("id")]), context)
        }
    }

    private func asked(_ artist: HookedArtist) -> Set<String> {
        Set(artist.asked.split(separator: " ").map(String.init))
    }

    @Test(
        "A hook sees each value under the name of its member, whichever way that was matched", arguments: [false, true])
    func names(_ isStream: Bool) throws {
        let text = #"""
            [{"id":1,"First_Name":"Ada","zip":"1020","colour":"red"},
             {"id":2,"FIRSTNAME":"Bob","zip":"x1","profile":{"color":"blue","extra":5}},
             {"id":3,"firstName":"Cy","ZipCode":"77","Color":"green","full":"Cyd"}]
            """#
        try take(text, isStream) { artists, _ throws in
            #expect(asked(artists[0]) == ["id=1", #"First_Name="Ada""#, #"zip="1020""#, #"colour="red""#])
            #expect(artists[0].firstName == "Ada" && artists[0].zipCode == "1020" && artists[0].color == "red")
            #expect(asked(artists[1]).isSuperset(of: [#"FIRSTNAME="Bob""#, #"zip="x1""#, #"profile.color="blue""#]))
            #expect(artists[1].firstName == "Bob" && artists[1].zipCode == nil && artists[1].color == "blue")
            // Also those of inferred names beside a rule, and of members without a property.
            #expect(asked(artists[2]).isSuperset(of: [#"ZipCode="77""#, #"Color="green""#, #"full="Cyd""#]))
            #expect(artists[2].zipCode == "77" && artists[2].color == "green")
        }
    }

    @Test("A value that does not fit is no error if the hook refuses it or uses it itself", arguments: [false, true])
    func valuesThatDoNotFit(_ isStream: Bool) throws {
        try manager.writeAndWait { context in
            let genre = context.insert(HookedGenre.self)
            (genre.id, genre.name) = (1, "Rock")
        }
        let text =
            #"[{"id":1,"zip":7,"genre":"Rock"},{"id":2,"zip":[1],"genre":{"id":2,"name":"Pop"}},{"id":3,"genre":1}]"#
        try take(text, isStream) { artists, context throws in
            #expect(artists.map(\.genre?.name) == ["Rock", "Pop", "Rock"])
            #expect(artists.allSatisfy { $0.zipCode == nil })
            #expect(try HookedGenre.count(in: context) == 2)
        }
    }

    @Test("A path through a value that is no object is a value that does not fit, and a mapping may keep the old one")
    func pathsThroughValues() throws {
        try manager.newPrivateContext().performAndWait { context throws in
            try context.import(json: #"{"id":1,"colour":"red"}"#, as: HookedArtist.self)
            var mapping = Mapping()
            mapping["color"].mismatch = .keep
            try context.import(json: #"{"id":1,"profile":"x"}"#, as: HookedArtist.self, mapping: mapping)
            #expect(try HookedArtist.all(in: context).map(\.color) == ["red"])
        }
    }

    @Test("What a hook refuses is neither made nor looked up", arguments: [false, true])
    func refusals(_ isStream: Bool) throws {
        let text = #"""
            [{"id":1,"tracks":[{"id":1,"title":"refused","writer":{"id":5}},{"id":2}]},
             {"id":2,"tracks":[{"id":3,"title":"a","writer":99},{"id":4,"writer":{"id":6,"name":"w"}}]},
             {"id":3,"no_profile":1,"tracks":["refused",17]}]
            """#
        try take(text, isStream) { artists, context throws in
            #expect(artists.map { $0.songs.map(\.id) } == [[], [3, 4], []])
            #expect(try HookedSong.count(in: context) == 2 && HookedGenre.count(in: context) == 0)
        }
    }

    @Test(
        "Ignored members are not imported, whatever a property is called, nor shown to hooks", arguments: [false, true])
    func ignored(_ isStream: Bool) throws {
        let text = #"[{"id":1,"secret":"x","private":{"a":1},"profile":{"extra":7,"color":"red"}}]"#
        try take(text, isStream) { artists, _ throws in
            #expect(artists[0].secret == nil && artists[0].color == "red")
            #expect(!artists[0].asked.contains("secret") && !artists[0].asked.contains("private"))
        }
    }

    @Test("A hook imports the value that it is asked about", arguments: [false, true])
    func importsInside(_ isStream: Bool) throws {
        let text = #"[{"id":1,"label":{"name":"Blue Note","city":"NY"}},{"id":2,"label":[{"name":"a"},{"name":"b"}]}]"#
        try take(text, isStream) { artists, context throws in
            #expect(artists.map(\.label?.name) == ["Blue Note", "b"] && artists[0].label?.city == "NY")
            #expect(try HookedLabel.count(in: context) == 3)
        }
    }

    @Test("Members without a property are reported, also with hooks, in memory and of nested objects")
    func unknownMembers() throws {
        let text = #"""
            [{"id":1,"firstName":"a","food":"x","secret":1,"tracks":[{"id":1,"length":5},{"id":2,"length":6}]},
             {"id":2,"food":"y","first_name":"b","firstName":"c","profile":{"color":"red","extra":5}}]
            """#
        let streamed = try #require(try manager.load(.text(text), [.rows("HookedArtist")]).mapping)
        #expect(streamed["HookedArtist"]?.unknown == ["food": 2] && streamed["HookedSong"]?.unknown == ["length": 2])
        #expect(streamed["HookedArtist"]?.ambiguous == ["firstName": 1])
        try manager.newPrivateContext().performAndWait { context throws in
            var found: [String: MappingReport] = [:]
            try context.import(json: text, as: HookedArtist.self) { found = $0 }
            #expect(found == streamed)
            try context.import(json: #"{"name":"l"}"#, as: HookedLabel.self) { _ in Issue.record("nothing to report") }
            try context.import(json: #"{"title":"t","key":1}"#, into: context.insert(HookedSong.self)) {
                #expect($0["HookedSong"]?.unknown == ["key": 1])
            }
        }
    }
}
