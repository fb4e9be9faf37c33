/// What a dump has at one path: the records, a member of objects, the elements of arrays, or the values of a dictionary.
public struct PathProfile: Sendable, Hashable {
    /// The last step of a path.
    public enum Step: Sendable, Hashable, Codable {
        /// None: the records themselves.
        case records
        /// The member of an object.
        case member(String)
        /// The elements of an array.
        case elements
        /// The members of objects that are used as dictionaries, whose keys are data.
        case values
    }

    /// A number of values, and the place of the first of them.
    public struct Occurrence: Sendable, Hashable, Codable {
        /// How many there are.
        public internal(set) var count = 0
        /// Where the first one is; nil if there is none.
        public internal(set) var first: ValuePlace?

        /// A number of values, the first of which is at a place.
        package init(count: Int = 0, first: ValuePlace? = nil) { (self.count, self.first) = (count, first) }

        mutating func merge(_ other: Occurrence) {
            count += other.count
            first = [first, other.first].compactMap(\.self).min()
        }
    }

    /// A finding that a reader of a dump wants to know of.
    public enum Anomaly: Int, Sendable, CaseIterable, Codable {
        /// A whole number that a double, and so JavaScript, cannot hold.
        case beyondDouble
        /// A whole number of more than 64 bits.
        case beyondInt64
        /// A decimal number that a double only approximates.
        case inexact
        /// An object with a key twice, whose last value counts.
        case duplicateKey
    }

    /// The last step of the path.
    public internal(set) var step: Step
    private var kindCounts = [Occurrence](repeating: Occurrence(), count: ValueKind.allCases.count)
    private var anomalies = [Occurrence](repeating: Occurrence(), count: Anomaly.allCases.count)
    /// The forms of its numbers.
    package internal(set) var forms: NumberForms = []
    /// The number of objects without members.
    public internal(set) var empty = 0
    /// The texts and numbers; nil if there is none.
    public internal(set) var values: ValueProfile?
    /// The numbers of elements of the arrays; nil if there is no array.
    public internal(set) var sizes: SizeProfile?
    /// The keys of the objects, if they are used as dictionaries.
    public internal(set) var keys: DictionaryKeys?
    /// What is further inside, in the order of the first occurrence.
    public internal(set) var children: [PathProfile] = []

    init(_ step: Step) { self.step = step }

    /// The values of one kind.
    public internal(set) subscript(kind: ValueKind) -> Occurrence {
        get { kindCounts[kind.rawValue] }
        set { kindCounts[kind.rawValue] = newValue }
    }

    /// The values with an anomaly.
    public internal(set) subscript(anomaly: Anomaly) -> Occurrence {
        get { anomalies[anomaly.rawValue] }
        set { anomalies[anomaly.rawValue] = newValue }
    }

    /// The number of values, null included.
    public var count: Int { kindCounts.reduce(0) { $0 + $1.count } }

    /// The place of the first value.
    public var first: ValuePlace? { kindCounts.compactMap(\.first).min() }

    /// Whether the objects are used as dictionaries, whose keys are data.
    public var isDictionary: Bool { keys != nil }
}

extension PathProfile {
    /// What is at a path from here; nil if nothing is.
    package subscript(path steps: ArraySlice<Step>) -> PathProfile? {
        guard let step = steps.first else { return self }
        return children.first { $0.step == step }?[path: steps.dropFirst()]
    }

    /// A path as it is here, where objects may be dictionaries.
    func path(_ steps: [Step]) -> [Step] {
        var node: PathProfile? = self
        return steps.map { step in
            var step = step
            if case .member = step, node?.isDictionary ?? false { step = .values }
            node = node?.children.first { $0.step == step }
            return step
        }
    }
}

// MARK: Merging

