import TributaryJSON

/// What differs between two dumps.
package struct ProfileDrift {
    private let old: DumpProfile
    private let new: DumpProfile
    private let hidesValues: Bool
    private let describe: (ValuePlace) -> String
    /// The differences, each in a line, in the order of the paths.
    package private(set) var lines: [String] = []

    /// A share of values may move by so much.
    private static let presence = 0.01
    /// The most new members of a set that are named.
    private static let mostMembers = 5

    /// Compares a profile with an earlier one; `describe` tells where a value is.
    package init(
        from old: DumpProfile, to new: DumpProfile, hidesValues: Bool = false,
        _ describe: @escaping (ValuePlace) -> String
    ) {
        (self.old, self.new, self.hidesValues, self.describe) = (old, new, hidesValues, describe)
        guard old.recordCount > 0, new.recordCount > 0 else {
            if old.recordCount > 0 { lines = [".: no records; there were \(old.recordCount)"] }
            if new.recordCount > 0 { lines = [".: \(new.recordCount) records; there were none"] }
            return
        }
        compare(old.records, new.records, [])
        compareKeys()
    }

    /// A path as lines begin with it.
    static func name(_ path: [PathProfile.Step]) -> String {
        path.isEmpty ? "." : path.map { Excerpt.escape($0.text) }.joined()
    }

    private mutating func compare(_ before: PathProfile, _ after: PathProfile, _ path: [PathProfile.Step]) {
        compareKinds(before, after, path)
        if before.isDictionary != after.isDictionary, before[.object].count > 0, after[.object].count > 0 {
            lines.append(
                "\(ProfileDrift.name(path)): its keys are \(after.isDictionary ? "data now" : "names of members now")")
            return
        }
        compareValues(before, after, path)
        let places = Dictionary(after.children.map { ($0.step, $0) }) { one, _ in one }
        for child in before.children where child.count > 0 {
            let inside = path + [child.step]
            if let found = places[child.step], found.count > 0 {
                comparePresence(child, found, before, after, inside)
                compare(child, found, inside)
            } else if ProfileDrift.places(child, in: after) > 0 {
                lines.append("\(ProfileDrift.name(inside)): gone; it was in \(ProfileDrift.share(child, in: before))")
            }
        }
        let known = Set(before.children.filter { $0.count > 0 }.map(\.step))
        for child in after.children where child.count > 0 && !known.contains(child.step) {
            guard ProfileDrift.places(child, in: before) > 0 else { continue }
            lines.append(
                "\(ProfileDrift.name(path + [child.step])): new, in \(ProfileDrift.share(child, in: after)); first: "
                    + (child.first.map(describe) ?? ""))
        }
    }

    /// The number of objects or arrays in which a path may be.
    private static func places(_ child: PathProfile, in outer: PathProfile) -> Int {
        child.step == .elements ? outer[.array].count : outer[.object].count
    }

    /// In how many of the objects around it a path has a value, in words.
    static func share(_ child: PathProfile, in outer: PathProfile) -> String {
        guard case .member = child.step else { return "\(child.count) values" }
        let share = Double(child.count - child[.null].count) / Double(max(1, outer[.object].count))
        return "\(percent(share)) of the objects"
    }

    private static func percent(_ share: Double) -> String {
        let tenths = Int((share * 1000).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
    }

    private mutating func compareKinds(_ before: PathProfile, _ after: PathProfile, _ path: [PathProfile.Step]) {
        let (known, found) = (ProfileDrift.kinds(before), ProfileDrift.kinds(after))
        guard !known.isEmpty, !found.isEmpty else { return }
        for (kind, occurrence) in found.sorted(by: { $0.key < $1.key }) where known[kind] == nil {
            lines.append(
                "\(ProfileDrift.name(path)): \(kind) ×\(occurrence.count) is new; first: "
                    + (occurrence.first.map(describe) ?? ""))
        }
        for kind in known.keys.sorted() where found[kind] == nil {
            lines.append("\(ProfileDrift.name(path)): no \(kind) any more")
        }
    }

    /// The kinds of the values; true and false are one, and so are all numbers if some have a fraction.
    private static func kinds(_ path: PathProfile) -> [String: PathProfile.Occurrence] {
        var kinds: [String: PathProfile.Occurrence] = [:]
        for kind in path.kinds {
            let name =
                switch kind {
                case .no, .yes: "boolean"
                case .integer where path[.real].count > 0, .real: "number"
                default: "\(kind)"
                }
            kinds[name, default: .init()].merge(path[kind])
        }
        return kinds
    }

    private mutating func comparePresence(
        _ before: PathProfile, _ after: PathProfile, _ outer: PathProfile, _ newOuter: PathProfile,
        _ path: [PathProfile.Step]
    ) {
        guard case .member = before.step, outer[.object].count > 0, newOuter[.object].count > 0 else { return }
        let was = Double(before.count - before[.null].count) / Double(outer[.object].count)
        let share = Double(after.count - after[.null].count) / Double(newOuter[.object].count)
        // Filled everywhere, or not any more, matters however little it moved.
        let isFullOnce = (was == 1) != (share == 1)
        guard abs(was - share) > ProfileDrift.presence || isFullOnce else { return }
        lines.append(
            "\(ProfileDrift.name(path)): filled in \(ProfileDrift.percent(share)), before in \(ProfileDrift.percent(was))"
        )
    }

    private mutating func compareValues(_ before: PathProfile, _ after: PathProfile, _ path: [PathProfile.Step]) {
        guard let was = before.values, let values = after.values else { return }
        if let members = was.members, was.different.isExact, let found = values.members {
            // Values of a new kind have been told of.
            let kinds = Set(members.values.map(\.isText))
            let added = found.filter { members[$0.key] == nil && kinds.contains($0.value.isText) }.map(\.value).sorted()
            guard !added.isEmpty, isSet(was) else { return }
            if hidesValues {
                lines.append("\(ProfileDrift.name(path)): \(added.count) new \(added.count == 1 ? "value" : "values")")
                return
            }
            let names = added.prefix(ProfileDrift.mostMembers).map { Excerpt.escape($0.text) }
            let rest = added.count - names.count
            lines.append(
                "\(ProfileDrift.name(path)): new \(added.count == 1 ? "value" : "values") \(names.joined(separator: ", "))"
                    + (rest > 0 ? " and \(rest) more" : ""))
            return
        }
        // The keys of new records are beyond those of the old ones.
        guard old.keys.first(where: { $0.path == path })?.isKey != true else { return }
        guard let low = was.numbers, let numbers = values.numbers, low.count > 0, numbers.count > 0 else { return }
        if NumberOrder.isBelow(numbers.minimum, low.minimum) {
            let bounds = hidesValues ? "a lower minimum" : "minimum \(numbers.minimum), before \(low.minimum)"
            lines.append("\(ProfileDrift.name(path)): \(bounds)")
        }
        if NumberOrder.isBelow(low.maximum, numbers.maximum) {
            let bounds = hidesValues ? "a higher maximum" : "maximum \(numbers.maximum), before \(low.maximum)"
            lines.append("\(ProfileDrift.name(path)): \(bounds)")
        }
    }

    /// Whether the values are those of a small set, each of them several times.
    private func isSet(_ values: ValueProfile) -> Bool {
        values.different.counts.reduce(0, +) >= values.different.estimate * 5
    }

    private mutating func compareKeys() {
        for key in old.keys where key.isKey || key.isInEachObject && key.proof == nil {
            guard let found = new.keys.first(where: { $0.path == key.path }), let proof = found.proof, !proof.isUnique
            else { continue }
            lines.append(
                "\(ProfileDrift.name(key.path)): no key any more, \(proof.repeats) "
                    + (proof.repeats == 1 ? "value repeats" : "values repeat"))
        }
    }
}
