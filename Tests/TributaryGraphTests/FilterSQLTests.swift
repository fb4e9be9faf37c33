import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// The SQL of each construct of the filter language.
@Suite struct FilterSQLTests {
    @Test(
        "Each construct compiles to its SQL, which matches evaluation in memory",
        arguments: [
            ("i == nil", #"("_o"."i" IS NULL)"#),
            ("i != 3", #"("_o"."i" IS NOT ?)"#),
            ("i < 3", #"("_o"."i" < ? AND "_o"."i" IS NOT NULL)"#),
            ("i <= 3", #"("_o"."i" <= ? AND "_o"."i" IS NOT NULL)"#),
            (
                "i <= d",
                #"(("_o"."i" <= "_o"."d" AND "_o"."i" IS NOT NULL AND "_o"."d" IS NOT NULL) OR ("_o"."i" IS NULL AND "_o"."d" IS NULL))"#
            ),
            ("i == d", #"("_o"."i" IS "_o"."d")"#),
            ("i == 's'", #"("_o"."i" IS NULL AND ? IS NULL)"#),
            ("s ==[cd] 'É'", #"(_fold("_o"."s", 3) IS ?)"#),
            ("s CONTAINS 'a'", #"COALESCE(instr("_o"."s", ?) > 0, 0)"#),
            ("s LIKE[c] 'a*'", "_test('LIKE', 1, 's', \"_o\".\"s\", 's', ?)"),
            ("s MATCHES 'a+'", "_test('MATCHES', 0, 's', \"_o\".\"s\", 's', ?)"),
            (
                "i IN {1, 2, nil}",
                #"(("_o"."i" IN (?, ?) AND "_o"."i" IS NOT NULL) OR ("_o"."i" IS NULL))"#
            ),
            ("i IN {}", "0"),
            (
                "i BETWEEN {1, 3}",
                #"("_o"."i" IS NOT NULL AND (? <= "_o"."i" AND "_o"."i" IS NOT NULL) AND ("_o"."i" <= ? AND "_o"."i" IS NOT NULL))"#
            ),
            ("dec > 1", "_test('>', 0, 'n', \"_o\".\"dec\", 'i', ?)"),
            ("i + 1 == 2", "_test('==', 0, 'n', _apply('+', 'i', \"_o\".\"i\", 'i', ?), 'i', ?)"),
            ("owner == nil", #"("_o"."owner" IS NULL)"#),
            (
                "owner.name == 'a'",
                #"((SELECT "_1"."name" FROM "Owner" AS "_1" WHERE "_1"."_pk" = "_o"."owner") IS ?)"#
            ),
            (
                "ANY previous.i == 3",
                #"EXISTS (SELECT 1 FROM "Item" AS "_1" WHERE "_1"."next" = "_o"."_pk" AND ("_1"."i" IS ?))"#
            ),
            (
                "ALL previous.i == 3",
                #"(NOT EXISTS (SELECT 1 FROM "Item" AS "_1" WHERE "_1"."next" = "_o"."_pk" AND NOT ("_1"."i" IS ?)))"#
            ),
            (
                "previous.@count == 0",
                #"((SELECT COUNT(*) FROM "Item" AS "_1" WHERE "_1"."next" = "_o"."_pk") IS ?)"#
            ),
            (
                "ANY tags.name == 'a'",
                #"EXISTS (SELECT 1 FROM "Tag" AS "_1" WHERE "_1"."_pk" IN (SELECT "_target" FROM "_Item.tags" WHERE "_source" = "_o"."_pk") AND ("_1"."name" IS ?))"#
            ),
            (
                "previous.@max.i > 1",
                #"COALESCE((SELECT MAX("_1"."i") FROM "Item" AS "_1" WHERE "_1"."next" = "_o"."_pk") > ?, 0)"#
            ),
            (
                "SUBQUERY(previous, $x, $x.i > i).@count == 0",
                #"((SELECT COUNT(*) FROM "Item" AS "_1" WHERE "_1"."next" = "_o"."_pk" AND ("_1"."i" > "_o"."i" AND "_1"."i" IS NOT NULL AND "_o"."i" IS NOT NULL)) IS ?)"#
            ),
            (
                "SELF IN previous",
                #"EXISTS (SELECT 1 FROM "Item" AS "_1" WHERE "_1"."next" = "_o"."_pk" AND ("_1"."_pk" IS "_o"."_pk"))"#
            ),
            ("NOT (i < 3 AND s == 'a')", #"(NOT (("_o"."i" < ? AND "_o"."i" IS NOT NULL) AND ("_o"."s" IS ?)))"#),
        ])
    func constructs(_ text: String, _ sql: String) throws {
        var random = SeededGenerator(seed: 7)
        let world = try FilterSQLWorld(&random)
        let item = try #require(world.model["Item"])
        let filter = try Filter(format: text)
        let fragment = try FetchCompiler(schema: world.schema, model: world.model).condition(filter, of: item)
        #expect(fragment.text == sql)
        #expect(try world.inSQL("Item", filter, []) == world.inMemory("Item", filter, []))
    }

    @Test(
        "A filter that cannot be compiled to SQL throws its error code",
        arguments: [
            ("cached == 'c'", FilterError.Code.unsupported), ("nothing == 1", .key), ("owner.nothing == 1", .key),
            ("tags == 1", .toMany), ("previous.i > 3", .toMany), ("$x == 1", .variable), ("s + 1 == 2", .operand),
            ("s MATCHES '('", .pattern), ("random() < 2", .unsupported), ("i BETWEEN 3", .operand),
            ("previous[FIRST].i == 1", .unsupported), ("bonus == 1", .key), ("i.x == 1", .key),
            ("(previous UNION friends).@count == 1", .unsupported),
        ])
    func whatIsRefused(_ text: String, _ code: FilterError.Code) throws {
        var random = SeededGenerator(seed: 7)
        let world = try FilterSQLWorld(&random)
        let item = try #require(world.model["Item"])
        let filter = try Filter(format: text)
        #expect {
            try FetchCompiler(schema: world.schema, model: world.model).condition(filter, of: item)
        } throws: {
            ($0 as? FilterError)?.code == code
        }
    }

    @Test("Requests for subentities filter by entity, and sort keys compile to SQL")
    func subentitiesAndOrder() throws {
        var random = SeededGenerator(seed: 7)
        let world = try FilterSQLWorld(&random)
        let special = try #require(world.model["Special"])
        let compiler = FetchCompiler(schema: world.schema, model: world.model)
        #expect(compiler.scope(of: special).map(\.text) == [#""_o"."_entity" IN (?)"#])
        let keys = [SortKey("bonus", ascending: false), SortKey("s", options: .caseInsensitive)]
        #expect(try compiler.order(keys, of: special).joined().text == #""_o"."bonus" DESC, _fold("_o"."s", 1) ASC"#)
        #expect(try world.inSQL("Special", "bonus != 3", keys) == world.inMemory("Special", "bonus != 3", keys))
        #expect(throws: FilterError.self) { try compiler.order([SortKey("tags.name")], of: special) }
        #expect(throws: FilterError.self) { try compiler.order([SortKey("owner")], of: special) }
        let item = try #require(world.model["Item"])
        #expect(compiler.scope(of: item).isEmpty)
    }

    @Test("Plain conditions on an indexed attribute use the index")
    func plainConditionsUseAnIndex() throws {
        var random = SeededGenerator(seed: 7)
        let world = try FilterSQLWorld(&random)
        try world.connection.execute("CREATE INDEX \"plain\" ON \"Item\" (\"i\")")
        let item = try #require(world.model["Item"])
        let compiler = FetchCompiler(schema: world.schema, model: world.model)
        for filter in ["i == 3", "i > 3 AND s == 'a'", "i IN {1, 2}", "i BETWEEN {1, 5}"] as [Filter] {
            let plan = try world.connection.rows(
                of:
                    "EXPLAIN QUERY PLAN SELECT 1 FROM \(compiler.table(of: item)) WHERE \(compiler.condition(filter, of: item))"
            )
            #expect(plan.contains { "\($0)".contains("SEARCH _o USING") }, "\(filter): \(plan)")
        }
    }
}
