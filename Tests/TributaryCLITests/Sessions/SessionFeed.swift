/// A file of records that a session imports.
struct SessionFeed: Codable, Hashable, Sendable {
    /// A record, or a damaged part of the text.
    enum Item: Codable, Hashable, Sendable {
        case record([Member])
        case damaged(String)

        var isDamaged: Bool { if case .damaged = self { true } else { false } }

        var text: String {
            switch self {
            case .record(let members): SessionValue.json(members.map { ($0.name, $0.value) })
            case .damaged(let text): text
            }
        }
    }

    /// A member of a record.
    struct Member: Codable, Hashable, Sendable {
        var name: String
        var value: SessionValue
    }

    /// How the records stand in the file.
    enum Layout: String, Codable, CaseIterable, Sendable {
        case array, lines
    }

    /// The name of the file, without its extension.
    var name: String
    var layout = Layout.lines
    var items: [Item] = []

    var fileName: String { name + (layout == .array ? ".json" : ".ndjson") }

    /// The items as they are read: in an array it is a matter of what is around it where a damaged part ends.
    var read: [Item] { layout == .array ? items.filter { !$0.isDamaged } : items }

    var text: String {
        let texts = read.map(\.text)
        return layout == .array ? "[\(texts.joined(separator: ",\n"))]" : texts.map { $0 + "\n" }.joined()
    }
}
