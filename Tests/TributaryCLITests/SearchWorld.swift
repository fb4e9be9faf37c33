import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// A table with a full-text index that random commands change, and what a search must find in it.
final class SearchWorld {
    /// Who has made the table.
    enum Kind: CaseIterable {
        case inferred, model, foreign, foreignWithoutNumbers
    }

    let world: ImportWorld
    let kind: Kind
    private(set) var generator: SeededGenerator
    /// The version of the model.
    private var version = 1
    private(set) var log: [String] = []

    init(_ kind: Kind, _ generator: SeededGenerator) throws {
        (world, self.kind, self.generator) = (try ImportWorld(), kind, generator)
        for version in 1...2 { _ = try world.write(SearchWorld.model(version), "v\(version).xml") }
        switch kind {
        case .inferred, .model: break
        case .foreign: try execute("CREATE TABLE texts (id INTEGER PRIMARY KEY, title, body TEXT, n NUMERIC)")
        case .foreignWithoutNumbers:
            try execute("CREATE TABLE texts (id TEXT PRIMARY KEY, title TEXT COLLATE NOCASE, body, n REAL, rowid TEXT)")
        }
    }

    /// The second version calls the title otherwise, and has no number.
    private static func model(_ version: Int) -> String {
        let title = version == 1 ? "name=\"title\"" : "name=\"heading\" elementID=\"title\""
        let back = version == 1 ? "elementID=\"heading\"" : ""
        let number = version == 1 ? "<attribute name=\"n\" optional=\"YES\" attributeType=\"String\"/>" : ""
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
                <entity name="texts">
                    <attribute name="id" attributeType="Integer 64" usesScalarValueType="NO"/>
                    <attribute \(title) \(back) optional="YES" attributeType="String"/>
                    <attribute name="body" optional="YES" attributeType="String"/>\(number)
                    <uniquenessConstraints>
                        <uniquenessConstraint><constraint value="id"/></uniquenessConstraint>
                    </uniquenessConstraints>
                </entity>
            </model>
            """
    }

    // MARK: Steps

    private func execute(_ sql: String) throws {
        let connection = try Connection(.file(world.database))
        connection.setUsesSchemaCode(true)
        try connection.execute(SQLFragment(trusted: sql))
    }

    private func run(_ words: [String], _ codes: Set<Int32> = [0, 3]) throws {
        let outcome = try Tool.tributary.run(words)
        log.append(words.joined(separator: " "))
        guard codes.contains(outcome.code) else { throw Failure("\(outcome.code): \(outcome.error)", self) }
    }

    /// Runs a random command, or changes a row as another program does.
    func step() throws {
        let hasTable = try FileManager.default.fileExists(atPath: world.database) && !columns().isEmpty
        let isOwn = kind == .inferred || kind == .model
        switch generator.below(hasTable ? 11 : 1) {
        case 0..<4: try load(isSync: false)
        case 4..<6: try load(isSync: isOwn)
        case 6: try run(["undo", world.database, "-q"], [0, 1, 3, 4])
        case 7:
            let path = world.folder.path("bad.ndjson")
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return }
            _ = try world.write(text.replacing("\\\"id\\\" ", with: "\\\"id\\\":"), "bad.ndjson")
            try run(["retry", world.database, path, "-q"], [0, 1, 3])
        case 8 where kind == .model:
            version = 3 - version
            try run(["migrate", world.database, "--model", world.folder.path("v\(version).xml"), "--drop-values", "-q"])
        case 9: try execute("DELETE FROM texts WHERE id = \(generator.below(9))")
        default:
            try execute(
                "UPDATE texts SET body = '\(text().replacing("'", with: "''"))' WHERE id > \(generator.below(9))")
        }
    }

    private func load(isSync: Bool) throws {
        var records = (0..<generator.below(9)).map { _ in record() }
        if generator.once(in: 3) { records.append("{\"id\" \(generator.below(9)),\"body\":\"sea\"}") }
        // All columns are there from the first record on.
        records.append("{\"id\":9,\"title\":\"\",\"heading\":\"sea\",\"body\":\"x\",\"n\":1}")
        let feed = try world.write(records.joined(separator: "\n"), "texts.ndjson")
        var words = [isSync ? "sync" : "import", world.database, feed, "-q", "--table", "texts"]
        if kind == .model { words += ["--model", world.folder.path("v\(version).xml")] }
        if kind == .inferred { words += ["--key", "id"] }
        if kind == .foreign || kind == .foreignWithoutNumbers { words += ["--columns", "id,title,body,n"] }
        words += isSync ? ["--max-delete", "100%"] : []
        words += ["--rejects", world.folder.path("bad.ndjson")]
        switch generator.below(6) {
        case 0: words.append("--undoable")
        case 1 where !isSync: words.append("--truncate")
        case 2: words.append("--staged")
        case 3 where kind == .inferred: words += ["--first-load", "direct"]
        default: break
        }
        if !generator.once(in: 3) { words += ["--search", searched().joined(separator: ",")] }
        try run(words)
    }

    private func searched() -> [String] {
        let known = kind == .model && version == 2 ? ["heading", "body"] : ["title", "body", "n"]
        return Array(known.shuffled(using: &generator).prefix(1 + generator.below(known.count)))
    }

    private func record() -> String {
        var members = ["\"id\":\(generator.below(9))"]
        for name in ["title", "heading", "body"] where !generator.once(in: 4) {
            members.append("\"\(name)\":\(generator.once(in: 9) ? "null" : "\"\(text())\"")")
        }
        // An attribute that is text accepts no number.
        let numbers = kind == .model || kind == .foreignWithoutNumbers ? ["null"] : ["42", "4.5", "null", "1e300"]
        if !generator.once(in: 3) { members.append("\"n\":\(generator.pick(numbers))") }
        return "{\(members.joined(separator: ","))}"
    }

    private static let words = [
        "sea", "Sea", "naïve", "naive", "Ölberg", "été", "Москва", "москва", "ΑΘΗΝΑ", "αθηνα", "東京", "学校", "سلام",
        "don't", "e-mail", "foo_bar", "x1", "42", "AND", "NOT", "(sea", "NEAR(", "emoji😀sea", "*", "-",
    ]

    private func text() -> String {
        (0..<generator.below(6)).map { _ in generator.pick(SearchWorld.words) }.joined(separator: " ")
    }

    // MARK: Searching

    /// Compares what searches find with the words of the rows, and lets FTS5 check the index.
    func check() throws {
        let columns = try columns()
        guard !columns.isEmpty else { return }
        try execute("INSERT INTO texts_fts (texts_fts, rank) VALUES ('integrity-check', 1)")
        let list = columns.map { "CAST(\"\($0)\" AS TEXT)" }.joined(separator: ", ")
        let rows = try world.query("SELECT CAST(id AS TEXT), \(list) FROM texts").map { row in
            row.map { if case .text(let text) = $0 { text } else { "" } }
        }
        for _ in 0..<3 {
            let (text, terms) = search()
            let expected = rows.filter { SearchWorld.matches($0.dropFirst().map(SearchWorld.tokens), terms) }
            let found = try Tool.tributary.run(
                ["query", world.database, "texts", "--fields", "id", "--format", "tsv", "--match", text])
            let ids = found.text.split(separator: "\n").dropFirst().map(String.init)
            guard found.code == 0, ids.sorted() == expected.map({ $0[0] }).sorted() else {
                throw Failure("\(text) finds \(ids) \(found.error), expected \(expected) of \(rows)", self)
            }
        }
    }

    /// The columns of the index; none if there is no index.
    private func columns() throws -> [String] {
        guard FileManager.default.fileExists(atPath: world.database) else { return [] }
        return try world.query("SELECT name FROM pragma_table_info('texts_fts')").compactMap { row in
            if case .text(let name)? = row.first { name } else { nil }
        }
    }

    /// What is typed, and the words that must occur.
    private func search() -> (text: String, terms: [(words: [String], isPrefix: Bool)]) {
        var (parts, terms): ([String], [(words: [String], isPrefix: Bool)]) = ([], [])
        for _ in 0...generator.below(2) {
            let phrase = (0..<1 + generator.below(2)).map { _ in generator.pick(SearchWorld.words) }
                .joined(separator: " ")
            let isPrefix = generator.once(in: 3)
            // A quote in the middle ends a word, as a blank does.
            let isQuoted = phrase.contains(" ")
            let part = isQuoted ? "\"\(phrase)\"" : phrase
            let tokens = SearchWorld.tokens(phrase)
            guard !tokens.isEmpty else { continue }
            parts.append(part + (isPrefix ? "*" : ""))
            terms.append((tokens, isPrefix))
        }
        return parts.isEmpty ? ("sea", [(["sea"], false)]) : (parts.joined(separator: " "), terms)
    }

    private static func tokens(_ text: String) -> [String] {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil).unicodeScalars
            .split { !CharacterSet.alphanumerics.contains($0) }.map { String($0) }
    }

    private static func matches(_ columns: [[String]], _ terms: [(words: [String], isPrefix: Bool)]) -> Bool {
        terms.allSatisfy { term in
            columns.contains { column in
                column.indices.contains { start in
                    guard start + term.words.count <= column.count else { return false }
                    return term.words.indices.allSatisfy { place in
                        let (word, wanted) = (column[start + place], term.words[place])
                        return term.isPrefix && place == term.words.count - 1 ? word.hasPrefix(wanted) : word == wanted
                    }
                }
            }
        }
    }

    /// What is wrong, after which commands.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ text: String, _ world: SearchWorld) {
            description = "seed \(world.generator.seed), \(world.kind): \(text)\n\(world.log.joined(separator: "\n"))"
        }
    }
}
