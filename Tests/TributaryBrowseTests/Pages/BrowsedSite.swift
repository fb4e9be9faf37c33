import Foundation
import Testing
import TributaryBrowse
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// The pages of a database in a temporary folder, without a server.
struct BrowsedSite {
    let folder: TemporaryFolder
    let path: String
    let site: DatabaseSite

    init(_ folder: TemporaryFolder, limit: Duration = .seconds(60)) {
        self.folder = folder
        path = folder.path("app.sqlite")
        site = DatabaseSite(path: path, limit: limit)
    }

    /// A database of another program.
    static func foreign(_ statements: [SQLFragment], limit: Duration = .seconds(60)) throws -> BrowsedSite {
        let site = BrowsedSite(try TemporaryFolder(), limit: limit)
        var options = Connection.Options()
        options.enforcesForeignKeys = false
        let connection = try Connection(.file(site.path), options: options)
        try connection.transaction { for statement in statements { try connection.execute(statement) } }
        return site
    }

    /// Three authors, 130 books, a reader and two series; every value that could be markup is some.
    static func library() throws -> BrowsedSite {
        let site = BrowsedSite(try TemporaryFolder())
        let manager = try ContextManager(
            model: Model(Author.self, Reader.self, Book.self, Series.self), store: .sqlite(site.path))
        try manager.writeAndWait { context in
            let authors = (1...3).map {
                context.author($0, ["Ursula", "<b>Stanisław</b>", "Octavia & \"co\""][$0 - 1])
            }
            authors[0].friends.insert(authors[1])
            let reader = context.insert(Reader.self)
            (reader.id, reader.name, reader.age) = (9, "Lena", 40)
            authors[1].friends.insert(reader)
            let series = context.insert(Series.self)
            series.editor = authors[0]
            for number in 0..<130 {
                let book = context.book("b\(1000 + number)", by: number % 7 == 6 ? nil : authors[number < 100 ? 0 : 1])
                book.price = number % 5 == 0 ? nil : Decimal(number) / 4
                book.weight = number % 3 == 0 ? nil : Double(number % 10) / 3
                book.published = Date(timeIntervalSince1970: Double(number) * 86400)
                book.cover = number % 4 == 0 ? Data((0..<100).map { UInt8($0 ^ number & 0xFF) }) : nil
                if number < 30 { series.books.append(book) }
            }
            let other = context.insert(Series.self)
            other.title = String(repeating: "long <title> & ", count: 200)
        }
        return site
    }

    /// The answer for an address, as a browser would send it.
    func answer(_ address: String) throws -> PageAnswer { site.answer(try BrowsedSite.request(address)) }

    /// The page at an address.
    func page(_ address: String, _ status: Int = 200) throws -> ScannedPage {
        let answer = try answer(address)
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == status, "\(address): \(text.suffix(900))")
        do {
            return try ScannedPage(text)
        } catch {
            throw ScannedPage.Fault(description: "\(address.prefix(300)): \(error)")
        }
    }

    static func request(_ address: String) throws -> PageRequest {
        let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].split(separator: "/").map(String.init)
        let items = parts.count == 2 ? parts[1].split(separator: "&") : []
        func text(_ part: some StringProtocol) throws -> String { try #require(String(part).removingPercentEncoding) }
        return PageRequest(
            try path.map { try text($0) },
            try items.map { item in
                let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (name: try text(sides[0]), value: try text(sides[1]))
            })
    }

    /// The pages that links lead to from an address, each once, at most so many; all must be answered with 200.
    @discardableResult
    func crawl(from start: String = "/", most: Int) throws -> [String] {
        var (waiting, seen): ([String], Set<String>) = ([start], [start])
        var visited: [String] = []
        while let address = waiting.popLast(), visited.count < most {
            visited.append(address)
            // Pages of runs and profiles have tests of their own.
            if address.hasPrefix("/runs") || address.hasSuffix("/profile") { continue }
            if address.contains("/value/") {
                #expect(try answer(address).status == 200, "\(address)")
                continue
            }
            for link in try page(address).addresses where seen.insert(link).inserted { waiting.insert(link, at: 0) }
        }
        return visited
    }
}
