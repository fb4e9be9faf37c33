import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite

import Tributary

/// Names, paths, defaults and policies of attributes.
@Suite struct MappingTests {
    @Test(arguments: ["firstName", "firstname", "FirstName", "first_name", "First_Name", "FIRST_NAME", "first-name"])
    func sameWords(_ name: String) throws {
        let store = try MappedStore([AttributeDescription("firstName", .string)])
        let summary = try store.take("[{\"id\":1,\"\(name)\":\"Bob\"}]")
        #expect(try store.values("firstName") == ["Bob"])
        #expect(summary.mapping == nil && summary.unmatched == nil)
    }

    /// An explicit path wins, then the exact name; two members for a property are reported.
    @Test func whichMemberCounts() throws {
        let store = try MappedStore([
            AttributeDescription("firstName", .string), AttributeDescription("theID", .string),
            AttributeDescription("last_name", .string),
        ])
        let text = """
            [{"id":1,"first_name":"a","firstName":"b","last_name":"c"},
             {"id":2,"firstName":"d","first_name":"e"},
             {"id":3,"first_name":"f","other":1}]
            """
        let summary = try store.take(text)
        #expect(try store.values("firstName") == ["b", "d", "f"])
        #expect(try store.values("theID") == [.null, .null, .null])
        #expect(summary.mapping?["Thing"]?.ambiguous == ["firstName": 2])
        #expect(summary.mapping?["Thing"]?.unknown == ["other": 1])
        var mapping = Mapping()
        mapping["firstName"] = "last_name"
        mapping.ignored = ["other", "first_name"]
        let again = try store.take(text, mapping)
        #expect(try store.values("firstName") == ["c", "d", "f"])
        #expect(again.mapping == nil)
        mapping = Mapping()
        mapping.infersNames = false
        let exact = try store.take("[{\"id\":9,\"first_name\":\"x\"}]", mapping)
        #expect(exact.mapping?["Thing"]?.unknown == ["first_name": 1])
    }

    @Test("Ignored members are never imported, also under the name of a property, or inside of its path")
    func ignoredMembers() throws {
        let store = try MappedStore([
            AttributeDescription("name", .string), AttributeDescription("title", .string),
            AttributeDescription("city", .string), AttributeDescription("note", .string),
        ])
        var mapping = Mapping()
        mapping["city"] = PropertyRule("address.city", "town")
        mapping["title"] = PropertyRule("heading")
        mapping.ignored = ["name", "address", "title", "heading.x"]
        let text = """
            [{"id":1,"name":"a","Name":"b","title":"c","address":{"city":"d"},"note":"e"},
             {"id":2,"address":5,"town":"f","heading":"g"}]
            """
        let summary = try store.take(text, mapping)
        #expect(summary.inserted == 2 && summary.mapping == nil, "\(summary)")
        let expected: [[SQLValue]] = [["b", .null, .null, "e"], [.null, "g", "f", .null]]
        #expect(try store.rows("SELECT name, title, city, note FROM Thing ORDER BY id") == expected)
        let memory = try MappedStore(store.manager.model.declaration.entities)
        try memory.manager.writeAndWait { [mapping] context in
            _ = try context.import(RecordList(json: text, at: "[]"), as: "Thing", mapping: mapping)
        }
        #expect(try memory.rows("SELECT name, title, city, note FROM Thing ORDER BY id") == expected)
        mapping.infersNames = false
        mapping.ignored = ["id"]
        #expect(throws: ImportError.self) { try store.take(text, mapping) }
    }

    @Test("The paths of a rule add to the names of its property, also for keys, unless names are not inferred")
    func pathsAndNames() throws {
        let attributes = [
            AttributeDescription("street1", .string), AttributeDescription("firstName", .string),
            AttributeDescription("alias", .string),
        ]
        var mapping = Mapping()
        mapping["id"] = PropertyRule("_id", "meta.id")
        mapping["street1"] = "street"
        mapping["firstName"] = PropertyRule("given", "name.first")
        mapping["alias"] = "nick.street1"
        let text = """
            [{"_id":1,"street":"a","street1":"b","given":"c","first_name":"d"},
             {"id":2,"street1":"e","FirstName":"f"},
             {"ID":3,"Street1":"g","name":{"first":"h"},"firstname":"i"},
             {"meta":{"id":4},"firstName":"j"}]
            """
        let expected: [[SQLValue]] = [[1, "a", "c"], [2, "e", "f"], [3, "g", "h"], [4, .null, "j"]]
        let query = "SELECT id, street1, firstName FROM Thing ORDER BY id"
        for isStream in [true, false] {
            let store = try MappedStore(attributes)
            func take(_ mapping: Mapping) throws {
                if isStream {
                    try store.take(text, mapping)
                } else {
                    try store.manager.writeAndWait { context in
                        _ = try context.import(RecordList(json: text, at: "[]"), as: "Thing", mapping: mapping)
                    }
                }
            }
            try take(mapping)
            #expect(try store.rows(query) == expected, "stream \(isStream)")
            // The same records find the same objects.
            try take(mapping)
            #expect(try store.rows(query) == expected, "stream \(isStream)")
        }
        let store = try MappedStore(attributes)
        mapping.infersNames = false
        let summary = try store.take(text, mapping)
        #expect(summary.inserted == 2 && summary.rejected == 2)
        #expect(try store.rows(query) == [[1, "a", "c"], [4, .null, .null]])
        #expect(summary.mapping?["Thing"]?.unknown["street1"] == 2)
    }

