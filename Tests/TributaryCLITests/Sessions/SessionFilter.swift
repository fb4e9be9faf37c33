/// A filter of records, as a command gets it and as the oracle understands it.
enum SessionFilter: Codable, Hashable, Sendable {
    /// `id < N`: false for other values than numbers.
    case idBelow(Int)
    /// `name == "TEXT"`
    case named(String)
    /// `name != nil`: null and a missing member are nil.
    case hasName
    /// `NOT (count IN {2.5, "x"})`
    case otherCounts

    var text: String {
        switch self {
        case .idBelow(let number): "id < \(number)"
        case .named(let name): "name == \"\(name)\""
        case .hasName: "name != nil"
        case .otherCounts: "NOT (count IN {2.5, \"x\"})"
        }
    }

    /// Whether a command that has the filter imports a record; damaged parts are left to it.
    func takes(_ item: SessionFeed.Item) -> Bool {
        guard case .record(let members) = item else { return true }
        func value(_ name: String) -> SessionValue { members.last { $0.name == name }?.value ?? .null }
        switch self {
        case .idBelow(let number):
            if case .integer(let id) = value("id") { return id < number }
            return false
        case .named(let name): return value("name") == .text(name)
        case .hasName: return value("name") != .null
        case .otherCounts: return ![.real(2.5), .text("x")].contains(value("count"))
        }
    }
}
