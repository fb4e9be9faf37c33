import Testing
import Tributary
import TributaryGraph
import TributaryPostgres

/// Values, refusals and tables of objects with relationships: all as in a store.
@Suite struct RelatedValueTests {
    private static func entities() -> [EntityDescription] {
        var kinds: [AttributeDescription] = [
            AttributeDescription("small", .integer16), AttributeDescription("middle", .integer32),
            AttributeDescription("double", .double), AttributeDescription("float", .float),
            AttributeDescription("decimal", .decimal), AttributeDescription("flag", .boolean),
            AttributeDescription("date", .date), AttributeDescription("uuid", .uuid),
            AttributeDescription("uri", .uri), AttributeDescription("binary", .binary),
            AttributeDescription("json", .json), AttributeDescription("email", .string),
        ]
        kinds.append(AttributeDescription("na\"me, 日本", .string))
        var team = EntityDescription("Team")
        team.attributes = [AttributeDescription("founded", .date), AttributeDescription("city", .string)]
        team.attributes[1].isOptional = false
        team.uniquenessConstraints = [["founded"]]
        var person = EntityDescription("Person")
        person.attributes = [AttributeDescription("id", .integer64)] + kinds
        person.uniquenessConstraints = [["id"], ["email"]]
        var one = RelationshipDescription("team", to: "Team")
        (one.inverse, one.maximumCount) = ("members", 1)
        var many = RelationshipDescription("members", to: "Person")
        (many.inverse, many.isToMany, many.maximumCount) = ("team", true, 0)
        person.relationships = [one]
        team.relationships = [many]
        return [person, team]
    }

    private let world: RelatedWorld

    init() throws { world = try RelatedWorld(Self.entities()) }

    private var way: RelatedWorld.Way {
        var way = RelatedWorld.Way()
        way.mappings["Person"] = Mapping()
        way.mappings["Person"]?.key = ["id"]
        way.mappings["Team"] = Mapping()
        way.mappings["Team"]?["members"].paths = ["members"]
        return way
    }

    private func take(_ text: String, as entity: String = "Person") throws -> RelatedWorld.Counts {
        let expected = try world.store(text, as: entity, way)
        let found = try world.serve(text, as: entity, way)
        #expect(found == expected)
        let (stored, served) = (try world.storeContent(), try world.serverContent())
        #expect(Set(served).subtracting(stored) == Set(stored).subtracting(served))
        return expected
    }

    /// Each type, null, characters that need an escape; the same again changes nothing.
    @Test func values() throws {
        let text = #"""
            [{"id":1,"small":-32768,"middle":2147483647,"double":0.1,"float":0.1,"decimal":"12345678901234567890.10",
              "flag":true,"date":"2024-05-01T12:34:56.789Z","uuid":"6f9619ff-8b86-d011-b42d-00c04fc964ff",
              "uri":"https://example.org/ä?q=1","binary":"AAEC/w==","json":{"a":null,"b":[1, 2.50,"\\ \" {,}"]},
              "email":"a\"b\\c,{}'\n\t","na\"me, 日本":"é","team":{"founded":"1969-12-31T23:59:59Z","city":"NULL"}},
             {"id":2,"double":1e300,"float":3.5e20,"decimal":-0.00001,"flag":false,"date":"0001-02-03T00:00:00Z",
              "json":[],"email":"","binary":"","team":"1969-12-31T23:59:59Z"},
             {"id":9223372036854775807,"small":null,"json":"text","date":"9999-12-31T23:59:59Z","team":"2000-01-01"}]
            """#
        #expect(try take(text).records.inserted == 3)
        let again = try take(text)
        #expect(again.records.unchanged == 3)
        #expect(again.dangling == ["Person.team": 1])
        #expect(try take(#"[{"founded":"2000-01-01","city":"x"}]"#, as: "Team").dangling == [:])
        let kinds = try world.server.execute(
            """
            SELECT string_agg(data_type, ' ' ORDER BY ordinal_position) FROM information_schema.columns
            WHERE table_schema = current_schema() AND table_name = 'Person'
            """)
        #expect(
            kinds.text(0, 0)
                == "bigint bigint smallint integer double precision real numeric boolean timestamp with time zone uuid text bytea jsonb text text bigint"
        )
    }

    /// Rows that exchange unique values, and records that violate a constraint or lack a mandatory value.
    @Test func refusals() throws {
        _ = try take(#"[{"id":1,"email":"a"},{"id":2,"email":"b"},{"id":3,"email":"c","team":null}]"#)
        let exchanged = try take(#"[{"id":1,"email":"d"},{"id":2,"email":"a"},{"id":1,"email":"b"}]"#)
        #expect(exchanged.records.updated == 3)
        let refused = try take(
            #"""
            [{"id":4,"email":"c"},{"id":5,"email":"e"},{"id":3,"email":"e"},
             {"id":6,"email":"f","team":{"founded":"2001-01-01"}}]
            """#)
        #expect(refused.records.rejected == 2 && refused.records.inserted == 2)
        let incomplete = try take(#"[{"founded":"2002-01-01","members":[7,{"id":8}]}]"#, as: "Team")
        #expect(incomplete.records.rejected == 1)
        let text = #"[{"founded":"2003-01-01","city":"x","members":[{"id":8,"email":"c"},9,{"id":10,"email":"g"}]}]"#
        #expect(try take(text, as: "Team").records.inserted == 1)
    }

    @Test(
        "A rule of one relationship decides about its missing objects, as in a store",
        arguments: [ImportOptions.Dangling.wait, .stub, .null])
    func danglingByRule(_ policy: ImportOptions.Dangling) throws {
        var way = way
        way.dangling = policy == .null ? .wait : .null
        way.mappings["Team"]?["members"].dangling = policy
        let text = #"[{"founded":"2000-01-01","city":"x","members":[5]}]"#
        let expected = try world.store(text, as: "Team", way)
        #expect(try world.serve(text, as: "Team", way) == expected)
        #expect(expected.dangling == (policy == .stub ? [:] : ["Team.members": 1]))
        _ = try take(#"[{"id":5}]"#)
        let linked = try world.rows("SELECT COUNT(*) FROM Person WHERE team IS NOT NULL")
        #expect(linked == [[policy == .null ? "0" : "1"]])
    }

    /// What PostgreSQL cannot hold rejects its record, wherever it is in the record.
    @Test func unfitValues() throws {
        let long = String(repeating: "x", count: 4000)
        let counts = try world.serve(
            #"""
            [{"id":1,"email":"a\u0000"},{"id":2,"json":{"a":["\u0000"]}},{"id":3},
             {"id":4,"team":{"founded":"2001-01-01","city":"\u0000"}}]
            """#, as: "Person", way)
        #expect(counts.records.rejected == 3 && counts.records.inserted == 1)
        #expect(counts.reasons.allSatisfy { $0.contains("U+0000") })
        let members = try world.serve(
            #"[{"founded":"2001-01-01","city":"\#(long)","members":[3,5]}]"#, as: "Team", way)
        #expect(members.records.inserted == 1 && members.dangling == ["Team.members": 1])
    }

    @Test func missingColumnsAreNamed() throws {
        try world.server.execute("CREATE TABLE \"Team\" (\"_pk\" bigint PRIMARY KEY, \"founded\" timestamptz)")
        #expect {
            _ = try world.serve(#"[{"id":1,"team":null}]"#, as: "Person", way)
        } throws: { error in
            "\(error)".contains("Team has no column city")
        }
    }
}
