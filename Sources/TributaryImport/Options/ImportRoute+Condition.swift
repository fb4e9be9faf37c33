package import TributaryJSON

extension ImportRoute {
    /// A value that the records of a route have.
    struct Condition: Sendable, CustomStringConvertible {
        let member: RemoteKey
        let value: String

        var description: String { "\(member.path.joined(separator: ".")) = \(value)" }

        /// Whether a record has the value: text, or a number or truth value as it is written.
        func isMet(by record: Record) -> Bool { member.plainText(in: record) == value }
    }

    /// The route for the records that another one takes, by its condition and filter.
    package func withCondition(of other: ImportRoute) -> ImportRoute {
        var route = self
        (route.condition, route.filter) = (other.condition, other.filter)
        return route
    }

    /// The same route for records whose member has a value, so that one stream feeds several entities.
    ///
    ///     routes: [
    ///         .rows("Push").when("type", is: "PushEvent"),
    ///         .rows("Fork").when("type", is: "ForkEvent"),
    ///         .rows("OtherEvent"),
    ///     ]
    ///
    /// The first route of a path that fits takes a record; what no route takes is counted as skipped.
    ///
    /// - Parameters:
    ///   - member: The path of the value in a record.
    ///   - value: Its text, or the text of a number or truth value.
    /// - Returns: The route with the condition.
    public func when(_ member: RemoteKey, is value: String) -> ImportRoute {
        var route = self
        route.condition = Condition(member: member, value: value)
        return route
    }
}

extension RemoteKey {
    /// The text of the value in a record, or the text of a number or truth value; nil for anything else.
    package func plainText(in record: Record) -> String? {
        var found = record.value
        for name in path {
            guard found.kind == .object else { return nil }
            found = found[name]
        }
        switch found.kind {
        case .string: return try? String(json: found)
        case .number, .boolean: return found.compactText
        case .object:
            switch ExtendedJSON.plain(found) {
            case .text(let text): return text
            case .integer(let number): return "\(number)"
            case .real(let number): return "\(number)"
            case .null, nil: return nil
            }
        default: return nil
        }
    }
}
