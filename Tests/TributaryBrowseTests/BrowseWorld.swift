import Foundation
import Testing
import TributaryBrowse
import TributarySQLite
import TributaryTestSupport

/// A folder with a database, and its pages.
struct BrowseWorld {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    var database: String { folder.path("app.sqlite") }

    func write(_ text: String, _ name: String = "books.json") throws -> String {
        try folder.write(text.utf8, to: name)
    }

    /// Runs `tributary WORDS` in the folder.
    @discardableResult
    func run(_ words: String...) throws -> Tool.Outcome { try Tool.tributary.run(words, in: folder.url) }

    /// Runs statements.
    func execute(_ statements: String...) throws {
        let connection = try Connection(.file(database))
        for statement in statements { try connection.execute(SQLFragment(trusted: statement)) }
    }

    /// The status and the text of a page of the database.
    func page(
        _ path: [String], _ query: [(name: String, value: String)] = [], _ name: String = "app.sqlite"
    ) -> (status: Int, text: String) {
        let answer = DatabaseSite(path: folder.path(name), limit: .seconds(60)).answer(PageRequest(path, query))
        return (answer.status, String(decoding: answer.body, as: UTF8.self))
    }

    /// The text of a page without its marks, and with one space between words.
    static func plain(_ text: String) -> String {
        var plain = ""
        var isMark = false
        for character in text {
            switch character {
            case "<": isMark = true
            case ">":
                isMark = false
                plain += " "
            default: if !isMark { plain.append(character) }
            }
        }
        for (escape, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")] {
            plain = plain.replacing(escape, with: character)
        }
        return plain.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    }
}
