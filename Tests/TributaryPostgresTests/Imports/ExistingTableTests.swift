import Testing
import TributaryTestSupport

import Tributary
import TributaryPostgres

/// Imports into tables of other programs.
@Suite struct ExistingTableTests {
    let world: PostgresWorld

    init() throws { world = try PostgresWorld() }

    private func load(
        _ text: String, key: ImportKey? = nil, table: String = "thing",
        _ change: (inout ImportOptions, inout PostgresSettings) -> Void = { _, _ in }
    ) throws -> [Int] {
        try world.load(text, .table(table, key: key), change).tally
    }

    private func error(
        _ text: String, key: ImportKey? = nil, table: String = "thing"
    ) throws -> String {
        let before = try world.column(
            "SELECT count(*) FROM pg_class WHERE relname = '_run' AND relnamespace = current_schema()::regnamespace")
        let feed = try world.makeImport(text, .table(table, key: key))
        var failure: (any Error)?
        do { _ = try feed.perform() } catch { failure = error }
        let error = try #require(failure)
        // A refused import leaves no run behind.
        if before == ["1"] {
            #expect(try world.column("SELECT count(*) FROM _run WHERE state = 'running'") == ["0"])
        }
        return "\(error)"
    }

    // MARK: Keys

    @Test("The key is the primary key, the only unique index, or the one that is named")
    func keys() throws {
        try world.execute("CREATE TABLE thing (id bigint PRIMARY KEY, name text)")
        #expect(try load(#"[{"id":1,"name":"a"},{"id":1,"name":"b"}]"#) == [2, 1, 1, 0, 0, 0, 0])
        try world.execute("CREATE TABLE indexed (name text, id bigint)", "CREATE UNIQUE INDEX ON indexed (id, name)")
        let text = #"[{"id":1,"name":"a"},{"id":1,"name":"b"},{"id":1,"name":"a"}]"#
        #expect(try load(text, table: "indexed") == [3, 2, 0, 1, 0, 0, 0])
        try world.execute(
            "CREATE TABLE several (id bigint PRIMARY KEY, code text UNIQUE, a integer, b integer, UNIQUE (a, b))")
        let several = try error(#"[{"id":1,"code":"x"}]"#, table: "several")
        #expect(several.contains("several unique indexes"), "\(several)")
        #expect(["id", "code", "a,b"].allSatisfy(several.contains), "\(several)")
        #expect(try load(#"[{"id":1,"code":"x"}]"#, key: "code", table: "several") == [1, 1, 0, 0, 0, 0, 0])
        #expect(try load(#"[{"id":2,"code":"x","a":7}]"#, key: "code", table: "several") == [1, 0, 1, 0, 0, 0, 0])
        #expect(try world.rows("several") == [#"{"a": 7, "b": null, "id": 2, "code": "x"}"#])
        let other = try error(#"[{"id":2,"code":"x","a":7}]"#, key: "a", table: "several")
        #expect(other.contains("a is neither the primary key nor a unique index of several"), "\(other)")
        #expect(other.contains("its keys are"), "\(other)")
    }

    @Test("An index that cannot find all rows is no key")
    func partialIndexes() throws {
        try world.execute(
            "CREATE TABLE thing (id bigint, name text)", "CREATE UNIQUE INDEX ON thing (id) WHERE id > 0",
            "CREATE UNIQUE INDEX ON thing (lower(name))")
        let text = try error(#"[{"id":1}]"#, key: "id")
        #expect(text.contains("id is neither the primary key nor a unique index of thing"), "\(text)")
        #expect(text.contains("create a unique index first"), "\(text)")
        try world.execute("CREATE UNIQUE INDEX ON thing (id) INCLUDE (name)")
        #expect(try load(#"[{"id":1}]"#, key: "id") == [1, 1, 0, 0, 0, 0, 0])
    }

    @Test(
        "Keys that are equal only for the server are one key, in feed order", arguments: ["char(3)", "numeric", "ci"])
    func looseKeys(_ type: String) throws {
        try world.execute("CREATE COLLATION ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false)")
        let (column, forms): (PostgresSQL, [String]) =
            switch type {
            case "numeric": ("numeric", ["1", "1.0", "1.00", "2", "2.0"])
            case "ci": ("text COLLATE ci", [#""a""#, #""A""#, #""b""#, #""B""#])
            default: ("char(3)", [#""a""#, #""a ""#, #""b""#, #""b ""#, #""b  ""#])
            }
        var lots = SeededGenerator.sampled(11_400)
        for mode in [ImportMode.upsert, .insert, .update, .replace, .ignore] {
            for group in [1, 3, 100] {
                try world.execute(
                    "DROP TABLE IF EXISTS thing", "CREATE TABLE thing (id \(column) PRIMARY KEY, name text)")
                if mode == .update {
                    try world.execute(
                        type == "numeric"
                            ? "INSERT INTO thing VALUES (1, 'x'), (2, 'x')"
                            : "INSERT INTO thing VALUES ('a', 'x'), ('b', 'x')")
                }
                let keys = (0..<30).map { _ in lots.pick(forms) }
                let text = keys.enumerated().map { "{\"id\":\($1),\"name\":\"\($0)\"}" }.joined(separator: ",\n")
                let tally = try load("[\(text)]") { options, settings in
                    (options.mode, options.batchSize, settings.groupRows, settings.connections) = (mode, 1, group, 3)
                }
                let name = { (key: String) in
                    key.lowercased().filter { !"\" ".contains($0) }.split(separator: ".").first.map(String.init) ?? ""
                }
                var expected: [String: Int] = [:]
                for (number, key) in keys.enumerated() {
                    if [.insert, .ignore].contains(mode), expected[name(key)] != nil { continue }
                    expected[name(key)] = number
                }
                let label: Comment = "\(type), \(mode), groups of \(group), seed \(lots.seed): \(keys)"
                #expect(
                    try world.column("SELECT name FROM thing ORDER BY id")
                        == expected.sorted { $0.key < $1.key }.map { "\($0.value)" }, label)
                #expect(tally[1] == (mode == .update ? 0 : expected.count), label)
                if [.upsert, .update, .replace].contains(mode) { #expect(tally[2] == 30 - tally[1], label) }
            }
        }
    }

    @Test("A table without a key gets a row for each record")
    func withoutKey() throws {
        try world.execute("CREATE TABLE thing (name text)")
        #expect(try load(#"[{"name":"a"},{"name":"a"}]"#) == [2, 2, 0, 0, 0, 0, 0])
        #expect(try world.rows() == [#"{"name": "a"}"#, #"{"name": "a"}"#])
    }

    @Test("Of records whose keys are equal only for the server the last one wins, also if it is the row of before")
    func looseRepeats() throws {
        try world.execute(
            "CREATE COLLATION ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
            "CREATE TABLE thing (id text COLLATE ci PRIMARY KEY, name text COLLATE ci)",
            "INSERT INTO thing VALUES ('a', 'c')")
        #expect(try load(#"[{"id":"A","name":"x"},{"id":"a","name":"c"}]"#) == [2, 0, 2, 0, 0, 0, 0])
        #expect(try world.column("SELECT name FROM thing") == ["c"])
        #expect(try load(#"[{"id":"a","name":"C"}]"#) == [1, 0, 1, 0, 0, 0, 0])
    }

    // MARK: Constraints

    @Test("A violated constraint rejects its record alone", arguments: [1, 100_000], [1, 3])
    func constraints(_ group: Int, _ connections: Int) throws {
        try world.execute(
            "CREATE TABLE parent (id integer PRIMARY KEY)", "INSERT INTO parent VALUES (1), (2)",
            """
            CREATE TABLE thing (id integer PRIMARY KEY, parent integer REFERENCES parent, size smallint CHECK (size < 100),
            name varchar(5) NOT NULL, code text UNIQUE)
            """)
        let records = (0..<200).map { number -> String in
            let (parent, size) = (number % 10 == 3 ? 7 : 1 + number % 2, number % 10 == 4 ? 100 : number % 100)
            let name = number % 10 == 5 ? "null" : number % 10 == 6 ? "\"too long\"" : "\"n\(number)\""
            let code = number % 10 == 7 ? "same" : "c\(number)"
            return #"{"id":\#(number),"parent":\#(parent),"size":\#(size),"name":\#(name),"code":"\#(code)"}"#
        }
        let tally = try load("[\(records.joined(separator: ",\n"))]", key: "id") {
            ($0.batchSize, $1.groupRows, $1.connections) = (10, group, connections)
        }
        // The size 100 does not occur otherwise, and one of the same codes is in.
        let refused = 20 + 20 + 20 + 20 + 19
        #expect(tally == [200, 200 - refused, 0, 0, 0, 0, refused])
        let missing = try world.column(
            "SELECT string_agg(n::text, ' ' ORDER BY n) FROM generate_series(0, 199) n WHERE n NOT IN (SELECT id FROM thing)"
        )
        let expected = (0..<200).filter { [3, 4, 5, 6].contains($0 % 10) || $0 % 10 == 7 && $0 != 7 }
        #expect(missing == [expected.map(String.init).joined(separator: " ")])
        let lines = try world.column("SELECT line::text FROM _reject ORDER BY start").compactMap {
            $0.flatMap { Int($0) }
        }
        #expect(lines == expected.map { $0 + 1 })
        let reasons = try world.reasons()
        for (word, count) in [
            ("thing_parent_fkey", 20), ("thing_size_check", 20), ("character varying(5)", 20), ("thing_code_key", 19),
        ] {
            #expect(reasons.count { $0.contains(word) } == count, "\(word): \(reasons.prefix(12))")
        }
        #expect(reasons.count { $0.contains("name") && !$0.contains("varying") } == 20, "\(reasons.prefix(12))")
        // The raw records can be imported again.
        #expect(try world.column("SELECT count(*) FROM _reject WHERE raw LIKE '{\"id\":%}'::bytea") == ["\(refused)"])
    }

    @Test(
        "With the policy stop, a violated constraint ends the import after the records before it",
        arguments: [1, 3], [20, 1000])
    func stops(_ connections: Int, _ group: Int) throws {
        try world.execute("CREATE TABLE thing (id integer PRIMARY KEY, size integer CHECK (size > 0))")
        let text = "[\((0..<500).map { #"{"id":\#($0),"size":\#($0 == 30 ? 0 : 1)}"# }.joined(separator: ","))]"
        let feed = try world.makeImport(text, .table("thing")) { options, settings in
            (options.onError, options.batchSize, options.resuming) = (.stop, 10, .resume)
            (settings.connections, settings.groupRows) = (connections, group)
        }
        let error = try #require(throws: ImportError.self) { try feed.perform() }
        #expect(error.code == .rejected && error.reason.contains("thing_size_check"), "\(error)")
        #expect(try world.rows().count == 30)
        // Nothing after it was taken for written.
        let tally = try load(text) { options, _ in options.resuming = .resume }
        #expect(tally == [500, 499, 0, 0, 0, 0, 1])
    }

    @Test("What a trigger, a deferred constraint or an index refuses is a reject", arguments: [1, 3])
    func lateRefusals(_ connections: Int) throws {
        try world.execute(
            "CREATE TABLE parent (id integer PRIMARY KEY)", "INSERT INTO parent VALUES (1)",
            """
            CREATE TABLE thing (id integer PRIMARY KEY, parent integer REFERENCES parent DEFERRABLE INITIALLY DEFERRED,
            name text)
            """, "CREATE INDEX ON thing (name)",
            """
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF NEW.name = 'bad' THEN RAISE EXCEPTION 'it is bad'; END IF; RETURN NEW; END $$
            """, "CREATE TRIGGER refuse BEFORE INSERT ON thing FOR EACH ROW EXECUTE FUNCTION refuse()")
        let long = (0..<3000).map { String(UInt64($0) &* 0x9E37_79B9_7F4A_7C15, radix: 36) }.joined()
        let text = """
            [{"id":1,"parent":1,"name":"a"},{"id":2,"parent":7,"name":"b"},{"id":3,"parent":1,"name":"bad"},
             {"id":4,"parent":1,"name":"\(long)"},{"id":5,"parent":1,"name":"e"}]
            """
        let tally = try load(text) { $1.connections = connections }
        #expect(tally == [5, 2, 0, 0, 0, 0, 3])
        #expect(try world.column("SELECT id FROM thing ORDER BY id") == ["1", "5"])
    }

    @Test("A constraint that was added to a table of an import refuses records alone")
    func ownConstraints() throws {
        try world.load(#"[{"id":1,"v":1}]"#)
        try world.execute("ALTER TABLE thing ADD CHECK (v < 10)")
        let tally = try world.load(#"[{"id":2,"v":5,"w":true},{"id":3,"v":50}]"#, file: "b.json").tally
        #expect(tally == [2, 1, 0, 0, 0, 0, 1])
        // It is still a table of imports, which gets columns for new members.
        #expect(try world.column("SELECT w FROM thing ORDER BY id") == [nil, "t"])
    }

    @Test("The later of two records wins, also where the first one is refused", arguments: [1, 100])
    func repeatedInCarefulGroups(_ batch: Int) throws {
        try world.execute(
            "CREATE TABLE thing (id integer PRIMARY KEY, name text CHECK (name <> 'bad'))",
            "INSERT INTO thing VALUES (1, 'A')")
        let text = #"[{"id":1,"name":"B"},{"id":1,"name":"A"},{"id":2,"name":"bad"}]"#
        #expect(try load(text) { options, _ in options.batchSize = batch } == [3, 0, 2, 0, 0, 0, 1])
        #expect(try world.rows() == [#"{"id": 1, "name": "A"}"#])
    }

    // MARK: Types of the server

    @Test("Values of types without a form of their own are converted, also without a key")
    func convertedValues() throws {
        let columns: PostgresSQL = "i inet, o oid, m money, t time, v interval, e varchar(3)[], b bit(3)"
        try world.execute(
            "CREATE TABLE thing (id integer, \(columns))", "CREATE TABLE keyed (id integer PRIMARY KEY, \(columns))")
        let text = #"""
            [{"id":1,"i":"10.0.0.1","o":"1234","m":"$12.30","t":"12:34","v":"1 day","e":"{abc,b}","b":"101"},
             {"id":2,"t":"x"},{"id":3,"e":"{abcdef}"},{"id":4,"b":"10101"},{"id":5}]
            """#
        for table in ["thing", "keyed"] {
            #expect(try load(text, table: table) == [5, 2, 0, 0, 0, 0, 3])
            #expect(
                try world.column(
                    "SELECT concat_ws(' ', id, i, o, m, t, v, e, b) FROM \(name: table) ORDER BY id")
                    == ["1 10.0.0.1 1234 $12.30 12:34:00 1 day {abc,b} 101", "5"])
        }
        try world.execute(
            "CREATE DOMAIN short AS varchar(3)", "CREATE DOMAIN shorter AS short",
            "CREATE TABLE domains (id integer PRIMARY KEY, d shorter)")
        #expect(try load(#"[{"id":1,"d":"abc"},{"id":2,"d":"abcd"}]"#, table: "domains") == [2, 1, 0, 0, 0, 0, 1])
    }

    @Test("Where a record has no value the server makes one", arguments: ImportMode.allCases)
    func serverDefaults(_ mode: ImportMode) throws {
        try world.execute(
            """
            CREATE TABLE thing (k integer PRIMARY KEY, v text NOT NULL DEFAULT 'dd', w text DEFAULT 'ww',
            n bigint GENERATED BY DEFAULT AS IDENTITY, s serial)
            """)
        let text = #"[{"k":1,"v":"x","w":"y","n":9,"s":9},{"k":2},{"k":3,"v":"z","w":null}]"#
        let tally = try load(text) { options, _ in options.mode = mode }
        guard mode != .update else { return #expect(tally == [3, 0, 0, 0, 0, 3, 0]) }
        #expect(tally == [3, 3, 0, 0, 0, 0, 0])
        #expect(
            try world.column("SELECT concat_ws(' ', k, v, coalesce(w, 'null'), n > 0, s > 0) FROM thing ORDER BY k")
                == ["1 x y t t", "2 dd ww t t", "3 z null t t"])
        guard mode == .replace else { return }
        #expect(try load(#"[{"k":1},{"k":4,"v":"q","w":"r"}]"#) { options, _ in options.mode = mode }[2] == 1)
        #expect(try world.column("SELECT concat_ws(' ', v, w) FROM thing WHERE k = 1") == ["dd ww"])
    }

    @Test("Appended records get the values of the server, and rows that a trigger leaves out are skipped")
    func appendedDefaults() throws {
        try world.execute(
            "CREATE TABLE thing (id serial, v text NOT NULL DEFAULT 'dd')",
            """
            CREATE FUNCTION leave() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF NEW.v = 'skip' THEN RETURN NULL; END IF; RETURN NEW; END $$
            """, "CREATE TRIGGER leave BEFORE INSERT ON thing FOR EACH ROW EXECUTE FUNCTION leave()")
        #expect(try load(#"[{"v":"a","id":7},{},{"v":"skip"}]"#) == [3, 2, 0, 0, 0, 1, 0])
        #expect(try world.column("SELECT v || (id > 0) FROM thing ORDER BY v") == ["atrue", "ddtrue"])
    }

    @Test("Columns may have the names of those that an import adds for a while")
    func helperNames() throws {
        #expect(try world.load(#"[{"id":1,"_n":2,"_a":true},{"id":1,"_i":3}]"#).tally == [2, 1, 1, 0, 0, 0, 0])
        #expect(try world.load(#"[{"id":1,"_n":4}]"#, file: "b.json").tally == [1, 0, 1, 0, 0, 0, 0])
        #expect(try world.rows() == [#"{"_a": true, "_i": 3, "_n": 4, "id": 1}"#])
    }

    @Test("Triggers run, and one that returns nothing skips its record")
    func triggers() throws {
        try world.execute(
            "CREATE TABLE thing (id integer PRIMARY KEY, name text)", "CREATE TABLE log (name text)",
            """
            CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF NEW.name = 'skip' THEN RETURN NULL; END IF;
            IF NEW.name = 'bad' THEN RAISE 'it is bad' USING ERRCODE = '23514'; END IF;
            INSERT INTO log VALUES (NEW.name); NEW.name := upper(NEW.name); RETURN NEW; END $$
            """, "CREATE TRIGGER note BEFORE INSERT OR UPDATE ON thing FOR EACH ROW EXECUTE FUNCTION note()")
        let text = #"[{"id":1,"name":"a"},{"id":2,"name":"skip"},{"id":3,"name":"bad"},{"id":4,"name":"d"}]"#
        let tally = try load(text)
        #expect(tally[0] == 4 && tally[1] == 2 && tally[6] == 1, "\(tally)")
        #expect(try world.rows() == [#"{"id": 1, "name": "A"}"#, #"{"id": 4, "name": "D"}"#])
        #expect(try world.column("SELECT DISTINCT name FROM log ORDER BY 1") == ["a", "d"])
        #expect(try world.reasons().contains { $0.contains("it is bad") })
    }

    // MARK: Columns

    @Test("Values are converted to the types of columns, and others are rejects")
    func types() throws {
        try world.execute(
            "CREATE DOMAIN small AS integer CHECK (VALUE < 10)", "CREATE TYPE mood AS ENUM ('sad', 'happy')",
            """
            CREATE TABLE thing (id integer PRIMARY KEY, s small, m mood, l integer[], d date, t timestamp,
            z timestamptz, n numeric(5, 2), c char(3), i inet, j json, v interval, r int4range)
            """)
        let first = """
            {"id":1,"s":9,"m":"happy","l":"{1,2}","d":"2024-02-29","t":"2024-02-29T12:00:00.5Z",
            "z":"2024-02-29T12:00:00+01:00","n":123.45,"c":"ab","i":"10.0.0.1","j":{"b":1, "a":2},"v":"1 day","r":"[1,5)"}
            """
        let bad = [
            #""s":10"#, #""m":"angry""#, #""l":"x""#, #""d":"2024-02-29T12:00:00Z""#, #""d":"2024-02-30""#,
            #""t":"x""#, #""n":1234.5"#, #""n":1.234"#, #""c":"abcd""#, #""i":"10.0.0""#, #""v":"x""#, #""r":"5""#,
            #""id":2147483648"#,
        ]
        let others = bad.enumerated().map { "{\"id\":\($0 + 10),\($1)}" }.map {
            $0.contains("2147483648") ? "{\"id\":2147483648}" : $0
        }
        let text = "[\(([first] + others + ["{\"id\":2}"]).joined(separator: ",\n"))]"
        let tally = try load(text)
        let reasons = try world.reasons()
        #expect(tally == [bad.count + 2, 2, 0, 0, 0, 0, bad.count], "\(reasons)")
        let rows = try world.rows()
        #expect(
            rows[0] == """
                {"c": "ab ", "d": "2024-02-29", "i": "10.0.0.1", "j": {"a": 2, "b": 1}, "l": [1, 2], "m": "happy", \
                "n": 123.45, "r": "[1,5)", "s": 9, "t": "2024-02-29T12:00:00.5", "v": "1 day", \
                "z": "2024-02-29T11:00:00+00:00", "id": 1}
                """)
        #expect(try load("[\(first)]") == [1, 0, 0, 1, 0, 0, 0])
        #expect(try load("[\(first.replacing("happy", with: "sad"))]") == [1, 0, 1, 0, 0, 0, 0])
    }

    @Test("A JSON array becomes one of the server, with or without a key", arguments: [true, false])
    func arrays(_ hasKey: Bool) throws {
        try world.execute(
            """
            CREATE TABLE thing (id integer \(hasKey ? "PRIMARY KEY" : "" as PostgresSQL), l integer[], t text[],
            n numeric[], b boolean[])
            """)
        let held = [
            #""l":[1,null,-2],"t":["a\"b\\c",null,"NULL","","{x,y}","é"],"n":[1.50,1e3],"b":[true,false]"#,
            #""l":[[1,2],[3,4]],"t":[],"n":null"#, #""l":"{5,6}","t":"{a,\"b c\"}""#,
        ]
        let refused = [
            #""l":["x"]"#, #""l":[{"a":1}]"#, #""l":[[1],[2,3]]"#, #""l":5"#, #""t":["\u0000"]"#, #""l":"x""#,
        ]
        let records = (held + refused).enumerated().map { "{\"id\":\($0),\($1)}" }
        let text = "[\(records.joined(separator: ",\n"))]"
        let expected = [
            #"{"b": [true, false], "l": [1, null, -2], "n": [1.50, 1000], "t": ["a\"b\\c", null, "NULL", "", "{x,y}", "é"], "id": 0}"#,
            #"{"b": null, "l": [[1, 2], [3, 4]], "n": null, "t": [], "id": 1}"#,
            #"{"b": null, "l": [5, 6], "n": null, "t": ["a", "b c"], "id": 2}"#,
        ]
        #expect(try load(text) == [9, 3, 0, 0, 0, 0, 6])
        #expect(try world.rows().sorted() == expected.sorted())
        guard hasKey else { return }
        #expect(try load(text) == [9, 0, 0, 3, 0, 0, 6])
        #expect(try load(#"[{"id":2,"l":[5,7]}]"#) == [1, 0, 1, 0, 0, 0, 0])
    }

    @Test("The server makes the values of generated and identity columns, and defaults")
    func generated() throws {
        try world.execute(
            """
            CREATE TABLE thing (number bigint GENERATED ALWAYS AS IDENTITY, name text PRIMARY KEY,
            size integer DEFAULT 40 + 2, made date NOT NULL DEFAULT '2020-01-01', loud text GENERATED ALWAYS AS
            (upper(name)) STORED)
            """)
        let text = #"[{"name":"a"},{"name":"b","size":1,"made":"2021-01-01"},{"name":"c","size":null}]"#
        #expect(try load(text, key: "name") == [3, 3, 0, 0, 0, 0, 0])
        #expect(
            try world.column("SELECT concat_ws(' ', number, name, size, made, loud) FROM thing ORDER BY name") == [
                "1 a 42 2020-01-01 A", "2 b 1 2021-01-01 B", "3 c 2020-01-01 C",
            ])
        // A record without the value leaves it as it is.
        #expect(try load(#"[{"name":"b","size":5}]"#, key: "name") == [1, 0, 1, 0, 0, 0, 0])
        #expect(
            try world.column("SELECT concat_ws(' ', number, name, size, made, loud) FROM thing WHERE name = 'b'")
                == ["2 b 5 2021-01-01 B"])
    }

    @Test("A serial key counts on for records without one")
    func serial() throws {
        try world.execute("CREATE TABLE thing (id serial PRIMARY KEY, name text UNIQUE)")
        #expect(try load(#"[{"name":"a"},{"name":"b"}]"#, key: "name") == [2, 2, 0, 0, 0, 0, 0])
        #expect(try load(#"[{"name":"b"},{"name":"c"}]"#, key: "name") == [2, 1, 0, 1, 0, 0, 0])
        #expect(try world.column("SELECT name FROM thing ORDER BY id") == ["a", "b", "c"])
    }

    @Test("Names differ in case, and have any characters")
    func names() throws {
        try world.execute(
            #"CREATE TABLE "Odd ""table""; --" ("Id" bigint PRIMARY KEY, "first name" text, "select" text, "É$1" text)"#
        )
        let text = #"[{"id":1,"FIRST NAME":"a","select":"b","É$1":"c"}]"#
        #expect(try load(text, table: #"Odd "table"; --"#) == [1, 1, 0, 0, 0, 0, 0])
        #expect(
            try world.rows(#"Odd "table"; --"#)
                == [#"{"Id": 1, "É$1": "c", "select": "b", "first name": "a"}"#])
    }

    @Test("A table of another schema of the search path is used")
    func otherSchema() throws {
        let other = try PostgresWorld()
        try other.execute("CREATE TABLE thing (id bigint PRIMARY KEY, name text)")
        let address = try world.address(",\(other.schema)")
        let feed = try world.makeImport(#"[{"id":1,"name":"a"}]"#, .table("thing"), to: address)
        #expect(try feed.perform().summary.tally == [1, 1, 0, 0, 0, 0, 0])
        #expect(try other.rows() == [#"{"id": 1, "name": "a"}"#])
        // The journal is where tables are created.
        #expect(try world.column("SELECT count(*) FROM _run") == ["1"])
    }

    @Test("A partitioned table takes rows, and one that has no partition is a reject")
    func partitions() throws {
        try world.execute(
            "CREATE TABLE thing (id bigint, name text, PRIMARY KEY (id)) PARTITION BY RANGE (id)",
            "CREATE TABLE part PARTITION OF thing FOR VALUES FROM (0) TO (10)")
        #expect(try load(#"[{"id":1,"name":"a"},{"id":10,"name":"b"}]"#) == [2, 1, 0, 0, 0, 0, 1])
        #expect(try load(#"[{"id":1,"name":"c"}]"#) == [1, 0, 1, 0, 0, 0, 0])
    }

    // MARK: Errors

    @Test("A member without a column, a view and a computed key are errors that say what to do")
    func refused() throws {
        try world.execute(
            "CREATE TABLE thing (id bigint PRIMARY KEY)", "CREATE VIEW seen AS SELECT * FROM thing",
            "CREATE MATERIALIZED VIEW kept AS SELECT * FROM thing")
        let member = try error(#"[{"id":1},{"id":2,"nick":"x"}]"#)
        #expect(member.contains("thing has no column for nick"), "\(member)")
        #expect(try world.rows().isEmpty)
        for name in ["seen", "kept"] {
            let view = try error(#"[{"id":1}]"#, table: name)
            #expect(view.contains("\(name) is no table") && view.contains("import into a table"), "\(view)")
        }
    }

    @Test("A table that a setting allows gets the columns that are missing")
    func addedColumns() throws {
        try world.execute("CREATE TABLE thing (id bigint PRIMARY KEY)", "INSERT INTO thing VALUES (5)")
        var settings = ExistingTable()
        settings.addsColumns = true
        let summary = try world.load(
            #"[{"id":1,"nick":"x"},{"id":5,"size":1.5}]"#, .table("thing", settings))
        #expect(summary.tally == [2, 1, 1, 0, 0, 0, 0])
        #expect(try world.types() == ["id bigint", "nick text", "size double precision"])
    }
}
