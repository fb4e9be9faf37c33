/// Random records of a library, whose objects are nested in each other or named by their keys.
public struct LibraryFeed: Sendable {
    /// The records of a file of one entity.
    public struct File: Sendable {
        /// The entity.
        public let entity: String
        /// The records.
        public let records: [String]
        /// The array of the records.
        public var text: String { "[\(records.joined(separator: ",\n"))]" }
    }

    /// A graph that records describe in parts, from either side.
    private struct Truth {
        var authorOfBook: [Int?]
        var mentorOfAuthor: [Int?]
        var publisherOfBook: [Int?]
        var tagsOfBook: [[Int]]
        var reviewsOfBook: [[Int]]
        var sequelOfBook: [Int?]
    }

    /// The files, in the order of their entities.
    public let files: [File]
    private let truth: Truth

    /// Records that agree with each other: their order does not matter.
    public init(agreeing lots: inout SeededGenerator) {
        let (authors, books, tags) = (1 + lots.below(8), 1 + lots.below(20), 1 + lots.below(6))
        func maybe(_ count: Int) -> Int? { lots.once(in: 3) ? nil : lots.below(count) }
        let shuffled = (0..<books).shuffled(using: &lots)
        var sequels = [Int?](repeating: nil, count: books)
        for (book, next) in zip(shuffled, shuffled.dropFirst()) where lots.once(in: 3) { sequels[book] = next }
        truth = Truth(
            authorOfBook: (0..<books).map { _ in maybe(authors) },
            mentorOfAuthor: (0..<authors).map { _ in maybe(authors) },
            publisherOfBook: (0..<books).map { _ in maybe(4) },
            tagsOfBook: (0..<books).map { _ in Array((0..<tags).shuffled(using: &lots).prefix(lots.below(4))) },
            reviewsOfBook: (0..<books).map { _ in (0..<lots.below(4)).map { _ in lots.below(6) } },
            sequelOfBook: sequels)
        var files: [String: [String]] = ["Author": [], "Book": [], "Tag": []]
        // Each object has one record of its own; inside of others there are keys, or parts of it.
        for author in (0..<authors).shuffled(using: &lots) {
            files["Author"]?.append(Self.author(author, truth, 2, &lots))
        }
        for book in (0..<books).shuffled(using: &lots) {
            files["Book"]?.append(Self.book(book, truth, 2, isWhole: true, &lots))
        }
        for tag in (0..<tags).shuffled(using: &lots) {
            files["Tag"]?.append("{\"name\":\"t\(tag)\",\"color\":\"c\(tag)\"}")
        }
        for publisher in 0..<4 {
            files["Publisher", default: []].append("{\"code\":\(publisher),\"city\":\"p\(publisher)\"}")
        }
        self.files = files.sorted { $0.key < $1.key }.map { File(entity: $0.key, records: $0.value) }
    }

    private static func author(_ author: Int, _ truth: Truth, _ depth: Int, _ lots: inout SeededGenerator) -> String {
        var members = ["\"id\":\(author)", "\"name\":\"a\(author)\""]
        if let mentor = truth.mentorOfAuthor[author] {
            members.append(
                "\"mentor\":"
                    + (depth > 0 && lots.once(in: 3) ? Self.author(mentor, truth, depth - 1, &lots) : "\(mentor)"))
        }
        if lots.once(in: 2) {
            let books = truth.authorOfBook.indices.filter { truth.authorOfBook[$0] == author }
            let list = books.map {
                depth > 0 && lots.once(in: 3) ? Self.book($0, truth, depth - 1, isWhole: false, &lots) : "\"b\($0)\""
            }
            members.append("\"books\":[\(list.joined(separator: ","))]")
        }
        return "{\(members.joined(separator: ","))}"
    }

    private static func book(
        _ book: Int, _ truth: Truth, _ depth: Int, isWhole: Bool, _ lots: inout SeededGenerator
    ) -> String {
        var members = ["\"isbn\":\"b\(book)\"", "\"title\":\"B\(book)\""]
        func says() -> Bool { isWhole || lots.once(in: 2) }
        if says() {
            let author = truth.authorOfBook[book]
            members.append(
                "\"author\":"
                    + (author.map { depth > 0 && lots.once(in: 3) ? Self.author($0, truth, depth - 1, &lots) : "\($0)" }
                        ?? "null"))
        }
        if says(), let publisher = truth.publisherOfBook[book] {
            members.append(
                "\"publisher\":"
                    + (lots.once(in: 2) ? "{\"code\":\(publisher),\"city\":\"p\(publisher)\"}" : "\(publisher)"))
        }
        if says() {
            let tags = truth.tagsOfBook[book].map {
                lots.once(in: 2) ? "\"t\($0)\"" : "{\"name\":\"t\($0)\",\"color\":\"c\($0)\"}"
            }
            members.append("\"tags\":[\(tags.joined(separator: ","))]")
        }
        if says() {
            let reviews = truth.reviewsOfBook[book].enumerated().map { "{\"stars\":\($1),\"text\":\"r\($0)\"}" }
            members.append("\"reviews\":[\(reviews.joined(separator: ","))]")
        }
        if says(), let sequel = truth.sequelOfBook[book] { members.append("\"sequel\":\"b\(sequel)\"") }
        return "{\(members.joined(separator: ","))}"
    }

