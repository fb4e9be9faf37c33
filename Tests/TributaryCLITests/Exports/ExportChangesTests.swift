import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// `tributary export --changed-since`: the rows that undoable runs have changed after a run.
@Suite struct ExportChangesTests {
    private let exported: ExportWorld
    private var world: ImportWorld { exported.world }

    init() throws { exported = try ExportWorld() }

    private func load(_ text: String, _ options: String...) throws {
        let path = try world.write(text, "users.ndjson")
        let words = ["import", world.database, path, "--table", "users", "--key", "id", "-q"] + options
        try Tool.tributary.run(words).expect(0)
    }

    @Test("Inserted and changed rows are written, keys of deleted ones aside, and rows that are as before are not")
    func rows() throws {
        try load("{\"id\":1,\"n\":\"a\"}\n{\"id\":2,\"n\":\"b\"}\n{\"id\":3}\n{\"id\":4}\n")
        try load("{\"id\":1,\"n\":\"x\"}\n{\"id\":2,\"n\":\"y\"}\n{\"id\":5,\"n\":\"new\"}\n", "--undoable")
        try load("{\"id\":1,\"n\":\"a\"}\n{\"id\":6,\"m\":7}\n", "--undoable")
        try exported.export("--changed-since", "1", "--to", "-").expect(
            0,
            output: """
                {"id":2,"n":"y","m":null}
                {"id":5,"n":"new","m":null}
                {"id":6,"n":null,"m":7}

                """)
        try exported.export("--changed-since", "3", "--to", "-").expect(0, output: "")
        // A deletion by a run, as of a sync.
        try Connection(.file(world.database)).execute(
            """
            INSERT INTO "_change.users" (_run, _pk, _kind, "old.id") SELECT 3, _pk, 'd', id FROM users WHERE id = 4
            """)
        try Connection(.file(world.database)).execute("DELETE FROM users WHERE id = 4")
        let outcome = try exported.export("--changed-since", "1", "--to", "out").expect(
            0, error: "1 row deleted since, with keys in out/deleted.ndjson")
        #expect(try exported.text("out/deleted.ndjson") == "{\"entity\":\"users\",\"key\":{\"id\":4}}\n")
        #expect(outcome.commands.count == 1)
        try exported.export("--changed-since", "1", "--to", "u.ndjson").expect(
            0, error: "1 row deleted since: export into a directory")
    }

    @Test("A run that has kept nothing, and one that is not known, are refused")
    func refusals() throws {
        try load("{\"id\":1}\n")
        try exported.export("--changed-since", "0", "--to", "-").expect(1, error: "run 1 has not kept what it changed")
        try exported.export("--changed-since", "1", "--to", "-").expect(0, output: "")
        try exported.export("--changed-since", "7", "--to", "-").expect(1, error: "the journal has no run 7")
        try exported.export("--changed-since", "1", "--nest", "users.a", "--to", "-").expect(
            64, error: "'--nest' and '--changed-since' cannot be used together")
        try load("{\"id\":2}\n", "--undoable")
        try Tool.tributary.run(["undo", world.database]).expect(0)
        try load("{\"id\":3}\n", "--undoable")
        try exported.export("--changed-since", "1", "--to", "-").expect(0, output: "{\"id\":3}\n")
    }

    @Test("After a run was forgotten only later changes are known, whatever runs follow", arguments: [2, 3])
    func forgotten(_ run: Int) throws {
        try load("{\"id\":1}\n")
        try load("{\"id\":2}\n", "--undoable")
        try load("{\"id\":3}\n", "--undoable")
        try exported.export("--changed-since", "1", "--to", "-").expect(0, output: "{\"id\":2}\n{\"id\":3}\n")
        try Tool.tributary.run(["forget", world.database, "--run", "\(run)", "-q"]).expect(0)
        try load("{\"id\":4}\n", "--undoable")
        try exported.export("--changed-since", "1", "--to", "-").expect(
            1, error: "run \(run) was forgotten with what it had changed", output: "")
        let later = run == 2 ? "3" : "4"
        try exported.export("--changed-since", later, "--to", "-").expect(
            0, output: run == 2 ? "{\"id\":4}\n" : "")
    }

