/// A path whose values are the keys of other objects of the dump.
public struct ReferenceFinding: Sendable, Hashable, Codable {
    /// The steps to the values.
    public let path: [PathProfile.Step]
    /// The steps to the keys.
    public let target: [PathProfile.Step]
    /// The number of different values that were looked up.
    public let compared: Int
    /// Those among them that no object has as its key.
    public let dangling: Int
    /// Whether all different values were looked up.
    public let isExact: Bool
}

extension DumpProfile {
    /// The paths whose values are keys of other objects, found by comparing the different values of both.
    ///
    /// Of the values at least 99 of 100 are keys, and at least 30 are compared. Numbers that only happen to be among those
    /// of a key are not taken for references: the name of the path or of the objects has to tell, or they are in an array.
    public var references: [ReferenceFinding] {
        let targets = keys.filter { $0.isInEachObject && $0.proof?.isUnique ?? true }
        var found: [ReferenceFinding] = []
        records.forEach { path, profile in
            guard let values = profile.values, profile.kinds.count == 1, values.different.estimate >= 30 else { return }
            let matches = targets.compactMap { target -> ReferenceFinding? in
                guard target.path != path, let other = records[path: target.path[...]], other.kinds == profile.kinds,
                    let keys = other.values?.different
                else { return nil }
                return DumpProfile.compare(values.different, with: keys, path, target.path)
            }
            .filter { match in
                profile.type != .integer || DumpProfile.suggests(match.path, match.target)
            }
            // The key of the fewest objects fits best.
            if let best = matches.min(by: { ($0.dangling, size($0.target)) < ($1.dangling, size($1.target)) }) {
                found.append(best)
            }
        }
        return found
    }

    private func size(_ path: [PathProfile.Step]) -> Int { records[path: path[...]]?.count ?? 0 }

    private static func compare(
        _ values: LowestHashes, with keys: LowestHashes, _ path: [PathProfile.Step], _ target: [PathProfile.Step]
    ) -> ReferenceFinding? {
        let bound = min(values.threshold ?? .max, keys.threshold ?? .max)
        let compared = values.hashes.prefix { $0 < bound }
        let dangling = compared.count { keys.count(of: $0) == nil }
        guard compared.count >= 30, dangling * 100 <= compared.count else { return nil }
        return ReferenceFinding(
            path: path, target: target, compared: compared.count, dangling: dangling,
            isExact: values.isExact && keys.isExact)
    }

    /// Whether the names of a path tell that its numbers may be keys.
    private static func suggests(_ path: [PathProfile.Step], _ target: [PathProfile.Step]) -> Bool {
        if path.last == .elements { return true }
        guard case .member(let name)? = path.last else { return false }
        let lower = name.lowercased()
        if ["id", "parent", "ref"].contains(where: { lower.hasSuffix($0) }) || lower.hasSuffix("_key") { return true }
        // A name like that of the objects, as `author` for `.authors[].id`.
        return target.contains { step in
            if case .member(let place) = step { place.lowercased().hasPrefix(lower) } else { false }
        }
    }
}

extension PathProfile {
    /// Calls `body` with each path and what is there, those further outside first.
    package func forEach(_ path: [Step] = [], _ body: ([Step], PathProfile) -> Void) {
        body(path, self)
        for child in children { child.forEach(path + [child.step], body) }
    }
}
