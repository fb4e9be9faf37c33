import Foundation
import Testing
import TributaryModel
import TributarySQLite
import TributaryTestSupport

/// `tributary export --nest`: objects inside of others.
@Suite struct ExportNestTests {
    private let exported: ExportWorld
    private var world: ImportWorld { exported.world }

    init() throws { exported = try ExportWorld() }

    @Test("Nested objects come back equal, with those that have no owner", arguments: 0..<4)
    func library(_ number: Int) throws {
        var lots = SeededGenerator.sampled(16_300, case: UInt64(number))
        try exported.load(LibraryFeed(agreeing: &lots))
        try exported.load(["{\"isbn\":\"alone\"}"], "Book")
        for path in ["author.books", "book.author", "book.tags", "author.books.reviews", "book.publisher,Book.Tags"] {
            let folder = "out\(path.hashValue.magnitude)"
            let outcome = try exported.export(["--nest", path, "--to", folder]).expect(0)
            let other = try exported.runCommands(outcome, folder)
            let difference = try DatabaseShape(other).differences(from: DatabaseShape(world.database))
            #expect(difference.isEmpty, "seed \(lots.seed), \(path): \(difference.joined(separator: "\n"))")
        }
    }

    @Test("Objects are written inside of their owners, in their order, and others into a file of their own")
    func documents() throws {
        let records = """
            [{"id":1,"author":{"id":7},"notes":[{"x":1,"parts":[{"y":2},{"y":3}]},{"x":2}]},{"id":2,"notes":[]}]
            """
        try world.load(try world.write(records, "recs.json"), "--relations=all").expect(0)
        let outcome = try exported.export("--nest", "recs.notes.parts,RECS.author", "--to", "out").expect(
            0, error: "2 rows in 1 file in out")
        #expect(
            try exported.text("out/recs.ndjson") == """
                {"id":1,"author":{"id":7},"notes":[{"x":1,"parts":[{"y":2},{"y":3}]},{"x":2,"parts":[]}]}
                {"id":2,"author":null,"notes":[]}

                """)
        let other = try exported.runCommands(outcome, "out")
        #expect(try DatabaseShape(other).differences(from: DatabaseShape(world.database)) == [])
        let single = try exported.export("recs", "--nest", "recs.notes.parts", "--nest", "recs.author", "--to", "-")
        #expect(try single.expect(0).text == exported.text("out/recs.ndjson"))
        // A note without a record, and an author without one.
        try Connection(.file(world.database)).execute("INSERT INTO author (_pk, id) VALUES (9, 9)")
        try Connection(.file(world.database)).execute("INSERT INTO notes (_pk, x) VALUES (9, 9)")
        try exported.export("--nest", "recs.notes.parts,recs.author", "--to", "more").expect(0)
        #expect(try exported.text("more/notes.ndjson") == "{\"x\":9,\"parts\":[]}\n")
        #expect(try exported.text("more/author.ndjson") == "{\"id\":9}\n")
    }

    @Test("A path that leads nowhere, or into itself, is refused")
    func refusals() throws {
        let records = #"[{"id":1,"author":{"id":7},"notes":[{"x":1}]}]"#
        try world.load(try world.write(records, "recs.json"), "--relations=all").expect(0)
        for (path, error) in [
            ("recs", "no entity has the path recs"), ("rec.notes", "no entity has the path rec.notes"),
            ("recs.note", "recs has no relationship note; it has author, notes"),
            ("recs.author.recs", "the objects of author would be inside of each other"),
            ("notes.recs", "the order of recs.notes would be lost"), ("author.", "author has no relationship"),
            ("notes.author", "notes has no relationship author"),
        ] {
            try exported.export("recs", "--nest", path, "--to", "-").expect(1, error: error)
        }
        try exported.export("author", "--nest", "recs.notes", "--to", "-").expect(1, error: "recs is not exported")
        try exported.export("--nest", "", "--to", "-").expect(64, error: "takes PATHS, not an empty text")
    }
}
