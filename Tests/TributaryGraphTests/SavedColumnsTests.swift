import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// The columns that a save of changed objects writes.
@MainActor @Suite struct SavedColumnsTests {
    final class Badge: ManagedObject {
        @Attribute(.unique) var number: Int
        @Attribute(.unique) var code: String?
        @Attribute var owner: String?
    }

    private let recorder = StatementRecorder()

    private func updates(of table: String) -> [String] { recorder.all.filter { $0.hasPrefix("UPDATE \"\(table)\"") } }

    @Test("A save writes only the columns that have changed, and the version")
    func changedColumnsAlone() throws {
        let library = try Library(options: recorder.options)
        let author = library.author(1)
        let books = (0..<4).map { library.book("\($0)", by: author) }
        try library.context.save()
        for book in books { book.pages = 7 }
        (books[1].scale, books[2].author, books[3].pages) = (2, nil, nil)
        books[3].weight = 0.5
        try library.context.save()
        let end = "\"_version\" = \"_version\" + 1 WHERE \"_pk\" = ? AND \"_version\" = ?"
        let expected = [
            "\"pages\" = ?", "\"pages\" = ?, \"scale\" = ?", "\"author\" = ?, \"pages\" = ?", "\"weight\" = ?",
        ]
        #expect(updates(of: "Book").count == 4)
        for (sql, sets) in zip(updates(of: "Book"), expected) {
            let columns = sql.dropFirst("UPDATE \"Book\" SET ".count).dropLast(end.count + 2)
            #expect(sql.hasSuffix(end), "\(sql)")
            #expect(columns.split(separator: ", ").sorted() == sets.split(separator: ", ").sorted(), "\(sql)")
        }
        let rows = try library.manager.stores.stores[0].read {
            try $0.rows(
                of: "SELECT \"isbn\", \"pages\", \"weight\", \"scale\", \"author\" IS NULL FROM \"Book\"")
        }
        #expect(
            rows == [["0", 7, nil, nil, 0], ["1", 7, nil, 2.0, 0], ["2", 7, nil, nil, 1], ["3", nil, 0.5, nil, 0]])
    }

    @Test("A unique value that is unchanged stays, although a swap of another clears both first")
    func uniqueValuesStay() throws {
        let manager = try ContextManager(model: Model(Badge.self), store: .memory, options: recorder.options)
        let context = manager.mainContext
        let badges = (1...2).map { number in
            let badge = context.insert(Badge.self)
            (badge.number, badge.code, badge.owner) = (number, "code \(number)", "owner \(number)")
            return badge
        }
        try context.save()
        (badges[0].number, badges[1].number) = (2, 1)
        try context.save()
        let rows = try manager.stores.stores[0].read {
            try $0.rows(of: "SELECT \"number\", \"code\", \"owner\" FROM \"Badge\" ORDER BY \"_pk\"")
        }
        #expect(rows == [[2, "code 1", "owner 1"], [1, "code 2", "owner 2"]])
    }
}
