import TributaryJSON

/// What one thread has seen at one path.
///
/// Objects of a dump mostly have the same members in the same order. Each node knows the one that followed it last, so
/// that a key is compared with one name only.
final class PathNode {
    // One thread uses the tree, and no access to a field overlaps another: the check for each value would cost time.

    let step: PathProfile.Step
    let depth: Int
    /// The path one step further outside, which retains this one.
    private let outerNode: Unmanaged<PathNode>?
    /// The values of each kind, outside of an array, whose owners would be counted for each value.
    let kinds = UnsafeMutableBufferPointer<PathProfile.Occurrence>.allocate(capacity: ValueKind.allCases.count)
    @exclusivity(unchecked) private var anomalies = [PathProfile.Occurrence](
        repeating: PathProfile.Occurrence(), count: PathProfile.Anomaly.allCases.count)
    @exclusivity(unchecked) var forms: NumberForms = []
    @exclusivity(unchecked) private(set) var values: ValueCollector?
    @exclusivity(unchecked) private var sizes: SizeProfile?
    /// The keys, if the objects are used as dictionaries.
    @exclusivity(unchecked) private(set) var keys: KeyCollector?
    /// The paths one step further inside.
    @exclusivity(unchecked) private(set) var children: [PathNode] = []
    @exclusivity(unchecked) private(set) var names = NameTable()
    /// The elements of its arrays, or the values of its dictionaries.
    @exclusivity(unchecked) var elements: Unmanaged<PathNode>?
    @exclusivity(unchecked) var dictionaryValues: Unmanaged<PathNode>?
    /// The member that mostly comes first in its objects.
    @exclusivity(unchecked) var firstMember: Unmanaged<PathNode>?
    /// The member that mostly comes after this one.
    @exclusivity(unchecked) var nextMember: Unmanaged<PathNode>?
    /// The hashes of its values, if they may identify the objects.
    @exclusivity(unchecked) var stream: KeyStream?
    /// The number of objects without members.
    @exclusivity(unchecked) var emptyCount = 0
    /// Whether its objects are not examined.
    @exclusivity(unchecked) var isClosed = false
    /// The hash of the path.
    let hash: UInt64

    /// The bytes of the name.
    private let name: UnsafeMutablePointer<UInt8>
    private let nameLength: Int
    private let namePrefix: UInt64

    init(_ step: PathProfile.Step, in outer: PathNode?) {
        self.step = step
        kinds.initialize(repeating: PathProfile.Occurrence())
        outerNode = outer.map { Unmanaged.passUnretained($0) }
        depth = outer.map { $0.depth + 1 } ?? 0
        let text = if case .member(let name) = step { Array(name.utf8) } else { [UInt8]() }
        nameLength = text.count
        name = .allocate(capacity: text.count + 8)
        name.initialize(repeating: 0, count: text.count + 8)
        for (index, byte) in text.enumerated() { name[index] = byte }
        namePrefix = PathNode.prefix(UnsafePointer(name), text.count)
        hash = PathHash.hash(of: ValueHash.text(text), in: outer?.hash ?? 0)
    }

    deinit {
        name.deallocate()
        kinds.deallocate()
    }

    /// The path one step further outside.
    var outer: PathNode? { outerNode?.takeUnretainedValue() }

    /// The steps from the records.
    var path: [PathProfile.Step] { (outer?.path ?? []) + (outer == nil ? [] : [step]) }

    /// The number of paths from here on.
    var pathCount: Int { children.reduce(1) { $0 + $1.pathCount } }

    /// The number of members.
    var memberCount: Int { children.count { if case .member = $0.step { true } else { false } } }

    /// The number of members with objects.
    var objectMemberCount: Int {
        children.count { child in
            if case .member = child.step { child.kinds[ValueKind.object.rawValue].count > 0 } else { false }
        }
    }

    // MARK: Names

