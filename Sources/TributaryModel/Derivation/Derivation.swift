/// The expressions of derived attributes, in the filter language.
enum Derivation {
    static func expression(of text: String) throws(FilterError) -> FilterExpression {
        var parser = try FilterParser(FilterSource(text), arguments: [])
        return try parser.wholeExpression()
    }

    /// The keys that an expression reads from the object itself.
    static func ownKeys(of expression: FilterExpression) -> Set<String> {
        var keys: Set<String> = []
        _ = expression.mapping { part in
            switch part {
            case .keyPath(let path), .path(.subject, let path):
                path.first { !$0.hasPrefix("@") }.map { _ = keys.insert($0) }
            default: break
            }
            return nil
        }
        return keys
    }

    /// Sorts names so that each comes after the names it needs; `circular` has the names that depend on a cycle.
    package static func order(_ names: [String], needs: (String) -> Set<String>) -> (
        sorted: [String], circular: [String]
    ) {
        var sorted: [String] = []
        var rest = names
        while !rest.isEmpty {
            let waiting = Set(rest)
            let ready = rest.filter { needs($0).isDisjoint(with: waiting) }
            if ready.isEmpty { break }
            sorted += ready
            rest.removeAll(where: Set(ready).contains)
        }
        return (sorted, rest)
    }
}
