import TributaryJSON

/// The texts and numbers at a path.
public struct ValueProfile: Sendable, Hashable {
    /// The different values.
    public internal(set) var different = LowestHashes()
    /// Some of the values.
    public internal(set) var sample = ValueSample()
    /// All different values, if they are few and short, by their hashes.
    package internal(set) var members: [UInt64: ValueText]? = [:]
    /// The numbers; nil if there is none.
    public internal(set) var numbers: NumberProfile?
    /// The texts; nil if there is none.
    public internal(set) var texts: TextProfile?

    /// The most members of a set that is kept as a whole.
    static let mostMembers = 64

    /// Adds the values of another profile of the same path.
    mutating func merge(_ other: ValueProfile, _ resolution: Resolution) {
        different.merge(other.different, limit: resolution.values)
        sample.merge(other.sample, limit: resolution.sampled)
        if let own = members, let theirs = other.members {
            let all = own.merging(theirs) { own, _ in own }
            members = all.count <= ValueProfile.mostMembers ? all : nil
        } else {
            members = nil
        }
        numbers = ValueProfile.merged(numbers, other.numbers) { $0.merge($1, limit: resolution.ranges) }
        texts = ValueProfile.merged(texts, other.texts) { $0.merge($1, limit: resolution.ranges) }
    }

    private static func merged<Part>(_ one: Part?, _ other: Part?, _ merge: (inout Part, Part) -> Void) -> Part? {
        guard var one, let other else { return one ?? other }
        merge(&one, other)
        return one
    }

    mutating func cut(_ resolution: Resolution) {
        different.cut(to: resolution.values)
        sample.cut(to: resolution.sampled)
        numbers?.cut(to: resolution.ranges)
        texts?.cut(to: resolution.ranges)
    }
}
