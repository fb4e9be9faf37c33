import TributaryModel
import TributaryStore

/// Which columns a list has.
enum ListColumns {
    /// The columns that a list has unless others are chosen.
    private static let most = 9

    /// The columns of an address, or those of its entity.
    static func columns(of request: PageRequest, _ source: QuerySource) throws(FilterError) -> [ListColumn] {
        let chosen = request.query.filter { $0.name == "columns" && !$0.value.isEmpty }.flatMap { item in
            source.entity[item.value] == nil ? parts(of: item.value) : [item.value]
        }
        var seen: Set<String> = []
        let names = (chosen.isEmpty ? defaults(of: source) : chosen).filter { seen.insert($0).inserted }
        return try names.map { name throws(FilterError) in try ListColumn(name, of: source) }
    }

    /// Text divided at commas that are outside of brackets and quotes.
    private static func parts(of text: String) -> [String] {
        var (parts, depth, quote): ([String], Int, Character?) = ([""], 0, nil)
        for character in text {
            if character == quote {
                quote = nil
            } else if quote == nil, character == "\"" || character == "'" {
                quote = character
            } else if quote == nil, character == "(" || character == "{" {
                depth += 1
            } else if quote == nil, character == ")" || character == "}" {
                depth -= 1
            } else if quote == nil, depth == 0, character == "," {
                parts.append("")
                continue
            }
            parts[parts.count - 1].append(character)
        }
        return parts.map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
    }

    /// All properties if they are few, else those with short values first.
    static func defaults(of source: QuerySource) -> [String] {
        let shown = properties(of: source).filter { $0.name != source.keyName }
        guard shown.count > most else { return shown.map(\.name) }
        let label = Labels.name(of: source.entity)
        func rank(_ property: Property) -> Int {
            if property.name == label { return 0 }
            switch property {
            case .attribute(let attribute):
                switch attribute.type {
                case .json, .binary, .transformable: return 3
                default: return attribute.name == "_rest" ? 3 : 1
                }
            case .relationship(let relationship): return relationship.isToMany ? 2 : 1
            }
        }
        let ranked = shown.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
        // They keep the order of the entity.
        return ranked.prefix(most).sorted { $0.offset < $1.offset }.map(\.element.name)
    }

    /// The properties with values in the database.
    static func properties(of source: QuerySource) -> [Property] {
        let fields = Set(source.fields)
        return source.entity.properties.filter { property in
            if fields.contains(property.name) { return true }
            guard let relationship = property.relationship else { return false }
            return relationship.isToMany && !relationship.isTransient
        }
    }
}
