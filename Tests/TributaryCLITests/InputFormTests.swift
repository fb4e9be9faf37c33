import Foundation
import Testing
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

/// Directories, patterns, archives, encodings, and values that JSON does not have.
@Suite("Forms of input")
struct InputFormTests {
    private let world: ImportWorld
    init() throws { world = try ImportWorld() }

    private func folder() throws -> String {
        let folder = world.folder.path("data")
        try FileManager.default.createDirectory(atPath: folder + "/sub", withIntermediateDirectories: true)
        for (name, text) in [
            ("2.json", "[{\"id\":2}]"), ("1.json", "[{\"id\":1}]"), ("sub/3.ndjson", "{\"id\":3}\n"), ("x.txt", "x"),
            (".hidden.json", "[{\"id\":9}]"),
        ] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
        }
        return folder
    }

    private func cells(_ column: String, of table: String) throws -> [String] {
        try world.values(column, of: table).map { value in
            switch value {
            case .integer(let number): "\(number)"
            case .text(let text): text
            case .real(let number): "\(number)"
            default: "-"
            }
        }
    }

    @Test("The checksum at the end of a compressed archive is checked")
    func archiveChecksum() throws {
        _ = try world.write(#"[{"id":1}]"#, "towns.json")
        let path = world.folder.path("backup.tgz")
        let folder = world.folder.path("")
        try Tool("/usr/bin/env").run(["tar", "-czf", path, "-C", folder, "towns.json"]).expect(0)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes[bytes.count - 6] ^= 0xFF
        try bytes.write(to: URL(fileURLWithPath: path))
        try world.load(path, "--table", "t").expect(1, error: "backup.tgz")
    }

    @Test("A directory and a pattern are read in the order of names, and files are named in a column")
    func directories() throws {
        let folder = try folder()
        try world.load(folder, "--table", "t", "--source-column", "file").expect(
            0, error: "1 more file has the same layout")
        #expect(try cells("id", of: "t") == ["1", "2"])
        #expect(try cells("file", of: "t") == [folder + "/1.json", folder + "/2.json"])
        // With subdirectories only the new file is imported.
        try world.load(folder, "--recursive", "--table", "t", "--source-column", "file").expect(0)
        #expect(try cells("id", of: "t") == ["1", "2", "3"])
        try world.load(folder + "/*.json", "--table", "p").expect(0)
        #expect(try cells("id", of: "p") == ["1", "2"])
    }

    @Test("A directory or pattern without files says so")
    func nothingFound() throws {
        let empty = world.folder.path("empty")
        try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
        try world.load(empty).expect(error: "has no file whose name ends like one of JSON")
        try world.load(empty + "/*.json").expect(error: "No file matches")
        #expect(!FileManager.default.fileExists(atPath: world.database))
    }

    #if Archive && Gzip
        @Test("The table is named after the file in an archive")
        func archivedName() throws {
            _ = try world.write(#"[{"id":1}]"#, "towns.json")
            let path = world.folder.path("backup.tar")
            try Tool("/usr/bin/env").run(["tar", "-cf", path, "-C", world.folder.path(""), "towns.json"]).expect(0)
            try world.load(path).expect(0)
            #expect(try world.rows("towns").count == 1)
        }

        @Test(
            "The JSON files of tar and zip archives are imported, and known when they come again",
            arguments: ["z.zip", "t.tar.gz", "t.tar"])
        func archives(_ name: String) throws {
            let folder = try folder()
            let path = world.folder.path(name)
            let script =
                """
                import io, sys, zipfile, tarfile
                names = ['1.json', '2.json', 'x.txt', 'sub/3.ndjson']
                foreign = {'Städte/Köln.json': b'[{"id":4}]', '日本😀.ndjson': b'{"id":5}'}
                if sys.argv[1].endswith('.zip'):
                    with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as z:
                        for n in names: z.write(n)
                        for n, b in foreign.items(): z.writestr(n, b)
                else:
                    with tarfile.open(sys.argv[1], 'w:gz' if sys.argv[1].endswith('.gz') else 'w') as t:
                        for n in names: t.add(n)
                        for n, b in foreign.items():
                            i = tarfile.TarInfo(n)
                            i.size = len(b)
                            t.addfile(i, io.BytesIO(b))
                """
            try Tool("/usr/bin/env").run(["python3", "-c", script, path], in: URL(filePath: folder)).expect(0)
            try world.load(path, "--table", "t", "--source-column", "file").expect(0)
            #expect(try cells("id", of: "t") == ["1", "2", "3", "4", "5"])
            #expect(
                try cells("file", of: "t").suffix(3) == [
                    path + "/sub/3.ndjson", path + "/Städte/Köln.json", path + "/日本😀.ndjson",
                ])
            try world.load(path, "--table", "t", "--source-column", "file").expect(text: "already imported")
            // Rejects never overwrite the archive.
            let before = FileManager.default.contents(atPath: path)
            try world.load(path, "--table", "t", "--again", "--rejects", path).expect(
                64, error: "The file of rejects is the input")
            #expect(FileManager.default.contents(atPath: path) == before)
            // A damaged archive is an error, whatever its damage.
            let bytes = try #require(FileManager.default.contents(atPath: path))
            for cut in [bytes.count / 3, bytes.count / 2 - 100] {
                let part = world.folder.path("cut-" + name)
                try bytes[..<cut].write(to: URL(fileURLWithPath: part))
                try world.load(part, "--table", "cut").expect(1)
            }
        }

        @Test("A file in an archive whose name cannot be read is an error, not left out")
        func unreadableName() throws {
            let path = world.folder.path("z.zip")
            let script =
                """
                import sys, zipfile
                with zipfile.ZipFile(sys.argv[1], 'w') as z:
                    z.writestr('towns.json', '[{"id":1}]')
                    z.writestr('städte.json', '[{"id":2}]')
                with open(sys.argv[1], 'rb') as f: b = f.read()
                with open(sys.argv[1], 'wb') as f: f.write(b.replace('ä'.encode(), b'\\xe4x'))
                """
            try Tool("/usr/bin/env").run(["python3", "-c", script, path]).expect(0)
            try world.load(path, "--table", "t").expect(1, error: "the name of file 2 ")
        }
    #endif

    @Test("A JSON text sequence is read, texts of several lines included")
    func sequence() throws {
        let file = try world.write("\u{1E}{\"id\":1}\n\u{1E}{\"id\":2,\n\"b\":3}\n\u{1E}{\"id\":3}\n", "s.json-seq")
        try world.load(file).expect(0)
        #expect(try cells("id", of: "s") == ["1", "2", "3"])
    }

    @Test("A named encoding is converted, and an unknown one is refused")
    func encodings() throws {
        let path = world.folder.path("l.json")
        try Data([0x5B, 0x7B, 0x22, 0x6E, 0x22, 0x3A, 0x22, 0xE9, 0x80, 0x22, 0x7D, 0x5D]).write(
            to: URL(fileURLWithPath: path))
        try world.load(path).expect(error: "if the text has another encoding, name it, as in --encoding windows-1252")
        try world.load(path, "--encoding", "windows-1252").expect(0)
        #expect(try cells("n", of: "l") == ["é€"])
        try world.load(path, "--encoding", "latin1", "--table", "m").expect(0)
        #expect(try cells("n", of: "m") == ["é\u{80}"])
        try world.load(path, "--encoding", "klingon").expect(error: "as 'iconv --list' prints, not 'klingon'")
    }

    @Test("NaN and Infinity become null or text, but not inside of strings")
    func nonFinite() throws {
        let file = try world.write("[{\"a\":NaN,\"b\":-Infinity,\"c\":\"say \\\"NaN\",\"d\":[Infinity,1]}]", "n.json")
        try world.load(file).expect(error: "--nan null or --nan text accepts NaN and Infinity")
        try world.load(file, "--nan", "text").expect(0)
        #expect(try cells("a", of: "n") == ["NaN"])
        #expect(try cells("b", of: "n") == ["-Infinity"])
        #expect(try cells("c", of: "n") == ["say \"NaN"])
        #expect(try cells("d", of: "n") == ["[\"Infinity\",1]"])
        try world.load(file, "--nan", "null", "--table", "m").expect(0)
        #expect(try cells("a", of: "m") == ["-"])
        try world.load(file, "--nan", "zero").expect(error: "takes reject, null, text")
    }

    @Test("NaN is found wherever a buffer ends")
    func nonFiniteAtBorders() throws {
        for pad in 65_500..<65_560 {
            let text =
                "[{\"p\":\"\(String(repeating: "x", count: pad - 40))\",\"a\":NaN,\"b\":Infinity,\"c\":-Infinity,\"d\":1}]"
            var options = ReadOptions()
            options.conversion.nonFinite = .null
            let reader = RecordReader(from: [MemorySource(text.utf8)], options: options)
            let record = try #require(try reader.next()?.first)
            #expect(["a", "b", "c"].allSatisfy { record[$0].isNull } && record["d"] == 1 as Int?, "pad \(pad)")
        }
    }

    @Test("The types of MongoDB become plain values, and identifiers keys")
    func extendedJSON() throws {
        let file = try world.write(
            """
            {"_id":{"$oid":"5f1"},"n":{"$numberLong":"5"},"d":{"$date":{"$numberLong":"1000"}},"e":{"$date":"2020-01-01T00:00:00Z"},"x":{"$numberDecimal":"1.5"},"o":{"a":{"$numberInt":"3"}},"u":{"$numberDouble":"NaN"}}

            """, "m.ndjson")
        try world.load(file, "--key", "_id", "--flatten").expect(0)
        let expected = [
            "_id": "5f1", "n": "5", "d": "1970-01-01T00:00:01.000Z", "e": "2020-01-01T00:00:00Z", "x": "1.5",
            "o_a": "3",
            "u": "NaN",
        ]
        for (column, value) in expected { #expect(try cells(column, of: "m") == [value], "\(column)") }
        // Typed values are found at every level, those of older versions too, and dates are brought to UTC.
        let deep = try world.write(
            """
            [{"n":[{"v":{"$numberLong":"5"},"t":"a\\"$oid"},[{"$oid":"5f1"},{"$date":"2014-03-01T00:30:00.120-0700"}],{"$date":1}],
            "b":{"$binary":"AQI=","$type":"00"},"d":{"$date":"2014-02-28T23:59:59.5+01:30"},"z":{"$date":"2014-01-01T00:00:00.123456+0100"},
            "o":{ "k\\n" : {"$undefined":true}, "x":{"$numberDouble":"1.5"},"m":{"$binary":{"base64":"AQI=","subType":"04"}},"$odd":1},
            "q":{"$binary":"AQI=","$type":0},"e":{"$oid":"1","more":2}}]
            """, "deep.json")
        try world.load(deep).expect(0)
        let plain = [
            "n": #"[{"v":5,"t":"a\"$oid"},["5f1","2014-03-01T07:30:00.120Z"],"1970-01-01T00:00:00.001Z"]"#, "b": "AQI=",
            "d": "2014-02-28T22:29:59.500Z", "z": "2014-01-01T00:00:00.123456+0100",
            "o": #"{"k\n":null,"x":1.5,"m":"AQI=","$odd":1}"#, "q": #"{"$binary":"AQI=","$type":0}"#,
            "e": #"{"$oid":"1","more":2}"#,
        ]
        for (column, value) in plain { #expect(try cells(column, of: "deep") == [value], "\(column)") }
        // The key is found by either spelling.
        try world.load(file, "--key", "_id.$oid", "--table", "k").expect(0)
        #expect(try cells("_id", of: "k") == ["5f1"])
        try world.load(file, "--table", "k").expect(prefix: "1 read = 1 unchanged")
    }

    @Test("Nested members become columns, and chosen paths the only ones")
    func shaping() throws {
        let file = try world.write(
            "[{\"id\":1,\"a\":{\"b\":{\"c\":2},\"d\":[1]},\"e\":{},\"a_d\":null}]", "f.json")
        try world.load(file, "--flatten").expect(0)
        #expect(try cells("a_b_c", of: "f") == ["2"] && cells("e", of: "f") == ["{}"])
        try world.load(file, "--flatten=.", "--table", "g").expect(0)
        #expect(try cells("a.b.c", of: "g") == ["2"] && cells("a.d", of: "g") == ["[1]"])
        try world.load(file, "--columns", "id,c=a.b.c,none=x.y", "--table", "h").expect(0)
        let row = try #require(try world.rows("h").first)
        #expect(Set(row.keys) == ["_pk", "id", "c"] && row["c"] == .integer(2))
        try world.load(file, "--key", "a.b.c", "--flatten", "--table", "i").expect(0)
        #expect(try cells("a_b_c", of: "i") == ["2"])
        try world.load(file, "--columns", "c=", "--table", "h").expect(error: "takes NAME=PATH")
        try world.load(file, "--columns", "id", "--flatten").expect(error: "cannot be used together")
        try world.load(file, "--model", try world.model(), "--flatten").expect(
            error: "are for inferred columns; here a model defines the columns")
    }

    @Test("A member with the name of the source's column is kept, and a value as a record has a source, too")
    func sourceColumns() throws {
        let path = try world.write(#"[{"id":1,"name":"a"},{"id":2}]"#, "s.json")
        try world.load(path, "--source-column", "id").expect(
            error: "in the column _rest: id (2 values: the name of the source has its column)")
        #expect(try world.values("id", of: "s") == [.text(path), .text(path)])
        #expect(try world.values("_rest", of: "s") == [.text(#"{"id":1}"#), .text(#"{"id":2}"#)])
        let values = try world.write("[1,2]", "v.json")
        try world.load(values, "--source-column", "file").expect(0)
        #expect(try world.values("file", of: "v") == [.text(values), .text(values)])
        try world.load(path, "--table", "k", "--key", "id", "--source-column", "ID").expect(
            1, error: "the column ID is part of the key")
    }

    @Test("A type for a missing column is reported")
    func typesWithoutColumn() throws {
        let path = try world.write(#"[{"id":1}]"#, "t.json")
        try world.load(path, "--types", "id=text,zip=text").expect(error: "the one record has no value for zip; check")
        // An option whose value went missing is not read as a path of the whole text.
        try world.load(path, "--at", "").expect(64)
        try world.load(path, "--key", "id,id").expect(error: "names 'id' twice")
        try world.load(path, "--encoding", "").expect(64)
        try world.load(path, "--table", "u", "--max-depth", "1").expect(1, without: "to resume")
    }

    @Test("Members that --flatten gives one name are both kept")
    func flattenedNames() throws {
        let path = try world.write(
            #"[{"address":{"city":"a"},"address_city":"b"},{"address_city":"c","address":{"city":"d"}}]"#, "f.json")
        try world.load(path, "--flatten").expect(
            error: "address_city (2 values: another member of its record has the column)")
        #expect(try world.values("address_city", of: "f") == [.text("a"), .text("c")])
        #expect(
            try world.values("_rest", of: "f")
                == [#"{"address_city":"b"}"#, #"{"address_city":"d"}"#].map { .text($0) })
    }

    @Test("What would lose rows or files is refused")
    func losses() throws {
        let path = try world.write(#"[{"id":1},{"id":2}]"#, "k.json")
        try world.load(path, "--key", "id").expect(0)
        try world.load(path, "--key", "id", "--types", "id=text").expect(1, error: "no record would find its row")
        try world.load(try world.write("", "empty.json"), "--table", "k", "--key", "id", "--truncate").expect(
            1, error: "--allow-empty")
        try world.load(path, "--key", "id", "--truncate", "--mode", "update").expect(64)
        #expect(try world.rows("k").count == 2)
        let notes = try world.write("my notes", "notes.txt")
        let damaged = try world.write(#"[{"a":1},{"a":}]"#, "d.json")
        try Tool.tributary.run(["records", damaged, "--rejects", notes]).expect(64)
        #expect(try String(contentsOfFile: notes, encoding: .utf8) == "my notes")
    }

    @Test("What cannot be a value or a database is refused")
    func values() throws {
        let path = try world.write(#"[{"id":1}]"#, "v.json")
        try Tool.tributary.run(["import", world.database, path, "--table", "-n"]).expect(
            64, error: "'-n' is an option; for that name write --entity=-n")
        let odd = try world.write(#"[{"id":1},{"x":1}]"#, "odd.json")
        try world.load(odd, "--entity=-n", "--key", "id").expect(error: " --entity=-n ")
        try Tool.tributary.run(["import", "/dev/null", path]).expect(1, error: "not a regular file")
        try world.load(path, "--max-memory", "9223372036854775807").expect(64)
        try world.load(path, "--key", "id", "--remote-key", "nope").expect(
            error: "found nothing at .nope for the key id; ")
    }

    @Test("Typed values stay objects with --extended-json never, and in other programs' tables across an export")
    func keptExtendedJSON() throws {
        let text = #"{"$oid":"5f1"}"#
        let file = try world.write("{\"id\":1,\"v\":\(text),\"w\":[\(text)]}\n", "v.ndjson")
        try world.load(file, "--extended-json", "never", "--key", "id").expect(0)
        #expect(try world.values("v", of: "v") == [.text(text)])
        try world.load(file, "--extended-json", "never", "--relations=all", "--table", "r").expect(
            error: "table r_v of r.v", without: "stays JSON")
        #expect(try world.values("$oid", of: "r_v") == ["5f1"])
        try world.load(file, "--extended-json", "always").expect(
            64, error: "'--extended-json' takes auto, never, not 'always'")
        let other = world.folder.path("other.sqlite")
        try withExtendedLifetime(Connection(.file(other))) {
            try $0.execute("CREATE TABLE o (id INTEGER PRIMARY KEY, v TEXT)")
            try $0.execute("INSERT INTO o VALUES (1, '{\"$oid\":\"5f1\"}')")
        }
        let commands = try Tool.tributary.run(["export", other, "--to", "out"], in: world.folder.url).expect(0).text
        try Tool.shell(commands, in: world.folder.url).expect(0)
        #expect(try world.rows("o", in: world.folder.path("out.sqlite")).map { $0["v"] } == [.text(text)])
    }

    @Test("Dates of MongoDB are exact to the millisecond")
    func extendedDates() throws {
        let dates = [
            (1_700_170_654_797, "2023-11-16T21:37:34.797Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (-62_135_596_800_001, "0000-12-31T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ]
        let lines = dates.map { #"{"d":{"$date":{"$numberLong":"\#($0.0)"}}}"# }.joined(separator: "\n")
        try world.load(try world.write(lines, "m.ndjson")).expect(0)
        #expect(try world.values("d", of: "m") == dates.map { .text($0.1) })
    }

    @Test("A table of another program keeps its rows whatever its clauses, and text stays text")
    func otherTables() throws {
        try withExtendedLifetime(Connection(.file(world.database))) {
            try $0.execute("CREATE TABLE c (id INTEGER PRIMARY KEY, email TEXT UNIQUE ON  CONFLICT REPLACE, v ANY)")
            try $0.execute("INSERT INTO c VALUES (1, 'a@x', 5)")
        }
        let path = try world.write(##"[{"id":2,"email":"a@x"},{"id":3,"v":"007"}]"##, "c.json")
        try world.load(path, "--table", "c", "--on-error", "skip").expect(3, prefix: "2 read = 2 rejected")
    }
}
