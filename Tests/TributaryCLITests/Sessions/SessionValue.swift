import Foundation
import TributarySQLite
import TributaryTestSupport

/// A JSON value of a feed, and what a column of a table holds of it.
indirect enum SessionValue: Hashable, Codable, Sendable {
    case null
    case flag(Bool)
    case integer(Int64)
    case real(Double)
    case text(String)
    case list([SessionValue])
    case object([String: SessionValue])

    /// The value as compact JSON; the members of an object are sorted.
    var json: String {
        switch self {
        case .null: "null"
        case .flag(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): SessionValue.quoted(text)
        case .list(let elements): "[\(elements.map(\.json).joined(separator: ","))]"
        case .object(let members): SessionValue.json(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        }
    }

    /// An object with its members in their order.
    static func json(_ members: [(name: String, value: SessionValue)]) -> String {
        "{\(members.map { "\(quoted($0.name)):\($0.value.json)" }.joined(separator: ","))}"
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\0"..." ":
                quoted +=
                    scalar == " " ? " " : "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// What a column holds: a whole number is the same with and without a decimal point.
    var cell: SQLValue {
        switch self {
        case .null: .null
        case .flag(let flag): .integer(flag ? 1 : 0)
        case .integer(let number): .integer(number)
        case .real(let number): SessionValue.cell(.real(number))
        case .text(let text): .text(text)
        case .list, .object: .text(json)
        }
    }

    /// A value of SQLite, in which a whole number is the same with and without a decimal point.
    static func cell(_ value: SQLValue) -> SQLValue {
        if case .real(let number) = value, let whole = Int64(exactly: number) { return .integer(whole) }
        return value
    }

    /// Whether a key may have the value.
    var canIdentify: Bool {
        switch self {
        case .integer, .real, .text: true
        case .null, .flag, .list, .object: false
        }
    }
}