    @inline(__always)
    private static func prefix(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
        let word = UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self)
        return count >= 8 ? word : word & ((1 << UInt64(8 * count)) &- 1)
    }

    /// Whether it is the member of a name, after whose end eight bytes may be loaded.
    @inline(__always)
    func isNamed(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        guard count == nameLength, PathNode.prefix(bytes, count) == namePrefix else { return false }
        var index = 8
        while index < count {
            let one = UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt64.self)
            let other = UnsafeRawPointer(name + index).loadUnaligned(as: UInt64.self)
            let rest = count - index
            let difference = (one ^ other) & (rest >= 8 ? .max : (1 << UInt64(8 * rest)) &- 1)
            guard difference == 0 else { return false }
            index += 8
        }
        return true
    }

    /// The member of a name; nil if there is none.
    func member(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ hash: UInt64) -> Unmanaged<PathNode>? {
        names.find(hash) { children[$0].isNamed(bytes, count) }.map { Unmanaged.passUnretained(children[$0]) }
    }

    /// Adds a path one step further inside.
    func add(_ step: PathProfile.Step) -> PathNode {
        let child = PathNode(step, in: self)
        if case .member(let name) = step { names.add(ValueHash.text(Array(name.utf8)), children.count) }
        if step == .elements { elements = Unmanaged.passUnretained(child) }
        if step == .values { dictionaryValues = Unmanaged.passUnretained(child) }
        children.append(child)
        return child
    }

    // MARK: Values

    /// Counts a value; `place` tells where it is.
    @inline(__always)
    func count(_ kind: ValueKind, _ place: () -> ValuePlace) {
        if kinds[kind.rawValue].count == 0 { kinds[kind.rawValue].first = place() }
        kinds[kind.rawValue].count += 1
    }

    /// Counts a value with an anomaly.
    func count(_ anomaly: PathProfile.Anomaly, _ place: ValuePlace) {
        if anomalies[anomaly.rawValue].count == 0 { anomalies[anomaly.rawValue].first = place }
        anomalies[anomaly.rawValue].count += 1
    }

    /// Where texts and numbers go.
    @inline(__always)
    var collector: ValueCollector {
        if let values { return values }
        let made = ValueCollector()
        values = made
        return made
    }

    /// Counts the elements of an array.
    func add(size: Int, limit: Int) {
        if sizes == nil { sizes = SizeProfile() }
        sizes?.add(size, limit: limit)
    }

    // MARK: Profiles

    /// What has been seen at the path and further inside.
    func profile(_ resolution: Resolution) -> PathProfile {
        var profile = PathProfile(step)
        for kind in ValueKind.allCases { profile[kind] = kinds[kind.rawValue] }
        for anomaly in PathProfile.Anomaly.allCases { profile[anomaly] = anomalies[anomaly.rawValue] }
        (profile.forms, profile.empty) = (forms, emptyCount)
        profile.values = values?.profile(resolution)
        profile.sizes = sizes
        profile.sizes?.cut(to: resolution.ranges)
        profile.keys = keys?.keys(resolution)
        profile.children = children.map { $0.profile(resolution) }
        return profile
    }

    /// Makes the members of the objects those of a dictionary.
    func collapse(_ resolution: Resolution) {
        var profile = profile(resolution)
        profile.collapse(resolution)
        let streams = streamsInside()
        keys = KeyCollector(profile.keys ?? DictionaryKeys())
        (children, names) = ([], NameTable())
        (firstMember, elements, dictionaryValues) = (nil, nil, nil)
        for child in profile.children { add(child.step).take(child) }
        dictionaryValues?._withUnsafeGuaranteedRef { $0.take(streams) }
    }

    /// Takes what a profile has at the path and further inside.
    private func take(_ profile: PathProfile) {
        for kind in ValueKind.allCases { kinds[kind.rawValue] = profile[kind] }
        for anomaly in PathProfile.Anomaly.allCases { anomalies[anomaly.rawValue] = profile[anomaly] }
        (forms, emptyCount) = (profile.forms, profile.empty)
        values = profile.values.map(ValueCollector.init)
        sizes = profile.sizes
        keys = profile.keys.map(KeyCollector.init)
        for child in profile.children { add(child.step).take(child) }
    }

    /// Keeps no more than the resolution says, and counts what is kept.
    func cut(_ resolution: Resolution) {
        if let values {
            values.cut(resolution)
            resolution.kept += values.different.count
        }
        keys?.cut(resolution)
        sizes?.cut(to: resolution.ranges)
        for child in children { child.cut(resolution) }
    }

    /// Removes the paths that are further inside than `most` steps, and tells of each of them.
    func cut(depth most: Int, _ tell: (_ path: UInt64, _ values: Int) -> Void) {
        for child in children {
            if depth >= most { tell(child.hash, child.kinds.reduce(0) { $0 + $1.count }) }
            child.cut(depth: most, tell)
        }
        guard depth >= most else { return }
        (children, names) = ([], NameTable())
        (firstMember, elements, dictionaryValues) = (nil, nil, nil)
    }

    /// Adds the paths from here on to the numbers of paths by steps.
    func countPaths(_ counts: inout [Int]) {
        while counts.count <= depth { counts.append(0) }
        counts[depth] += 1
        for child in children { child.countPaths(&counts) }
    }

    /// The number of values.
    var total: Int { kinds.reduce(0) { $0 + $1.count } }

    // MARK: Keys

    /// The hashes of values that may be keys, here and further inside.
    func streams(_ path: [PathProfile.Step] = []) -> [[PathProfile.Step]: KeyStream] {
        var streams: [[PathProfile.Step]: KeyStream] = [:]
        streams[path] = stream
        for child in children { streams.merge(child.streams(path + [child.step])) { one, _ in one } }
        return streams
    }

    /// Begins to keep the hashes of the values, of which there are few so far, and all different.
    func keepKeys(_ store: KeyStreamStore) {
        let stream = KeyStream(store)
        for hash in values?.different.values(limit: .max).hashes ?? [] { stream.add(hash) }
        self.stream = stream
    }

    /// The hashes of keys at the paths inside, by the steps that lead there from the values of a dictionary.
    private func streamsInside() -> [[PathProfile.Step]: KeyStream] {
        var streams: [[PathProfile.Step]: KeyStream] = [:]
        func add(_ node: PathNode, _ path: [PathProfile.Step]) {
            // The values of a dictionary are those of all members, of which only some had usual names.
            if let stream = node.stream, !path.isEmpty {
                if let known = streams[path] { known.merge(stream) } else { streams[path] = stream }
            }
            for child in node.children { add(child, path + [child.step]) }
        }
        for child in children {
            if case .member = child.step { add(child, []) } else { add(child, [child.step]) }
        }
        return streams
    }

    private func take(_ streams: [[PathProfile.Step]: KeyStream], _ path: [PathProfile.Step] = []) {
        stream = streams[path]
        for child in children { child.take(streams, path + [child.step]) }
    }
}