    @Test("A mapping given with a call adds to that of the model")
    func addedMapping() throws {
        let json = """
            {"properties": {"name": {"path": "title"}, "day": {"path": "date", "dates": "seconds"}}, "ignored": ["etag"]}
            """
        let attributes = [
            AttributeDescription("name", .string), AttributeDescription("day", .date),
            AttributeDescription("etag", .string),
        ]
        let text = """
            [{"id":1,"title":"a","heading":"b","date":5,"etag":"x"},{"id":2,"title":"c","when":6},{"id":3,"name":"d","date":7}]
            """
        var mapping = Mapping()
        mapping["name"] = "heading"
        mapping["day"] = "when"
        let expected: [[SQLValue]] = [["b", .real(5), .null], ["c", .real(6), .null], ["d", .real(7), .null]]
        for isStream in [true, false] {
            let store = try MappedStore(attributes) { $0.userInfo["json"] = json }
            if isStream {
                try store.take(text, mapping)
            } else {
                try store.manager.writeAndWait { [mapping] context in
                    _ = try context.import(RecordList(json: text, at: "[]"), as: "Thing", mapping: mapping)
                }
            }
            #expect(try store.rows("SELECT name, day, etag FROM Thing ORDER BY id") == expected, "stream \(isStream)")
        }
    }