    /// The content of a store that has all files, as `libraryContent` returns it.
    public var content: [String] {
        func text(_ value: String) -> String { value }
        func number(_ value: Int?) -> String { value.map { "\($0)" } ?? "null" }
        func line(_ values: String...) -> String { "[" + values.joined(separator: ", ") + "]" }
        func book(_ value: Int?) -> String { value.map { text("b\($0)") } ?? "null" }
        let books = truth.authorOfBook.indices
        var lines: [[String]] = []
        lines.append(
            truth.mentorOfAuthor.enumerated().map { line(text("author"), number($0), text("a\($0)"), number($1)) })
        lines.append(
            books.map { index in
                line(
                    text("book"), text("b\(index)"), text("B\(index)"), number(truth.authorOfBook[index]),
                    number(truth.publisherOfBook[index]), book(truth.sequelOfBook[index]),
                    book(books.first { truth.sequelOfBook[$0] == index }))
            })
        let tagCount = files.first { $0.entity == "Tag" }?.records.count ?? 0
        lines.append((0..<tagCount).map { line(text("tag"), text("t\($0)"), text("c\($0)")) })
        lines.append(["0", "1", "2", "3"].map { line(text("publisher"), $0, text("p\($0)")) })
        lines.append(
            books.flatMap { book in
                truth.reviewsOfBook[book].enumerated().map {
                    line(text("review"), text("b\(book)"), number($0), number($1), text("r\($0)"))
                }
            })
        lines.append(
            books.flatMap { book in
                truth.tagsOfBook[book].enumerated().map {
                    line(text("tagged"), text("b\(book)"), number($0), text("t\($1)"))
                }
            })
        return lines.flatMap { $0.sorted() }
    }

    /// Records that contradict each other, of one entity.
    public static func contradicting(_ entity: String, _ lots: inout SeededGenerator) -> String {
        func key(_ name: String) -> String {
            name == "Author" ? "\(lots.below(6))" : "\"\(name == "Book" ? "b" : "t")\(lots.below(8))\""
        }
        func value(_ name: String, _ depth: Int) -> String {
            lots.once(in: 2) || depth == 0 ? key(name) : object(name, depth - 1)
        }
        func list(_ name: String, _ depth: Int) -> String {
            if lots.once(in: 12) { return "null" }
            return "[" + (0..<lots.below(4)).map { _ in value(name, depth) }.joined(separator: ",") + "]"
        }
        func object(_ name: String, _ depth: Int) -> String {
            var members: [String] = []
            func add(_ member: String, _ body: () -> String) {
                if lots.once(in: 2) { members.append("\"\(member)\":\(body())") }
            }
            switch name {
            case "Author":
                members.append("\"id\":\(key(name))")
                add("name") { "\"n\(lots.below(3))\"" }
                add("mentor") { lots.once(in: 5) ? "null" : value("Author", depth) }
                add("pupils") { list("Author", depth) }
                add("books") { list("Book", depth) }
            case "Book":
                members.append("\"isbn\":\(key(name))")
                add("title") { lots.once(in: 12) ? "7" : "\"t\(lots.below(3))\"" }
                add("author") { lots.once(in: 5) ? "null" : value("Author", depth) }
                add("tags") { list("Tag", depth) }
                add("similar") { list("Book", depth) }
                add("sequel") { lots.once(in: 5) ? "null" : value("Book", depth) }
                add("prequel") { lots.once(in: 5) ? "null" : value("Book", depth) }
                add("publisher") {
                    lots.once(in: 2) ? "\(lots.below(3))" : "{\"code\":\(lots.below(3)),\"city\":\"c\(lots.below(2))\"}"
                }
                add("reviews") {
                    "[" + (0..<lots.below(3)).map { _ in "{\"stars\":\(lots.below(3))}" }.joined(separator: ",") + "]"
                }
            default:
                members.append("\"name\":\(key(name))")
                add("color") { "\"c\(lots.below(3))\"" }
                add("books") { list("Book", depth) }
            }
            return "{\(members.joined(separator: ","))}"
        }
        return "[" + (0..<lots.pick([1, 5, 30])).map { _ in object(entity, 2) }.joined(separator: ",\n") + "]"
    }
}