extension PathProfile {
    /// Adds what another part of a dump has at the same path.
    mutating func merge(_ other: PathProfile, _ resolution: Resolution) {
        for index in kindCounts.indices { kindCounts[index].merge(other.kindCounts[index]) }
        for index in anomalies.indices { anomalies[index].merge(other.anomalies[index]) }
        forms.formUnion(other.forms)
        empty += other.empty
        if var own = values, let theirs = other.values {
            own.merge(theirs, resolution)
            values = own
        } else {
            values = values ?? other.values
        }
        if let theirs = other.sizes {
            sizes = sizes ?? SizeProfile()
            sizes?.merge(theirs, limit: resolution.ranges)
        }
        var other = other
        if isDictionary || other.isDictionary {
            collapse(resolution)
            other.collapse(resolution)
            if let theirs = other.keys { keys?.merge(theirs, resolution) }
        }
        var places = Dictionary(uniqueKeysWithValues: children.enumerated().map { ($1.step, $0) })
        for child in other.children {
            if let index = places[child.step] {
                children[index].merge(child, resolution)
            } else {
                places[child.step] = children.count
                children.append(child)
            }
        }
        if resolution.findsDictionaries, !isDictionary, holdsTooManyMembers { collapse(resolution) }
    }

    /// Whether its members are so many that they are the keys of a dictionary; records may have many with objects.
    private var holdsTooManyMembers: Bool {
        let members = children.filter { if case .member = $0.step { true } else { false } }
        return PathLimits.isDictionary(
            members: members.count, withObjects: step == .records ? 0 : members.count { $0[.object].count > 0 })
    }

    /// Makes the members of the objects those of a dictionary.
    mutating func collapse(_ resolution: Resolution) {
        guard keys == nil else { return }
        var keys = DictionaryKeys()
        var merged = PathProfile(.values)
        var others: [PathProfile] = []
        for child in children {
            switch child.step {
            case .member(let name): if child.count > 0 { keys.add(name, times: child.count, resolution) }
            case .values: break
            case .records, .elements:
                others.append(child)
                continue
            }
            var value = child
            value.step = .values
            merged.merge(value, resolution)
        }
        self.keys = keys
        children = others + [merged]
    }

    /// Puts everything into the order of its first occurrence, and keeps no more than the resolution says.
    mutating func finish(_ resolution: Resolution) {
        values?.cut(resolution)
        sizes?.cut(to: resolution.ranges)
        keys?.cut(resolution)
        for index in children.indices { children[index].finish(resolution) }
        children.sort { one, other in
            guard let left = one.first, let right = other.first, left != right else { return one.step < other.step }
            return left < right
        }
    }

    /// Removes the paths that are further inside than `depth` steps, and adds them to those that are not profiled.
    mutating func cut(depth: Int, hash: UInt64, _ further: inout FurtherPaths) {
        for index in children.indices {
            let inner = PathHash.hash(of: children[index].step.hash, in: hash)
            if depth <= 0 { further.add(inner, values: children[index].count) }
            children[index].cut(depth: depth - 1, hash: inner, &further)
        }
        if depth <= 0 { children = [] }
    }

    /// The values that this and all paths inside keep.
    func kept(_ limit: Int) -> Int {
        children.reduce(min(limit, values?.different.hashes.count ?? 0)) { $0 + $1.kept(limit) }
    }

    /// The number of paths for each number of steps.
    func countPaths(_ counts: inout [Int], depth: Int = 0) {
        while counts.count <= depth { counts.append(0) }
        counts[depth] += 1
        for child in children { child.countPaths(&counts, depth: depth + 1) }
    }
}

extension PathProfile.Step {
    /// The hash of its name.
    var hash: UInt64 {
        if case .member(let name) = self { ValueHash.text(Array(name.utf8)) } else { ValueHash.ofNoName }
    }
}

// Names of different bytes may be equal as strings, and are two members.
extension PathProfile.Step: Comparable {
    /// Whether both have the same bytes.
    public static func == (one: PathProfile.Step, other: PathProfile.Step) -> Bool {
        one.order.rank == other.order.rank && one.order.name.utf8.elementsEqual(other.order.name.utf8)
    }

    /// Adds the bytes to a hash.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(order.rank)
        for byte in order.name.utf8 { hasher.combine(byte) }
    }

    /// Whether one comes before the other: first other steps, then members by name.
    public static func < (one: PathProfile.Step, other: PathProfile.Step) -> Bool {
        one.order.rank < other.order.rank
            || one.order.rank == other.order.rank
                && one.order.name.utf8.lexicographicallyPrecedes(other.order.name.utf8)
    }

    private var order: (rank: Int, name: String) {
        switch self {
        case .records: (0, "")
        case .elements: (1, "")
        case .values: (2, "")
        case .member(let name): (3, name)
        }
    }
}
