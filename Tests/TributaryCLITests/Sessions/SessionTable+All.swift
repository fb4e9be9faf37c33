import TributarySQLite

extension SessionTable {
    /// The tables that sessions choose from.
    static let all: [SessionTable] = [
        SessionTable(name: "users", key: ["id"]), SessionTable(name: "pairs", key: ["id", "place"]),
        SessionTable(name: "events", key: []),
        SessionTable(name: "flat", key: ["id"], shape: .flat, members: ["name", "home", "tag"]),
        SessionTable(
            name: "films", key: ["id"], shape: .related(one: "studio", many: "cast"),
            members: ["name", "studio", "cast"]),
        SessionTable(name: "studio", key: ["id"], isNamed: false),
        SessionTable(name: "cast", key: ["id"], isNamed: false),
        people, strict, audited, plain, withoutRowID, boxes, growing, wide, owners, pets,
    ]

    /// The columns of every foreign table and its members.
    private static func foreign(
        _ name: String, _ statements: [String], _ columns: [String], _ extra: [String] = []
    ) -> SessionTable {
        SessionTable(
            name: name, key: ["id"], maker: .program(statements), columns: columns,
            members: columns.filter { $0 != "id" } + extra)
    }

    /// A STRICT table with a CHECK, a generated column and a partial index.
    private static let strict: SessionTable = {
        var table = foreign(
            "prices",
            [
                """
                CREATE TABLE prices (id INTEGER PRIMARY KEY, name TEXT, count INTEGER CHECK (count >= 0),
                doubled INTEGER GENERATED ALWAYS AS (count * 2)) STRICT
                """,
                "CREATE UNIQUE INDEX one_big ON prices (name) WHERE count > 90",
            ], ["id", "name", "count"], ["other"])
        table.refuses = { row in
            if case .integer(let count)? = row["count"] { return count < 0 }
            return false
        }
        return table
    }()

    /// A table with a trigger that counts updates, an audit and a full-text index.
    private static let audited: SessionTable = {
        var table = foreign(
            "items",
            [
                "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, count INTEGER, touched INTEGER DEFAULT 0)",
                "CREATE TABLE audit_items (number INTEGER PRIMARY KEY, what TEXT, id INTEGER, name TEXT)",
                "CREATE VIRTUAL TABLE search USING fts5(name, content='items', content_rowid='id')",
                """
                CREATE TRIGGER touch AFTER UPDATE ON items BEGIN
                UPDATE items SET touched = coalesce(touched, 0) + 1 WHERE id = NEW.id; END
                """,
                """
                CREATE TRIGGER added AFTER INSERT ON items BEGIN
                INSERT INTO audit_items (what, id, name) VALUES ('i', new.id, new.name);
                INSERT INTO search (rowid, name) VALUES (new.id, new.name); END
                """,
                """
                CREATE TRIGGER changed AFTER UPDATE OF name, count ON items BEGIN
                INSERT INTO audit_items (what, id, name) VALUES ('u', new.id, new.name);
                INSERT INTO search (search, rowid, name) VALUES ('delete', old.id, old.name);
                INSERT INTO search (rowid, name) VALUES (new.id, new.name); END
                """,
                """
                CREATE TRIGGER removed AFTER DELETE ON items BEGIN
                INSERT INTO audit_items (what, id, name) VALUES ('d', old.id, old.name);
                INSERT INTO search (search, rowid, name) VALUES ('delete', old.id, old.name); END
                """,
                """
                CREATE TRIGGER refuse BEFORE INSERT ON items WHEN new.name = 'bad' BEGIN
                SELECT RAISE(ABORT, 'no bad items'); END
                """,
                """
                CREATE TRIGGER refuse_update BEFORE UPDATE ON items WHEN new.name = 'bad' BEGIN
                SELECT RAISE(ABORT, 'no bad items'); END
                """,
            ], ["id", "name", "count"])
        table.refuses = { $0["name"] == .text("bad") }
        table.hasTriggers = true
        return table
    }()

