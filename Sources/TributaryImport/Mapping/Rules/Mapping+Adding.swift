extension Mapping {
    /// The mapping with what it does not say itself taken from `other`; the paths of both count, its own first.
    func added(to other: Mapping) -> Mapping {
        var mapping = self
        mapping.key = key ?? other.key
        for (name, rule) in other.properties { mapping.properties[name] = self[name].added(to: rule) }
        mapping.ignored += other.ignored.filter { !ignored.contains($0) }
        mapping.infersNames = infersNames && other.infersNames
        if conversion == .strict { mapping.conversion = other.conversion }
        if mismatch == .reject { mapping.mismatch = other.mismatch }
        if dates.isEmpty { mapping.dates = other.dates }
        if ordered.isEmpty { mapping.ordered = other.ordered }
        mapping.shaping = shaping ?? other.shaping
        return mapping
    }
}

extension PropertyRule {
    /// The rule with what it does not say itself taken from `other`; the paths of both count, its own first.
    fileprivate func added(to other: PropertyRule) -> PropertyRule {
        var rule = self
        rule.paths += other.paths.filter { !paths.contains($0) }
        rule.conversion = conversion ?? other.conversion
        rule.mismatch = mismatch ?? other.mismatch
        if dates.isEmpty { rule.dates = other.dates }
        rule.defaultValue = defaultValue ?? other.defaultValue
        if policy == .feed { rule.policy = other.policy }
        rule.newest = newest ?? other.newest
        rule.entity = entity ?? other.entity
        rule.finder = finder ?? other.finder
        if links == .replace { rule.links = other.links }
        rule.dangling = dangling ?? other.dangling
        return rule
    }
}
