/// What a load does with the values of columns, and which of them it makes unique.
struct SessionRules: Codable, Hashable, Sendable {
    /// A conversion of values.
    enum Conversion: String, Codable, CaseIterable, Sendable {
        /// `name` is written in capital letters.
        case name = "name=upper"
        /// `count` becomes a number.
        case count = "count=number"
    }

    /// The conversion; nil for none.
    var conversion: Conversion?
    /// Whether a new row without `tag` gets a default.
    var hasDefault = false
    /// Whether records without `name` are rejected.
    var needsName = false

    /// The words of the command.
    var words: [String] {
        var words: [String] = []
        if let conversion { words += ["--convert", conversion.rawValue] }
        if hasDefault { words += ["--default", "tag=new"] }
        if needsName { words += ["--not-null", "name"] }
        return words
    }

    /// The defaults of a new row.
    var defaults: [String: SessionValue] { hasDefault ? ["tag": .text("new")] : [:] }

    /// The values after the conversion; nil if the record is rejected.
    func apply(to values: [String: SessionValue]) -> [String: SessionValue]? {
        var values = values
        if needsName, values["name"] ?? .null == .null { return nil }
        switch conversion {
        case .name:
            switch values["name"] {
            case .text(let text): values["name"] = .text(text.uppercased())
            case .list, .object: return nil
            default: break
            }
        case .count:
            switch values["count"] {
            case nil, .null, .integer, .real: break
            case .text(let text):
                guard let number = Int64(text) else { return nil }
                values["count"] = .integer(number)
            case .flag, .list, .object: return nil
            }
        case nil: break
        }
        return values
    }
}
