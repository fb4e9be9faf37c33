import TributaryJSON

extension DumpProfile {
    /// The key of the objects at a path: the one with the most usual name; nil if there is none, or if there are so few
    /// objects that values with other names may differ by chance.
    public func key(of path: [PathProfile.Step]) -> KeyFinding? {
        let found = keys.filter { key in
            key.isKey && key.path.dropLast() == path[...]
                && records[path: key.path[...]]?.forms.isDisjoint(with: .noKeys) ?? false
        }
        let objects = records[path: path[...]]
        let places = objects?.children.map(\.step) ?? []
        let best = found.map { ($0, rank($0, places)) }.min { $0.1 < $1.1 }
        guard let best, best.1.0 < 30 || objects?.count ?? 0 >= DumpProfile.manyObjects else { return nil }
        return best.0
    }

    private static let manyObjects = 1000

    /// How unlikely it is that a path is the key, by its name and then by its order.
    private func rank(_ key: KeyFinding, _ places: [PathProfile.Step]) -> (Int, Int) {
        guard case .member(let name)? = key.path.last else { return (.max, 0) }
        let order = key.path.last.flatMap { places.firstIndex(of: $0) } ?? 0
        if let rank = JSON.idNames.firstIndex(of: name) { return (rank, order) }
        let lower = name.lowercased()
        if DumpProfile.keyNames.contains(lower) { return (10, order) }
        let isLikeKey = ["id", "key", "code", "uuid", "guid", "number"].contains { lower.hasSuffix($0) }
        return (isLikeKey ? 20 : 30, order)
    }

    private static let keyNames: Set<String> = [
        "_key", "id", "key", "pk", "code", "slug", "sku", "isbn", "doi", "url", "email", "$oid",
    ]
}
