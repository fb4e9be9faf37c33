/// A chunk while its records are loaded.
struct LoadedChunk {
    /// The position of an object among those of the owner in a column.
    struct Position {
        let column: Int
        let position: Int32
    }

    /// A reference to an object that is not there yet; of those to one object the first one counts.
    struct Reference: Hashable {
        let owner: RelatedChunk.RowID
        let relation: Int
        let position: Int32
        let target: RelatedChunk.RowID

        static func == (one: Reference, other: Reference) -> Bool {
            one.owner == other.owner && one.relation == other.relation && one.target == other.target
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(owner)
            hasher.combine(target)
        }
    }

    let chunk: RelatedChunk
    let parts: RelatedChunk.RecordParts
    let firsts: [Int64]
    /// For each unit and row the primary key; 0 if it is not known.
    var keys: [[Int64]]
    /// For each unit and row the position among the objects of its owner; empty without such positions.
    var positions: [[Position?]]
    /// The rows of the current record that are new, and those that earlier objects have.
    var new: [RelatedChunk.RowID] = []
    var found: [RelatedChunk.RowID] = []
    /// The references of the current record to objects that come later, if at all.
    var waiting: [Reference] = []
    var waitingTargets: Set<Reference> = []
    /// The objects of a mention so far.
    var listed: [Int64] = []
    private var many: Set<Int64> = []

    init(_ chunk: RelatedChunk, _ parts: RelatedChunk.RecordParts, firsts: [Int64], of plan: RelatedPlan) {
        (self.chunk, self.parts, self.firsts) = (chunk, parts, firsts)
        keys = chunk.units.map { Array(repeating: 0, count: $0.batch.count) }
        positions = zip(plan.units, chunk.units).map { unit, rows in
            unit.hasPositions ? Array(repeating: nil, count: rows.batch.count) : []
        }
    }

    /// Whether an object is in a mention already.
    mutating func isListed(_ key: Int64) -> Bool {
        if listed.count < 50 {
            if listed.contains(key) { return true }
        } else {
            if listed.count == 50 { many = Set(listed) }
            guard many.insert(key).inserted else { return true }
        }
        listed.append(key)
        return false
    }

    /// The mentions of a record in a list.
    func mentions(of index: Int, in list: Int) -> Range<Int> {
        let count = chunk.mentions.count
        let next = (index + 1) * count + list
        let end = next < parts.mentions.count ? Int(parts.mentions[next]) : chunk.mentions[list].count
        return Int(parts.mentions[index * count + list])..<end
    }
}
