import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// Names and values that imitate SQL.
@Suite struct FetchHostileTests {
    private static let names = [
        "SELECT", "a\"b'c", "😀 é", "'; DROP TABLE x; --", "order", "table", "temp", "pragma_table_info",
    ]
    private static let keys = [
        "rowid", "oid", "pk", "value", "at", "\"", "'", "x'; DROP TABLE y; --", "key", "group", "😀", "e\u{301}", "a b",
        "count(*)", "?", "?1", ":a", "null", "\\", "%",
    ]

    /// A ring of entities, each related to the next one in every way.
    private func world() throws -> FetchWorld {
        var entities = Self.names.map(EntityDescription.init)
        for index in entities.indices {
            let next = (index + 1) % entities.count
            func relationship(
                _ name: String, _ destination: Int, _ inverse: String?, isToMany: Bool = false, isOrdered: Bool = false
            ) -> RelationshipDescription {
                makeRelationship(
                    name, to: Self.names[destination], inverse: inverse, isToMany: isToMany, isOrdered: isOrdered,
                    rule: inverse == nil ? .noAction : .nullify)
            }
            entities[index].attributes = Self.keys.map { AttributeDescription($0, .string) }
            entities[index].relationships += [
                relationship("to \"one\"", next, "to 'many'"),
                relationship("m\"2'm", next, "back\" m2m", isToMany: true),
                relationship("self's", index, "self's", isToMany: true),
                relationship("none\"", next, nil, isToMany: true),
                relationship("in;order", next, "SELECT back", isToMany: true, isOrdered: true),
            ]
            entities[next].relationships += [
                relationship("to 'many'", index, "to \"one\"", isToMany: true),
                relationship("back\" m2m", index, "m\"2'm", isToMany: true),
                relationship("SELECT back", index, "in;order", isToMany: true),
            ]
        }
        return try FetchWorld(try Model(ModelDescription(entities)))
    }

    @Test("Names that imitate SQL work as entity and property names in every query")
    func namesAreNames() throws {
        let world = try world()
        let values = FetchCompiler(schema: world.compiler.schema, model: world.model)
        let batches = FetchCompiler(schema: world.compiler.schema, model: world.model)
        try world.connection.transaction {
            for entity in Self.names {
                let columns = Self.keys.map { name -> SQLFragment in "\(identifier: name)" }
                let fields = Self.keys.map { name -> SQLFragment in "\(name)" }
                for key in 1...3 {
                    try world.connection.execute(
                        "INSERT INTO \(identifier: entity) (_pk, \"to \"\"one\"\"\", \(columns)) VALUES (\(key), 1, \(fields))"
                    )
                }
                for join in [".m\"2'm", ".self's", ".none\"", ".in;order"] {
                    let table = "_\(entity)\(join)"
                    let isThere = try world.connection.value(of: "SELECT 1 FROM sqlite_master WHERE name = \(table)")
                    guard isThere == 1 else { continue }
                    try world.connection.execute(
                        "INSERT INTO \(identifier: table) (_source, _target) VALUES (1, 2), (1, 3)")
                }
            }
        }
        for name in Self.names {
            let entity = try world.entity(name)
            for key in Self.keys {
                let filter = Filter(.keyPath([key]), .equal, .constant(.string(key)))
                let request = RowRequest(entity: name, where: filter, sort: [SortKey(key)])
                #expect(try world.keys(world.compiler.rows(request)) == [1, 2, 3])
                #expect(try world.compiler.count(request, on: world.connection) == 3)
                var grouped = ValueRequest(entity: name)
                grouped.columns = [.init(key, .keyPath([key])), .init("\(key)\u{0}n", .function(.count, [.subject]))]
                grouped.groupBy = [[key]]
                grouped.having = filter
                let rows = try values.query(grouped).rows(on: world.connection) { FilterReference(RowKey($0, $1)) }
                #expect(rows.map(\.values) == [[.string(key), 3]])
                let update = BatchUpdate(entity: name, set: [key: .constant("new")], where: filter)
                #expect(try batches.execute(update, on: world.connection).updated.count == 3)
            }
            #expect(try world.keys(world.compiler.rows(RowRequest(entity: name), .keys)) == [1, 2, 3])
            #expect(try world.keys(world.compiler.rows(of: entity, keys: [3, 2, -7, .max, .min])) == [2, 3])
            #expect(try world.keys(world.compiler.rows(of: entity, keys: [])).isEmpty)
            for relationship in entity.relationships {
                _ = try world.children(name, relationship.name, of: [1, 2, 3])
            }
            #expect(try world.children(name, "to 'many'", of: [1, 2]) == [1: [1, 2, 3]])
            #expect(try world.children(name, "self's", of: [1, 3]) == [1: [2, 3], 3: [1]])
            #expect(try world.children(name, "none\"", of: [1]) == [1: [2, 3]])
        }
        for name in Self.names {
            let count = try batches.execute(BatchDelete(entity: name), on: world.connection).deleted.count
            #expect(count == 3)
        }
    }

