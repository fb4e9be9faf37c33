import Foundation
import Testing
import TributaryGraph
import TributaryJSON
import TributaryTestSupport

import Tributary

/// The cases of the tests of RZImport and of RZVinyl's imports, in memory and as streams.
@Suite("Cases of RZImport") struct RZImportCasesTests {
    private let folder: TemporaryFolder
    private let manager: ContextManager

    init() throws {
        folder = try TemporaryFolder()
        manager = try ContextManager(
            model: Model(
                Base.self, Artist.self, Song.self, Person.self, Place.self, Work.self),
            store: .sqlite(folder.path("cases.sqlite")))
    }

    /// Imports a text in memory or as a stream.
    private func take<Object: ManagedObject>(_ text: String, _ type: Object.Type, _ isStream: Bool) throws {
        if isStream {
            #expect(try manager.load(.text(text), [.rows(type.entityName)]).rejected == 0)
        } else {
            try manager.newPrivateContext().performAndWait { context throws in
                try context.import(json: text, as: type)
                try context.save()
            }
        }
    }

    @Test("Artists with songs, both with keys of a parent without a constraint", arguments: [false, true])
    func artists(_ isStream: Bool) throws {
        let text = #"""
            [{"id":1000,"lastUpdated":"2014-06-04T12:00:00Z","name":"Dusky","genre":"House",
              "songs":[{"id":1000,"title":"a","length":203}],
              "orderedSongs":[{"id":3,"title":"c"},{"id":9,"title":"d"},{"id":1,"title":"b"}]},
             {"id":1049,"name":"BCee","genre":"Drum & Bass"},
             {"id":2399,"name":"Tool","songs":[{"id":1,"title":"L","Length":540},{"id":2,"title":"A","Length":438}]}]
            """#
        for _ in 0..<2 {
            try take(text, Artist.self, isStream)
            try manager.newPrivateContext().performAndWait { context throws in
                let artists = try Artist.all(in: context, sort: [SortKey("remoteID")])
                #expect(artists.map(\.name) == ["Dusky", "BCee", "Tool"] && artists[0].genre == "House")
                #expect(artists[0].lastUpdated == Date(timeIntervalSince1970: 1_401_883_200))
                #expect(artists[0].orderedSongs.map(\.remoteID) == [3, 9, 1])
                #expect(artists[0].songs.map(\.title) == ["a"] && artists[1].songs.isEmpty)
                #expect(Set(artists[2].songs.map(\.length)) == [540, 438])
                // An artist and a song have the key 1000.
                #expect(try Song.count(in: context) == 5 && Base.count(in: context, where: "remoteID == 1000") == 2)
            }
        }
    }

    @Test("A song that all artists have goes from one to the next", arguments: [false, true])
    func manyArtists(_ isStream: Bool) throws {
        let artists = (1...300).map { #"{"id":\#($0),"name":"Rick","songs":[{"id":1337,"title":"t"},{"id":\#($0)}]}"# }
        try take("[\(artists.joined(separator: ","))]", Artist.self, isStream)
        try manager.newPrivateContext().performAndWait { context throws in
            #expect(try Artist.count(in: context) == 300 && Song.count(in: context) == 301)
            let owners = try Artist.fetch(in: context, where: "ANY songs.remoteID == 1337")
            #expect(owners.map(\.remoteID) == [300])
        }
    }

    @Test("Values are imported into an object that is there, which gets its key")
    func directImport() throws {
        try manager.writeAndWait { context throws in
            let artist = context.insert(Artist.self)
            try context.import(
                json: #"{"id":808,"name":"Huxley","songs":[{"id":909,"title":"t"},{"id":910}]}"#, into: artist)
            #expect(artist.remoteID == 808 && artist.songs.count == 2)
            try context.import(json: #"{"name":null}"#, into: artist)
            #expect(artist.name == nil && artist.songs.count == 2)
            try context.import(json: #"{"songs":[]}"#, into: artist)
            #expect(artist.songs.isEmpty && artist.remoteID == 808)
        }
    }

    @Test("People with an address that the hook imports, a job of one name or another, and ignored members")
    func people() throws {
        try manager.writeAndWait { context throws in
            let text = #"""
                {"ID":"12345","first_name":"John","Last_Name":666,"address":{"street":"101 Main","zip":"02111",
                 "last_updated":"2014-05-20_20:12","ignoreMe":"x"},"job":{"title":"Engineer","company_name":"R"},
                 "profile":{"extraneous":1,"prefs":{"color":"Gray"}},"deceased":" 42"}
                """#
            let john = try #require(try context.import(json: text, as: Person.self).first)
            #expect(john.id == 12345 && john.firstName == "John" && john.lastName == "666" && john.deceased)
            #expect(john.colorPref == "Gray" && john.job?.title == "Engineer" && john.job?.companyName == "R")
            #expect(john.address?.street1 == "101 Main" && john.address?.zipCode == "02111")
            #expect(john.address?.lastUpdated == Date(timeIntervalSince1970: 1_400_616_720))
            #expect(john.address?.ignoreMe == nil)
            // The same object, by its key; an invalid zip code keeps the old one.
            let again = try context.import(
                json: #"{"id":12345,"firstname":"Bob","employment":{"title":"Boss"},"deceased":"no"}"#, as: Person.self)
            #expect(again == [john] && john.firstName == "Bob" && john.job?.title == "Boss" && !john.deceased)
            #expect(try Work.count(in: context) == 2)
            let place = try #require(john.address)
            try context.import(json: #"{"zip":"not10202valid","street1":"1 Side"}"#, into: place)
            #expect(place.zipCode == "02111" && place.street1 == "1 Side")
            var mapping = Mapping()
            mapping["street1"].paths = ["street_where_I_live"]
            try context.import(json: #"{"street_where_I_live":"2 Side","zip":"1"}"#, into: place, mapping: mapping)
            #expect(place.street1 == "2 Side" && place.zipCode == "1")
        }
    }

    class Base: ManagedObject {
        @Attribute var remoteID: Int?
    }

    final class Artist: Base {
        @Attribute var name: String?
        @Attribute var genre: String?
        @Attribute var lastUpdated: Date?
        @Relationship(inverse: \Song.artist) var songs: ToMany<Song>
        @Relationship(inverse: \Song.orderedArtist) var orderedSongs: OrderedToMany<Song>
    }

    final class Song: Base {
        @Attribute var title: String?
        @Attribute var length: Int?
        @Relationship var artist: Artist?
        @Relationship var orderedArtist: Artist?
    }

    final class Person: ManagedObject {
        @Attribute(.unique) var id: Int
        @Attribute var firstName: String?
        @Attribute var lastName: String?
        @Attribute var colorPref: String?
        @Attribute var deceased: Bool = false
        @Relationship var address: Place?
        @Relationship var job: Work?
    }

    final class Place: ManagedObject {
        @Attribute var street1: String?
        @Attribute var zipCode: String?
        @Attribute var lastUpdated: Date?
        @Attribute var ignoreMe: String?
    }

    final class Work: ManagedObject {
        @Attribute var companyName: String?
        @Attribute var title: String?
    }
}

extension RZImportCasesTests.Base: Mapped {
    static var mapping: Mapping {
        var mapping = Mapping()
        mapping.key = ["remoteID"]
        mapping["remoteID"].paths = ["id"]
        return mapping
    }
}

extension RZImportCasesTests.Person: Mapped {
    static var mapping: Mapping {
        var mapping = Mapping()
        mapping.conversion = .lenient
        mapping["firstName"].paths = ["profile.first_name"]
        mapping["colorPref"].paths = ["profile.prefs.color"]
        mapping["job"].paths = ["employment"]
        mapping.ignored = ["profile.extraneous"]
        return mapping
    }

    static var importHooks: ImportHooks {
        var hooks = ImportHooks()
        hooks.shouldImport { (value, name, person: RZImportCasesTests.Person) in
            guard name == "address", value.kind == .object, let context = person.context else { return true }
            person.address = try context.import(value, as: RZImportCasesTests.Place.self).first
            return false
        }
        return hooks
    }
}

extension RZImportCasesTests.Place: Mapped {
    static var mapping: Mapping {
        var mapping = Mapping()
        mapping["street1"].paths = ["street"]
        mapping["zipCode"].paths = ["zip"]
        mapping["lastUpdated"].dates = ["yyyy-MM-dd_HH:mm"]
        mapping.ignored = ["ignoreMe"]
        return mapping
    }

    static var importHooks: ImportHooks {
        var hooks = ImportHooks()
        hooks.shouldImport { (value, name, _: RZImportCasesTests.Place) in
            name != "zip" || value.kind == .string && value.compactText.dropFirst().dropLast().allSatisfy(\.isNumber)
        }
        return hooks
    }
}
