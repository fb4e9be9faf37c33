import TributaryModel

/// A random request, as words of a command line and in its parts.
struct QueryDrawn {
    /// A field with its text, as it is written.
    struct Field {
        let name: String
        let text: String
        let expression: FilterExpression

        var whole: String { name == text ? text : "\(name)=\(text)" }
    }

    /// What a request is sorted by.
    struct Key {
        enum Value {
            case field(Int)
            case path([String])
        }

        let text: String
        let isDescending: Bool
        let value: Value
    }

    let entity: Entity
    var filter: Filter?
    /// Nil for all attributes and to-one relationships, or for the groups and their count.
    var fields: [Field]?
    var sort: [Key] = []
    var groups: [[String]] = []
    var having: Filter?
    var limit: Int?
    var offset = 0
    var isCount = false
    var format = "ndjson"

    /// The words after `query DB`.
    var words: [String] {
        var words = [entity.name]
        func add(_ option: String, _ text: String?) { if let text { words.append("\(option)=\(text)") } }
        add("--where", filter?.description)
        add("--limit", limit.map { "\($0)" })
        add("--offset", offset > 0 ? "\(offset)" : nil)
        if isCount { return words + ["--count"] }
        add("--fields", fields?.map(\.whole).joined(separator: ","))
        add("--sort", sort.isEmpty ? nil : sort.map { ($0.isDescending ? "-" : "") + $0.text }.joined(separator: ","))
        add("--group-by", groups.isEmpty ? nil : groups.map(QueryDrawn.text).joined(separator: ","))
        add("--having", having?.description)
        add("--format", format)
        return words
    }

    static func text(_ path: [String]) -> String { FilterExpression.keyPath(path).description }
}