    @Test("A row that was deleted and made again is no deleted row")
    func deletedAndMade() throws {
        func sync(_ text: String) throws {
            let words = ["--key", "id", "--max-delete", "100%", "--undoable", "-q"]
            let path = try world.write(text, "u.ndjson")
            try Tool.tributary.run(["sync", world.database, path] + words).expect(0)
        }
        try sync("{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n")
        try sync("{\"id\":1}\n")
        try sync("{\"id\":1}\n{\"id\":9}\n{\"id\":2}\n")
        try exported.export("--changed-since", "1", "--to", "out").expect(
            0, error: "the commands import into out.sqlite: a copy of the database from after run 1")
        #expect(try exported.text("out/deleted.ndjson") == "{\"entity\":\"u\",\"key\":{\"id\":3}}\n")
        #expect(try exported.text("out/u.ndjson") == "{\"id\":9}\n{\"id\":2}\n")
        // The commands never name the database itself.
        let outcome = try exported.export("--changed-since", "1", "--to", "app").expect(0)
        #expect(outcome.text.contains("import app-2.sqlite "), "\(outcome.text)")
    }

    @Test("An order that only the order of all rows has is told")
    func orders() throws {
        func key(_ name: String) -> String {
            "<uniquenessConstraints><uniquenessConstraint><constraint value=\"\(name)\"/></uniquenessConstraint></uniquenessConstraints>"
        }
        let model = try world.write(
            """
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="P"><attribute name="k" attributeType="Integer 64"/>\(key("k"))
              <relationship name="kids" optional="YES" toMany="YES" ordered="YES" destinationEntity="C" inverseName="p"
                inverseEntity="C"/></entity>
            <entity name="C"><attribute name="c" attributeType="Integer 64"/>\(key("c"))
              <relationship name="p" maxCount="1" destinationEntity="P" inverseName="kids" inverseEntity="P"/></entity>
            </model>
            """, "model.xml")
        for (entity, text) in [("P", "{\"k\":1}"), ("C", "{\"c\":1,\"p\":1}\n{\"c\":2,\"p\":1}")] {
            try exported.load([text], entity, ["--model", model])
        }
        try exported.export("--changed-since", "2", "--to", "out").expect(
            0, error: "C has rows in the order of P.kids, which no import changes")
        try exported.export("--to", "all").expect(0, without: "in the order of")
    }

    @Test("The changes of random runs are the differences, and make the earlier database the later one")
    func random() throws {
        for number in 0..<max(2, ExportRoundTripTests.count / 3) {
            let lots = SeededGenerator.sampled(ExportRoundTripTests.base + 100_000, case: UInt64(number))
            let exported = try ExportWorld()
            var (draw, place) = (ExportDraw(lots, isKeyed: true), "seed \(lots.seed), database \(number)")
            try exported.load(draw)
            guard try exported.export("--to", "before").code == 0 else { continue }
            let first = try exported.copyBefore()
            for _ in 0..<3 {
                for (index, file) in draw.files.enumerated() {
                    try exported.load(draw.changes(index), file.entity, draw, ["--undoable"])
                }
            }
            place += ", run \(first)"
            try exported.export("--to", "after").expect(0)
            let outcome = try exported.export("--changed-since", "\(first)", "--to", "changes").expect(0)
            for file in draw.files {
                func lines(_ folder: String) throws -> Set<Substring> {
                    Set(try exported.text("\(folder)/\(file.entity).ndjson").split(separator: "\n"))
                }
                let (before, after, changes) = (try lines("before"), try lines("after"), try lines("changes"))
                #expect(changes.isSuperset(of: after.subtracting(before)), "\(place), \(file.entity)")
                #expect(changes.isSubset(of: after), "\(place), \(file.entity)")
            }
            // The commands name the database that the files are imported into.
            let other = try exported.importIntoCopy(outcome, "changes")
            let difference = try DatabaseShape(other).differences(from: DatabaseShape(exported.world.database))
            #expect(difference.isEmpty, "\(place): \(difference.joined(separator: "\n"))")
        }
    }
}