    /// A table with a unique column and a default value, which a view and an index use.
    private static let plain: SessionTable = {
        var table = foreign(
            "notes",
            [
                "CREATE TABLE notes (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT '?', count, tag TEXT UNIQUE)",
                "CREATE INDEX notes_by_name ON notes (name, count)",
                "CREATE VIEW note_names AS SELECT name FROM notes",
            ], ["id", "name", "count", "tag"])
        (table.unique, table.defaults) = (["tag"], ["name": .text("?")])
        table.refuses = { $0["name"] == .null }
        return table
    }()

    /// A table without row IDs, whose key ignores case.
    private static let withoutRowID: SessionTable = {
        let columns = "id TEXT NOT NULL PRIMARY KEY COLLATE NOCASE, name, count"
        var table = foreign("codes", ["CREATE TABLE codes (\(columns)) WITHOUT ROWID"], ["id", "name", "count"])
        table.ignoresCase = true
        return table
    }()

    /// A table that keeps members without a column.
    private static let boxes: SessionTable = {
        var table = foreign(
            "boxes", ["CREATE TABLE boxes (id INTEGER PRIMARY KEY, name TEXT, more TEXT)"], ["id", "name"],
            ["other", "list"])
        table.shape = .rest("more")
        return table
    }()

    /// A table to which imports add columns.
    private static let growing: SessionTable = {
        var table = foreign(
            "growing", ["CREATE TABLE growing (id INTEGER PRIMARY KEY, name TEXT)"], ["id", "name"], ["other", "list"])
        table.shape = .growing
        return table
    }()

    /// A table with as many columns as SQLite allows, nearly.
    private static let wide: SessionTable = {
        let columns = ["id", "name", "count"] + (3..<1990).map { "c\($0)" }
        let types = columns.dropFirst(3).joined(separator: ", ")
        var table = foreign(
            "wide", ["CREATE TABLE wide (id INTEGER PRIMARY KEY, name TEXT, count INTEGER, \(types))"], columns)
        (table.members, table.shape) = (["name", "count", "c3", "c1989"], .growing)
        return table
    }()

    private static let owners = foreign(
        "owners", ["CREATE TABLE owners (id INTEGER PRIMARY KEY, name)"], ["id", "name"])

    /// A table whose rows belong to others.
    private static let pets: SessionTable = {
        let owner = "owner INTEGER REFERENCES owners (id) ON DELETE SET NULL"
        var table = foreign(
            "pets", ["CREATE TABLE pets (id INTEGER PRIMARY KEY, name, \(owner))"], ["id", "name", "owner"])
        table.reference = ("owner", "owners")
        return table
    }()

    // MARK: A model

    /// A table of a model.
    private static let people = SessionTable(
        name: "people", key: ["id"], maker: .model, columns: ["id", "name", "count", "active", "tag"],
        members: ["name", "label", "count", "active", "tag"],
        refuses: { row in
            row.contains { name, value in
                switch (name, value) {
                case (_, .null): false
                case ("active", .flag), ("name", .text), ("tag", .text): false
                case ("count", .integer(let number)), ("id", .integer(let number)):
                    name == "count" && Int16(exactly: number) == nil
                default: true
                }
            }
        })

    /// The versions of the model: the second one has another name for `name`, and one more attribute.
    static func model(version: Int) -> String {
        let name = version == 1 ? "<attribute name=\"name\"" : "<attribute name=\"label\" elementID=\"name\""
        let tag = "<attribute name=\"tag\" optional=\"YES\" attributeType=\"String\"/>"
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0"><entity name="people">
            <attribute name="id" attributeType="Integer 64" usesScalarValueType="NO"/>
            \(name) optional="YES" attributeType="String"/>
            <attribute name="count" optional="YES" attributeType="Integer 16" usesScalarValueType="NO"/>
            <attribute name="doubled" optional="YES" attributeType="Integer 64" usesScalarValueType="NO" derived="YES"
            derivationExpression="count * 2"/>
            <attribute name="active" optional="YES" attributeType="Boolean" usesScalarValueType="NO"/>
            \(version == 1 ? "" : tag)
            <uniquenessConstraints><uniquenessConstraint><constraint value="id"/></uniquenessConstraint>
            </uniquenessConstraints></entity></model>
            """
    }
}
