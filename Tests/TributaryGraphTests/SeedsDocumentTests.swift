import Foundation
import Testing

/// `docs/seeds.md` names calls and tests that exist.
@Suite struct SeedsDocumentTests {
    private struct Row {
        let theirs: String
        let ours: [String]
        let tests: [String]
        let hasNoCounterpart: Bool
    }

    /// What the sources of a folder declare, and the labels and properties they name.
    private struct Names {
        var declared: Set<Substring> = []
        var labels: Set<Substring> = []
        var tests: Set<Substring> = []

        init(of folder: String) throws {
            let place = SeedsDocumentTests.root.appending(path: folder)
            let files = FileManager.default.enumerator(atPath: place.path)?.compactMap { $0 as? String } ?? []
            let keywords: Set<Substring> = ["func", "var", "let", "class", "struct", "enum", "protocol", "case"]
            for file in files where file.hasSuffix(".swift") {
                let text = try String(contentsOf: place.appending(path: file), encoding: .utf8)
                var isTest = false
                for line in text.split(separator: "\n") {
                    if line.contains("@Test") { isTest = true }
                    let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
                    for (word, next) in zip(words, words.dropFirst()) where keywords.contains(word) {
                        declared.insert(next)
                        if word == "func", isTest {
                            tests.insert(next)
                            isTest = false
                        }
                    }
                    for part in line.split(separator: ":", omittingEmptySubsequences: false).dropLast() {
                        // `label:` and `label name:`
                        labels.formUnion(part.split { !($0.isLetter || $0.isNumber || $0 == "_") }.suffix(2))
                    }
                }
            }
        }
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// What stands as code in a cell.
    private static func code(_ cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
    }

    private static func rows() throws -> [Row] {
        let page = try String(contentsOf: root.appending(path: "docs/seeds.md"), encoding: .utf8)
        return try page.split(separator: "\n").filter { $0.hasPrefix("|") && !$0.hasPrefix("|---") }.compactMap {
            line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            try #require(cells.count == 4, "\(line)")
            if cells[3] == "test" { return nil }
            return Row(
                theirs: cells[0], ours: code(cells[1]), tests: code(cells[3]),
                hasNoCounterpart: cells[1] == "—" && cells[3] == "—")
        }
    }

    @Test("Each call of the replaced libraries has a row")
    func everyCallOfTheirsHasARow() throws {
        let page = try String(contentsOf: Self.root.appending(path: "docs/seeds.md"), encoding: .utf8)
        let sections = page.components(separatedBy: "\n## ").dropFirst()
        for (library, calls) in SeedCalls.all {
            let rows = sections.filter { $0.hasPrefix(library) }.joined().split(separator: "\n").filter {
                $0.hasPrefix("|")
            }
            // A name with arguments may be shortened to the first ones.
            let known = rows.flatMap { Self.code(String($0.split(separator: "|")[0])) }.flatMap(Self.names)
            for call in calls.split(whereSeparator: \.isWhitespace) {
                let isThere = known.contains { $0 == call || call.hasSuffix(":") && $0.hasPrefix(call) }
                #expect(isThere, "\(library): \(call) has no row")
            }
        }
    }

    /// The names of calls in a piece of code, with the labels of their arguments.
    private static func names(_ code: String) -> [Substring] {
        code.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ":") }
    }

    @Test func everyCallOfOursExists() throws {
        let names = try Names(of: "Sources")
        let rows = try SeedsDocumentTests.rows()
        #expect(rows.count > 90 && rows.count { $0.hasNoCounterpart } < 8)
        for row in rows where !row.hasNoCounterpart {
            #expect(!row.ours.isEmpty, "\(row.theirs)")
            for call in row.ours {
                for part in call.prefix(while: { $0 != "(" }).split(separator: ".") where part != "init" {
                    #expect(names.declared.contains(part), "\(call): there is no \(part)")
                }
                for label in call.drop(while: { $0 != "(" }).dropFirst().dropLast().split(separator: ":") {
                    #expect(names.labels.contains(label), "\(call): no call has \(label)")
                }
            }
        }
    }

    @Test func everyRowHasATest() throws {
        let names = try Names(of: "Tests")
        for row in try SeedsDocumentTests.rows() where !row.hasNoCounterpart {
            #expect(row.tests.count == 1, "\(row.theirs)")
            for test in row.tests {
                #expect(names.tests.contains(Substring(test)), "\(row.theirs): there is no test \(test)")
            }
        }
    }
}