    /// Paths over several levels, several paths for one property, ignored paths.
    @Test func paths() throws {
        let store = try MappedStore([
            AttributeDescription("color", .string), AttributeDescription("name", .string),
            AttributeDescription("size", .integer32),
        ])
        var mapping = Mapping()
        mapping["color"] = "profile.prefs.color"
        mapping["name"] = PropertyRule("profile.name", "title")
        mapping["size"] = PropertyRule("size", "dimensions.size")
        mapping.ignored = ["profile.extraneous"]
        let summary = try store.take(
            """
            [{"id":1,"profile":{"prefs":{"color":"red"},"name":"A","extraneous":1},"title":"T"},
             {"id":2,"title":"B","dimensions":{"size":7}},
             {"id":3,"profile":{"name":null},"title":"C"},
             {"id":4,"profile":5}]
            """, mapping)
        #expect(summary.inserted == 3 && summary.rejected == 1)
        #expect(
            try store.rows("SELECT color, name, size FROM Thing ORDER BY id") == [
                ["red", "A", .null], [.null, "B", 7], [.null, .null, .null],
            ])
        #expect(try store.reasons()[0].contains("$[3].profile"))
    }

    @Test func datesDefaultsAndMisfits() throws {
        var rank = AttributeDescription("rank", .integer16)
        rank.defaultValue = .integer(1)
        let store = try MappedStore([
            AttributeDescription("day", .date), AttributeDescription("seen", .date), rank,
            AttributeDescription("zip", .integer32),
        ])
        var mapping = Mapping()
        mapping.dates = ["dd.MM.yyyy", "iso8601"]
        mapping["seen"].dates = ["milliseconds"]
        mapping["rank"].defaultValue = .integer(5)
        mapping["zip"].mismatch = .keep
        try store.take(
            """
            [{"id":1,"day":"02.01.1970","seen":1500,"zip":10115},{"id":2,"day":"1970-01-03","rank":null},
             {"id":3,"day":"x"}]
            """, mapping)
        #expect(
            try store.rows("SELECT day, seen, rank, zip FROM Thing ORDER BY id") == [
                [.real(86400), .real(1.5), 5, 10115], [.real(172800), .null, .null, .null],
            ])
        #expect(try store.reasons()[0].contains("a date as dd.MM.yyyy or ISO 8601"))
        let kept = try store.take("[{\"id\":1,\"zip\":\"not10202valid\"}]", mapping)
        #expect(kept.unchanged == 1 && kept.mapping?["Thing"]?.unfit == ["zip": 1])
        mapping["zip"].mismatch = .null
        #expect(try store.take("[{\"id\":1,\"zip\":\"not10202valid\"}]", mapping).updated == 1)
        #expect(try store.rows("SELECT zip FROM Thing WHERE id = 1") == [[.null]])
    }

    @Test(arguments: [1, 2, 100])
    func policies(_ batchSize: Int) throws {
        let store = try MappedStore([
            AttributeDescription("stars", .integer32), AttributeDescription("note", .string),
            AttributeDescription("price", .double), AttributeDescription("at", .integer64),
            AttributeDescription("name", .string),
        ])
        var mapping = Mapping()
        mapping["stars"].policy = .program
        mapping["note"].policy = .keepNull
        mapping["price"].newest = "at"
        mapping["name"].policy = .keepMissing
        let text = """
            [{"id":1,"stars":5,"note":"a","price":1.5,"at":10,"name":"n"},
             {"id":1,"stars":1,"note":null,"price":9.5,"at":9},
             {"id":1,"price":2.5,"at":10,"stars":null},
             {"id":1,"at":8,"price":3}]
            """
        for mode in [ImportMode.upsert, .replace] {
            try store.take("[{\"id\":1}]") { $0.truncates = true }
            try store.take("[]") { $0.truncates = true }
            let summary = try store.take(text, mapping) { options in
                options.mode = mode
                options.batchSize = batchSize
            }
            #expect(summary.inserted == 1 && summary.updated + summary.unchanged == 3)
            #expect(
                try store.rows("SELECT stars, note, price, at, name FROM Thing") == [
                    [5, "a", .real(2.5), 10, "n"]
                ], "\(mode)")
        }
    }

    /// The mapping is stored in the model, written as JSON, and read from it.
    @Test func formsOfOneMapping() throws {
        let json = """
            {"Thing": {"key": "id", "properties": {"name": {"path": ["title", "a.b"], "policy": "program"},
             "day": {"dates": "seconds"}}, "ignored": ["etag", "x.y"], "mismatch": "null", "conversion": "lenient"}}
            """
        let read = try Mappings(json: Array(json.utf8), from: "map.json")
        var written = Mapping()
        written.key = ["id"]
        written["name"] = PropertyRule("title", "a.b")
        written["name"].policy = .program
        written["day"] = PropertyRule(dates: ["seconds"])
        written.ignored = ["etag", "x.y"]
        written.mismatch = .null
        written.conversion = .lenient
        #expect(read == ["Thing": written])
        #expect(try Mappings(json: Array(read.jsonText.utf8), from: "again") == read)
        let store = try MappedStore([AttributeDescription("name", .string), AttributeDescription("day", .date)]) {
            let body = json.dropFirst("{\"Thing\": ".count).dropLast()
            $0.userInfo["json"] = String(body)
        }
        try store.take("[{\"id\":1,\"a\":{\"b\":7},\"day\":5,\"etag\":1}]")
        #expect(try store.rows("SELECT name, day FROM Thing") == [["7", .real(5)]])
    }

    @Test(arguments: [
        (#"{"Thing": {"properties": {"nam": "x"}}}"#, "a rule for nam, which is no property"),
        (#"{"Thing": {"propertys": {}}}"#, "at .Thing.propertys: it is not one of key, properties"),
        (#"{"Thing": {"properties": {"name": {"dates": "iso8601"}}}}"#, "has date formats, but it is String"),
        (#"{"Thing": {"properties": {"day": {"dates": "qq"}}}}"#, "the date format qq"),
        (#"{"Thing": {"properties": {"day": {"default": true}}}}"#, "has a default of another type"),
        (#"{"Thing": {"properties": {"id": {"policy": "program"}}}}"#, "it is a key"),
        (#"{"Thing": {"properties": {"day": {"newest": "when"}}}}"#, "takes the newest by when"),
        (#"{"Thing": {"key": "other"}}"#, "no attribute other"),
        (#"{"Thing": 5}"#, "at .Thing: expected an object"),
        ("{", "the mapping is wrong"),
    ])
    func wrongMappings(_ json: String, _ message: String) throws {
        let store = try MappedStore([AttributeDescription("name", .string), AttributeDescription("day", .date)])
        let error = #expect(throws: ImportError.self) {
            let mappings = try Mappings(json: Array(json.utf8), from: "map.json")
            try store.take("[]") { $0.mappings = mappings }
        }
        #expect("\(try #require(error))".contains(message), "\(String(describing: error))")
    }
}
