import Tributary

/// A row of the page: a path of the records, and what they have there.
struct PathRow {
    /// The path, such as `author.name` or `tags[]`.
    let path: String
    let profile: PathProfile
    /// The number of objects that could have the member.
    let places: Int

    /// The rows of all paths inside of another one, in the order in which the dump has them.
    static func all(inside outer: PathProfile, _ path: String = "") -> [PathRow] {
        outer.children.flatMap { child in
            let (name, places) =
                switch child.step {
                case .member(let name): (path.isEmpty ? name : "\(path).\(name)", outer[.object].count)
                case .elements: ("\(path)[]", child.count)
                // The objects are dictionaries: their keys are data, as in {"2024": …, "2025": …}.
                case .values: ("\(path){}", child.count)
                case .records: (path, child.count)
                }
            let row = PathRow(path: name, profile: child, places: places)
            // Values on the way to records at several paths are not counted.
            return (child.count > 0 ? [row] : []) + all(inside: child, name)
        }
    }

    /// The share of these objects with a value that is not null.
    var filled: Double { Double(profile.count - profile[.null].count) / Double(max(1, places)) }

    /// What the values are, such as `date` or `object`; if they are mixed, the number of each kind.
    var kinds: String {
        guard profile.type == .mixed else { return profile.type.rawValue }
        let words: [ValueKind: String] = [.yes: "true", .no: "false", .real: "number"]
        return profile.kinds.map { "\(words[$0] ?? "\($0)") ×\(profile[$0].count)" }.joined(separator: ", ")
    }

    /// The number of different texts and numbers, with ~ if it is an estimate; empty if there are none.
    var distinct: String {
        guard let different = profile.values?.different else { return "" }
        return (different.isExact ? "" : "~") + "\(different.estimate)"
    }

    /// The lowest and the highest number, or the first and the last text.
    var range: String {
        let (numbers, texts) = (profile.values?.numbers, profile.values?.texts)
        guard let low = numbers?.minimum ?? texts?.first?.text, let high = numbers?.maximum ?? texts?.last?.text else {
            return ""
        }
        return low == high ? low : "\(low) … \(high)"
    }

    /// The most common values with their shares; none if all values are different.
    var top: [(value: String, share: Double)] {
        if profile.type == .boolean {
            let share = Double(profile[.yes].count) / Double(profile[.yes].count + profile[.no].count)
            return [("true", share), ("false", 1 - share)]
        }
        guard let values = profile.values, values.different.hasRepeats else { return [] }
        return values.common(5).map { ($0.value.text, $0.share) }
    }
}
