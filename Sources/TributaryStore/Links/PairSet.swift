/// The pairs of a relationship that the events of a group concern, as they change from event to event.
struct PairSet {
    /// A pair that is stored, or was added.
    struct Pair {
        let source: Int64
        let target: Int64
        /// Its positions in the store; nil if it was not stored.
        var stored: (target: Int64?, source: Int64?)?
        var isPresent = true
        /// The position of the target among those of its source; nil if it has none yet.
        var position: Int64?
    }

    private struct Ends: Hashable {
        let source: Int64
        let target: Int64
    }

    private let isColumn: Bool
    private let isSymmetric: Bool
    /// Whether the sources of a target have an order.
    private let hasSourceOrder: Bool
    private(set) var pairs: [Pair] = []
    private var indexes: [Ends: Int] = [:]
    /// For each source the indexes of its pairs, in the order of its targets; of an index the last place counts, and
    /// pairs that were removed may be among them.
    private var ofSource: [Int64: [Int]] = [:]
    /// The same for each target.
    private var ofTarget: [Int64: [Int]] = [:]
    /// For each source the positions of its pairs, ascending, with some that are not current; nil until one is wanted.
    private var positions: [Int64: [(position: Int64, index: Int)]] = [:]
    /// For each source the last position of its stored pairs that are not here.
    private var lastPositions: [Int64: Int64] = [:]

    init(_ storage: PairStorage) {
        isColumn = storage.isColumn
        isSymmetric = storage.isSymmetric
        hasSourceOrder = storage.sourceOrder != nil
    }

    /// Adds a stored pair, unless it is there.
    mutating func load(_ source: Int64, _ target: Int64, positions: (target: Int64?, source: Int64?)) {
        guard indexes[Ends(source: source, target: target)] == nil else { return }
        let index = append(source, target)
        pairs[index].stored = positions
        pairs[index].position = positions.target
    }

    /// Puts the stored pairs of each target into the order of its sources; some may have been loaded by their source.
    mutating func sortSources() {
        guard hasSourceOrder else { return }
        for (target, indexes) in ofTarget {
            ofTarget[target] = indexes.sorted {
                (pairs[$0].stored?.source ?? .max, $0) < (pairs[$1].stored?.source ?? .max, $1)
            }
        }
    }

    /// Takes the position of a stored pair into account that no event concerns, unless the pair is here.
    mutating func skip(_ source: Int64, _ target: Int64, position: Int64?) {
        guard let position, indexes[Ends(source: source, target: target)] == nil else { return }
        lastPositions[source] = max(position, lastPositions[source] ?? position)
    }

    private mutating func append(_ source: Int64, _ target: Int64) -> Int {
        let index = pairs.count
        pairs.append(Pair(source: source, target: target))
        indexes[Ends(source: source, target: target)] = index
        link(index)
        return index
    }

    private mutating func link(_ index: Int) {
        let pair = pairs[index]
        ofSource[pair.source, default: []].append(index)
        if isSymmetric {
            if pair.target != pair.source { ofSource[pair.target, default: []].append(index) }
        } else {
            ofTarget[pair.target, default: []].append(index)
        }
    }

    /// The pairs of an end, in order.
    private func current(_ indexes: [Int]?) -> [Int] {
        var seen = Set<Int>()
        let reversed = (indexes ?? []).reversed().filter { pairs[$0].isPresent && seen.insert($0).inserted }
        return reversed.reversed()
    }

    /// The pairs of each target, in the order of its sources.
    var byTarget: [[Int]] { ofTarget.values.map { current($0) } }
    /// Whether a target has a source.
    func hasSource(_ target: Int64) -> Bool { (ofTarget[target] ?? []).contains { pairs[$0].isPresent } }

    /// Makes a pair present, as the last one of its source and target; returns its index.
    private mutating func add(_ source: Int64, _ target: Int64) -> Int {
        let isSwapped = isSymmetric && source > target
        let ends = isSwapped ? Ends(source: target, target: source) : Ends(source: source, target: target)
        // A target of a column has one source.
        if isColumn {
            for other in ofTarget[target] ?? [] where pairs[other].source != source { pairs[other].isPresent = false }
        }
        guard let known = indexes[ends] else { return append(ends.source, ends.target) }
        if !pairs[known].isPresent {
            pairs[known].isPresent = true
            pairs[known].position = nil
            link(known)
        }
        return known
    }

    /// Applies an event; true if it changes a pair.
    mutating func apply(_ event: LinkEvent, _ others: LinkOthers) -> Bool {
        let known = pairsOfOwner(event)
        var listed: [Int] = []
        var positions: [Int64] = []
        var seen = Set<Int64>()
        for place in event.others where seen.insert(others.keys[place]).inserted {
            let other = others.keys[place]
            listed.append(event.isFromTarget ? add(other, event.owner) : add(event.owner, other))
            positions.append(Int64(others.positions[place]))
        }
        let inList = Set(listed)
        var isChanged = !inList.subtracting(known).isEmpty
        if event.action == .replace {
            for index in known where !inList.contains(index) {
                pairs[index].isPresent = false
                isChanged = true
            }
        }
        let ordered: [Int]
        switch event.action {
        case .replace:
            ordered = listed
            if event.isFromTarget, hasSourceOrder, ordered != known { isChanged = true }
        case .append:
            ordered = known.filter { !inList.contains($0) } + listed
            if ordered != known { isChanged = true }
        case .merge, .place: ordered = pairsOfOwner(event)
        }
        guard !event.isFromTarget else {
            ofTarget[event.owner] = ordered
            for index in listed where pairs[index].position == nil { placeLast(index, after: PairSet.listed) }
            return isChanged
        }
        if isSymmetric { self.positions = [:] } else { self.positions[event.owner] = nil }
        if event.action == .replace || event.action == .place {
            for (index, position) in zip(listed, positions) {
                if let known = pairs[index].position, known != position { isChanged = true }
                pairs[index].position = position
            }
        } else {
            if event.action == .append { for index in listed { pairs[index].position = nil } }
            for index in listed where pairs[index].position == nil { placeLast(index) }
        }
        ofSource[event.owner] = ordered
        return isChanged
    }

    /// A target that names its source comes after all that the source lists, of which some may wait: their positions
    /// are below this one.
    private static let listed: Int64 = 1 << 32

    /// Gives a target the position after all others of its source, and not before `first`.
    private mutating func placeLast(_ index: Int, after first: Int64 = 0) {
        let source = pairs[index].source
        if positions[source] == nil {
            let known = (ofSource[source] ?? []).compactMap { index -> (position: Int64, index: Int)? in
                pairs[index].position.map { ($0, index) }
            }
            positions[source] = known.sorted { $0.position < $1.position }
        }
        while let last = positions[source]?.last,
            !pairs[last.index].isPresent || pairs[last.index].position != last.position
        {
            positions[source]?.removeLast()
        }
        let last = max(positions[source]?.last?.position ?? -1, lastPositions[source] ?? -1)
        pairs[index].position = max(first, last + 1)
        positions[source]?.append((position: max(first, last + 1), index: index))
    }

    private func pairsOfOwner(_ event: LinkEvent) -> [Int] {
        current((event.isFromTarget ? ofTarget : ofSource)[event.owner])
    }
}
