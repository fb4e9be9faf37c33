import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// Batch deletions in the store, by the delete rules of the model.
@Suite struct BatchDeleteTests {
    private func delete(_ world: FetchWorld, _ delete: BatchDelete) throws -> BatchResult {
        let result = try FetchCompiler(schema: world.compiler.schema, model: world.model)
            .execute(delete, on: world.connection)
        #expect(try world.connection.rows(of: "PRAGMA foreign_key_check").isEmpty)
        return result
    }

    private func error(_ world: FetchWorld, _ delete: BatchDelete) -> String? {
        errorText { _ = try self.delete(world, delete) }
    }

    private func keys(_ rows: [RowKey]) -> [String] { rows.map { "\($0.entity.name) \($0.key)" } }

    @Test("A batch delete cascades, and clears references to the deleted rows")
    func whatCascadesGoesAndWhatPointsIsCleared() throws {
        let world = try FetchWorld.library()
        let (result, statements) = try world.recording {
            try delete(world, BatchDelete(entity: "Person", where: "name == 'Ursula'"))
        }
        #expect(keys(result.deleted) == ["Author 1", "Book 1", "Book 2"])
        #expect(keys(result.updated) == ["Series 2"])
        #expect(try world.connection.rows(of: "SELECT editor, _version FROM Series WHERE _pk = 2") == [[nil, 2]])
        #expect(try world.connection.rows(of: "SELECT * FROM \"_Person.friends\"") == [[2, 2]])
        #expect(statements.count < 20)
    }