    @Test("An entity with 1,900 properties is fetched and updated; 2,001 columns fail")
    func tablesAsWideAsCanBe() throws {
        var wide = EntityDescription("Wide")
        wide.attributes = (0..<1_890).map { AttributeDescription("a\($0)", $0 % 2 == 0 ? .decimal : .string) }
        wide.relationships = (0..<10).map { RelationshipDescription("r\($0)", to: "Wide") }
        for index in wide.relationships.indices { wide.relationships[index].deleteRule = .noAction }
        let world = try FetchWorld(try Model(ModelDescription([wide])))
        try world.connection.execute("INSERT INTO Wide (_pk, a0, a1889, r9) VALUES (1, '1', 'x', 1)")
        let query = try world.compiler.rows(RowRequest(entity: "Wide"))
        #expect(query.layout.columnCount == 1_902)
        #expect(try world.keys(query) == [1])
        #expect(try world.children("Wide", "r9", of: [1]) == [1: [1]])
        let values = FetchCompiler(schema: world.compiler.schema, model: world.model)
        var request = ValueRequest(entity: "Wide")
        #expect(
            try values.query(request).rows(on: world.connection) { _, key in FilterReference(key) }.first?.count
                == 1_900)
        request.isDistinct = true
        #expect(try values.query(request).rows(on: world.connection) { _, key in FilterReference(key) }.count == 1)
        request.columns = (0..<2_001).map { .init("c\($0)", .keyPath(["a0"])) }
        #expect { try values.query(request) } throws: { ($0 as? FetchError)?.code == .column }
        let all = Dictionary(uniqueKeysWithValues: (0..<1_890).map { ("a\($0)", FilterExpression.constant(nil)) })
        let batches = FetchCompiler(schema: world.compiler.schema, model: world.model)
        #expect(try batches.execute(BatchUpdate(entity: "Wide", set: all), on: world.connection).updated.count == 1)
    }

    @Test("Values reach SQLite as bindings, never as SQL text")
    func noValueIsText() throws {
        let world = try FetchWorld.library()
        let secret = "5ecret'\"; --"
        var texts: [String] = []
        var request = RowRequest(
            entity: "Author", where: "name == \(secret) OR city IN {'5ecret', $x} OR id == 9876543")
        request.variables = ["x": .string(secret)]
        request.limit = 9_876_543
        request.offset = 9_876_543
        texts.append(try world.compiler.rows(request).sql.text)
        texts.append(try world.compiler.rows(request, .keys).sql.text)
        texts.append(try world.compiler.count(request).text)
        let author = try world.entity("Author")
        texts.append(world.compiler.rows(of: author, keys: [9_876_543]).sql.text)
        for relationship in author.relationships {
            texts.append(try world.compiler.children(of: relationship, owners: [9_876_543]).sql.text)
        }
        var values = ValueRequest(entity: "Author", where: request.filter)
        values.variables = request.variables
        values.columns = [.init(secret, .constant(.string(secret))), .init("n", .function(.max, [.keyPath(["id"])]))]
        values.having = "n != 9876543"
        values.limit = 9_876_543
        values.isDistinct = true
        texts.append(try FetchCompiler(schema: world.compiler.schema, model: world.model).query(values).sql.text)
        var update = BatchUpdate(entity: "Author", set: ["name": .constant(.string(secret))], where: request.filter)
        update.variables = request.variables
        texts.append(try FetchCompiler(schema: world.compiler.schema, model: world.model).query(update).sql.text)
        for text in texts { #expect(!text.contains("5ecret") && !text.contains("9876543"), "\(text)") }
        let (_, statements) = try world.recording {
            var delete = BatchDelete(entity: "Author", where: request.filter)
            delete.variables = request.variables
            _ = try FetchCompiler(schema: world.compiler.schema, model: world.model).execute(
                delete, on: world.connection)
        }
        #expect(statements.allSatisfy { !$0.contains("5ecret") && !$0.contains("9876543") })
    }

    @Test("An explanation shows the SQL and the query plan without values")
    func plansCanBeRead() throws {
        let world = try FetchWorld.library()
        let query = try world.compiler.rows(
            RowRequest(entity: "Book", where: "isbn == 'a'", sort: [SortKey("pages")]), .keys)
        let explanation = try query.sql.explanation(on: world.connection)
        #expect(
            explanation.description == """
                SELECT "_o"."_pk" FROM "Book" AS "_o" WHERE ("_o"."isbn" IS ?) ORDER BY "_o"."pages" ASC, "_o"."_pk"
                  SEARCH _o USING INDEX _unique.Book.isbn (isbn=?)
                  USE TEMP B-TREE FOR ORDER BY
                """)
        let nested = try world.compiler.rows(of: world.entity("Book"), keys: [1]).sql.explanation(on: world.connection)
        #expect(nested.plan.contains { $0.hasPrefix("  ") })
        #expect(!explanation.description.contains("'a'"))
    }
}
