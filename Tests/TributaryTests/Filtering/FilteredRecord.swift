import TributaryTestSupport

/// A record of a few members, and conditions on it with their filters.
struct FilteredRecord: Sendable {
    enum Value: Sendable, Equatable {
        case null, flag(Bool), number(Double), text(String), list([String])

        init(_ random: inout SeededGenerator) {
            switch random.below(8) {
            case 0: self = .null
            case 1: self = .flag(random.once(in: 2))
            case 2, 3: self = .number([0, 1, 2, 2.5, -3, 1e9][random.below(6)])
            case 4: self = .list((0..<random.below(3)).map { _ in random.pick(["a", "b"]) })
            default: self = .text(random.pick(["", "a", "b", "ab", "ä", "1", "2.5", "\u{1F600}"]))
            }
        }

        var json: String {
            switch self {
            case .null: "null"
            case .flag(let flag): "\(flag)"
            case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
            case .text(let text): "\"\(text)\""
            case .list(let elements): "[\(elements.map { "\"\($0)\"" }.joined(separator: ","))]"
            }
        }

        /// True and false are 1 and 0.
        var number: Double? {
            switch self {
            case .number(let number): number
            case .flag(let flag): flag ? 1 : 0
            default: nil
            }
        }
    }

    /// A condition as a filter, and as what it means.
    struct Condition: Sendable {
        let text: String
        let holds: @Sendable (FilteredRecord) -> Bool

        init(_ text: String, _ holds: @escaping @Sendable (FilteredRecord) -> Bool) {
            (self.text, self.holds) = (text, holds)
        }

        init(depth: Int, _ random: inout SeededGenerator) {
            guard depth > 0, !random.once(in: 3) else {
                self.init(&random)
                return
            }
            let one = Condition(depth: depth - 1, &random)
            if random.once(in: 3) {
                self.init("NOT (\(one.text))") { !one.holds($0) }
                return
            }
            let other = Condition(depth: depth - 1, &random)
            if random.once(in: 2) {
                self.init("(\(one.text)) AND (\(other.text))") { one.holds($0) && other.holds($0) }
            } else {
                self.init("(\(one.text)) OR (\(other.text))") { one.holds($0) || other.holds($0) }
            }
        }

        /// One comparison.
        private init(_ random: inout SeededGenerator) {
            let name = random.pick(FilteredRecord.names + ["inner.x", "inner.y", "missing"])
            let number = Double(random.below(4)) - 0.5 * Double(random.below(2))
            let text = random.pick(["a", "b", "", "ä", "1"])
            switch random.below(9) {
            case 0: self.init("\(name) == nil") { $0[name] == .null }
            case 1: self.init("\(name) != nil") { $0[name] != .null }
            case 2: self.init("\(name) == \(number)") { $0[name].number == number }
            case 3: self.init("\(name) < \(number)") { $0[name].number.map { $0 < number } ?? false }
            case 4: self.init("\(number) <= \(name)") { $0[name].number.map { $0 >= number } ?? false }
            case 5: self.init("\(name) != \"\(text)\"") { $0[name] != .text(text) }
            case 6:
                self.init("\(name) BEGINSWITH \"\(text)\"") {
                    if case .text(let value) = $0[name] { return value.utf8.starts(with: text.utf8) }
                    return false
                }
            case 7:
                self.init("ANY \(name) == \"\(text)\"") {
                    if case .list(let elements) = $0[name] { return elements.contains(text) }
                    return $0[name] == .text(text)
                }
            default:
                self.init("\(name) IN {\"\(text)\", \(number)}") {
                    $0[name] == .text(text) || $0[name].number == number
                }
            }
        }
    }

    static let names = ["a", "b", "c", "d"]

    let id: Int
    /// The members besides the key; `inner` is an object with the members `x` and `y`.
    var members: [String: Value] = [:]
    private var inner: [String: Value]?

    init(_ id: Int, _ random: inout SeededGenerator) {
        self.id = id
        for name in Self.names where !random.once(in: 4) { members[name] = Value(&random) }
        switch random.below(3) {
        case 0: inner = ["x": Value(&random), "y": Value(&random)]
        case 1: members["inner"] = Value(&random)
        default: break
        }
        if inner != nil { members["inner"] = .null }
    }

    /// The value at a path of one or two names; null where there is none.
    subscript(path: String) -> Value {
        let names = path.split(separator: ".").map(String.init)
        return names.count == 2 ? inner?[names[1]] ?? inList(names[0]) : members[names[0]] ?? .null
    }

    /// The value of a member of what may be an array of texts: none of each.
    private func inList(_ name: String) -> Value {
        if case .list(let elements)? = members[name] { return .list(elements.map { _ in "\u{0}" }) }
        return .null
    }

    var json: String {
        var parts = ["\"id\":\(id)"]
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            let object = inner.map { inner in
                "{\(inner.sorted { $0.key < $1.key }.map { "\"\($0)\":\($1.json)" }.joined(separator: ","))}"
            }
            parts.append("\"\(name)\":\(name == "inner" ? object ?? value.json : value.json)")
        }
        return "{\(parts.joined(separator: ","))}"
    }
}