    @Test("Deleting an owner clears its ordered children's reference and position")
    func anOrderGoesWithItsOwner() throws {
        let world = try FetchWorld.library()
        let result = try delete(world, BatchDelete(entity: "Series"))
        #expect(keys(result.deleted) == ["Series 1", "Series 2"])
        #expect(keys(result.updated) == ["Book 1", "Book 2", "Book 3"])
        #expect(
            try world.connection.rows(of: "SELECT DISTINCT series, \"_order.Series.books\" FROM Book") == [[nil, nil]])
    }

    @Test("A batch delete removes only matching rows, and refuses unknown keys")
    func nothingIsNothing() throws {
        let world = try FetchWorld.library()
        #expect(try delete(world, BatchDelete(entity: "Book", where: "isbn == 'none'")).deleted.isEmpty)
        #expect(error(world, BatchDelete(entity: "Book", where: "titel == 1")) == "filter: Book has no key titel")
        #expect(keys(try delete(world, BatchDelete(entity: "Reader")).deleted) == ["Reader 3"])
    }

    /// A tree that cascades, locks that deny, a required reference, teams of at least two, a reference without action.
    private func world() throws -> FetchWorld {
        func relationship(
            _ name: String, _ destination: String, _ inverse: String, isToMany: Bool = false,
            _ rule: DeleteRule = .nullify
        ) -> RelationshipDescription {
            makeRelationship(name, to: destination, inverse: inverse, isToMany: isToMany, rule: rule)
        }
        let nodes = [
            relationship("parent", "Node", "children"),
            relationship("children", "Node", "parent", isToMany: true, .cascade),
            relationship("twin", "Node", "twin", .cascade),
            relationship("locks", "Lock", "node", isToMany: true, .deny),
            relationship("owned", "Lock", "owner", isToMany: true, .cascade),
            relationship("needy", "Need", "node", isToMany: true),
            relationship("teams", "Team", "members", isToMany: true),
            relationship("loose", "Loose", "node", isToMany: true, .noAction),
        ]
        let locks = [relationship("node", "Node", "locks"), relationship("owner", "Node", "owned")]
        var needed = relationship("node", "Node", "needy")
        needed.isOptional = false
        var members = relationship("members", "Node", "teams", isToMany: true)
        members.minimumCount = 2
        let world = try FetchWorld(
            makeModel(
                makeEntity("Node", [], nodes), makeEntity("Lock", [], locks), makeEntity("Need", [], [needed]),
                makeEntity("Team", [], [members]), makeEntity("Loose", [], [relationship("node", "Node", "loose")])))
        try world.insert([
            // A chain of 50 nodes, a cycle of three, a pair of twins, and a single node.
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50) INSERT INTO Node (_pk, parent) SELECT i, NULLIF(i - 1, 0) FROM n",
            "INSERT INTO Node (_pk, parent) VALUES (101, 103), (102, 101), (103, 102), (201, NULL), (202, NULL), (203, NULL)",
            "UPDATE Node SET twin = 202 WHERE _pk = 201", "UPDATE Node SET twin = 201 WHERE _pk = 202",
        ])
        return world
    }

    @Test("Cascades follow long chains and stop in cycles")
    func cascadesReachTheEndAndCirclesEnd() throws {
        let world = try world()
        #expect(
            try delete(world, BatchDelete(entity: "Node", where: "parent == nil AND twin == nil")).deleted.count == 51)
        #expect(
            try delete(world, BatchDelete(entity: "Node", where: "SELF.children.@count == 0")).deleted.map(\.key) == [
                201, 202,
            ])
        #expect(try world.compiler.count(RowRequest(entity: "Node"), on: world.connection) == 3)
        let circle = try delete(world, BatchDelete(entity: "Node"))
        #expect(circle.deleted.map(\.key) == [101, 102, 103] && circle.updated.isEmpty)
    }

    @Test("A deny rule refuses the whole deletion unless its rows are deleted too")
    func whatDeniesKeepsEverything() throws {
        let world = try world()
        try world.insert(["INSERT INTO Lock (_pk, node, owner) VALUES (1, 50, NULL)"])
        let before = try world.connection.rows(of: "SELECT * FROM Node")
        #expect(
            error(world, BatchDelete(entity: "Node", where: "parent == nil"))
                == "fetch: Node.locks denies the deletion while it refers to other objects (1); delete those first")
        #expect(try world.connection.rows(of: "SELECT * FROM Node") == before)
        // A lock that is deleted as well denies nothing.
        try world.insert(["UPDATE Lock SET owner = 3"])
        let result = try delete(world, BatchDelete(entity: "Node", where: "parent == nil AND twin == nil"))
        #expect(result.deleted.count == 52)
    }

    @Test("A batch delete that breaks a required reference or minimum count is refused")
    func whatMustHaveAValueKeepsIt() throws {
        let world = try world()
        try world.insert([
            "INSERT INTO Need (_pk, node) VALUES (1, 203)", "INSERT INTO Team (_pk) VALUES (1), (2)",
            "INSERT INTO \"_Node.teams\" (_source, _target) VALUES (101, 1), (50, 1), (49, 1), (201, 2)",
            "INSERT INTO Loose (_pk, node) VALUES (1, 50)",
        ])
        #expect(
            error(world, BatchDelete(entity: "Node", where: "needy.@count > 0"))
                == "fetch: Need.node is required, and the deletion would set it to null (1); delete those objects first"
        )
        // A team of three may lose one member, and a reference without a delete action keeps its value.
        #expect(try delete(world, BatchDelete(entity: "Node", where: "loose.@count > 0")).updated.isEmpty)
        #expect(try world.connection.value(of: "SELECT node FROM Loose") == 50)
        #expect(
            error(world, BatchDelete(entity: "Node", where: "teams.@count > 0 AND children.@count == 0"))
                == "fetch: Team.members must have at least 2 objects and would have 1; delete its owner too, or fewer objects"
        )
        // An optional relationship may be empty, whatever its minimum count.
        #expect(try delete(world, BatchDelete(entity: "Node", where: "twin != nil")).deleted.count == 2)
    }

    @Test("A batch delete runs far fewer statements than it deletes rows")
    func statementsDoNotGrowWithRows() throws {
        let world = try world()
        try world.insert([
            "WITH RECURSIVE n(i) AS (SELECT 1001 UNION ALL SELECT i + 1 FROM n WHERE i < 21000) INSERT INTO Node (_pk) SELECT i FROM n"
        ])
        let (result, statements) = try world.recording {
            try delete(world, BatchDelete(entity: "Node", where: "parent == nil"))
        }
        #expect(result.deleted.count == 20_053 && statements.count < 260, "\(statements.count)")
    }

    @Test("A batch delete passes no list of keys to SQLite, and leaves no marks")
    func marksAreInATable() throws {
        let world = try world()
        let (result, statements) = try world.recording { try delete(world, BatchDelete(entity: "Node")) }
        #expect(result.deleted.count == 56)
        #expect(!statements.contains { $0.contains("json_each") }, "\(statements)")
        for table in ["Node", "temp._deletion"] {
            let name = SQLFragment(trusted: table)
            #expect(try world.connection.value(of: "SELECT COUNT(*) FROM \(name)") == 0)
        }
    }

    @Test(
        "A batch deletes nothing if a trigger keeps a row, or brings it back",
        arguments: [
            "BEFORE DELETE ON Book WHEN old.isbn = 'b' BEGIN SELECT RAISE(IGNORE); END",
            """
            AFTER DELETE ON book WHEN old.isbn = 'b' BEGIN
            INSERT INTO Book (_pk, isbn) VALUES (old._pk, old.isbn); END
            """,
        ])
    func triggersThatKeepRows(_ trigger: String) throws {
        let world = try FetchWorld.library()
        world.connection.setUsesSchemaCode(true)
        try world.insert([SQLFragment(trusted: "CREATE TRIGGER keep " + trigger)])
        let before = try world.connection.rows(of: "SELECT * FROM Book")
        let message = try #require(error(world, BatchDelete(entity: "Book")))
        #expect(message.contains("a trigger of Book keeps rows that are to be deleted"))
        #expect(try world.connection.rows(of: "SELECT * FROM Book") == before)
    }

    @Test("Rows of a feed that deny each other's deletion are deleted together")
    func rowsThatDenyEachOtherGoTogether() throws {
        var (left, right) = (EntityDescription("Left"), EntityDescription("Right"))
        var one = RelationshipDescription("other", to: "Right")
        (one.inverse, one.deleteRule) = ("other", .deny)
        left.relationships = [one]
        (one.destination, one.deleteRule) = ("Left", .deny)
        right.relationships = [one]
        let world = try FetchWorld(try Model(ModelDescription([left, right])))
        try world.insert([
            "INSERT INTO \"Left\" (_pk, other) VALUES (1, 2), (2, 1)",
            "INSERT INTO \"Right\" (_pk, other) VALUES (1, 2), (2, 1)",
        ])
        let deleted = try world.connection.transaction { () -> [String: Int] in
            for entity in ["Left", "Right"] {
                let keys = KeyBitmap([1, 2])
                try MarkTable.add(keys, feed: "feed", run: 1, entity: entity, on: world.connection)
            }
            let rows = FeedRows(of: "feed", run: 2, in: world.compiler.schema, on: world.connection)
            return try rows.delete(try rows.find { _ in .always }) { _, _ in nil }
        }
        #expect(deleted == ["Left": 2, "Right": 2])
    }
}
