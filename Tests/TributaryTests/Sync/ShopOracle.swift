import TributaryTestSupport

/// What syncs of shops come to, told naively.
struct ShopOracle {
    struct Row {
        var name: String
        var parent: Int?
        /// The number of the row, which a later one of the same id does not share.
        let number: Int
    }

    static let kinds = ["Shop", "Shelf", "Item"]
    private static let parents = ["Shelf": "Shop", "Item": "Shelf"]

    /// Whether no row is in another.
    var isFlat = false
    private(set) var rows: [String: [Int: Row]] = ["Shop": [:], "Shelf": [:], "Item": [:]]
    /// For each feed the numbers of the rows that it has brought.
    private var held: [String: Set<Int>] = [:]
    private var last = 0

    struct Outcome: Equatable {
        var (inserted, updated, unchanged, rejected) = (0, 0, 0, 0)
        var deleted: [String: Int] = [:]
        var isRefused = false
    }

    /// Imports lines, and deletes at most `limit` rows.
    mutating func sync(_ lines: [ShopWorld.Line], _ kind: String, feed: String, limit: Int) -> Outcome {
        var outcome = Outcome()
        var seen: Set<Int> = []
        var isClean = true
        for line in lines {
            let known = rows[kind]?[line.id]
            switch line.damage {
            case .key:
                outcome.rejected += 1
                isClean = false
                continue
            case .value:
                outcome.rejected += 1
                if let known { seen.insert(known.number) }
                continue
            case .none: break
            }
            if var row = known {
                let isSame = row.name == line.name && row.parent == line.parent
                (row.name, row.parent) = (line.name, line.parent)
                rows[kind]?[line.id] = row
                seen.insert(row.number)
                if isSame { outcome.unchanged += 1 } else { outcome.updated += 1 }
            } else {
                last += 1
                rows[kind]?[line.id] = Row(name: line.name, parent: line.parent, number: last)
                seen.insert(last)
                outcome.inserted += 1
            }
        }
        let earlier = held[feed] ?? []
        let others = held.filter { $0.key != feed }.reduce(into: Set<Int>()) { $0.formUnion($1.value) }
        let gone = earlier.subtracting(seen).subtracting(others)
        let ids = (rows[kind] ?? [:]).filter { gone.contains($0.value.number) }.map(\.key)
        outcome.isRefused = isClean && ids.count > limit
        guard isClean, !outcome.isRefused else {
            held[feed] = earlier.union(seen)
            return outcome
        }
        held[feed] = seen
        for id in ids { delete(id, kind, &outcome) }
        return outcome
    }

    private mutating func delete(_ id: Int, _ kind: String, _ outcome: inout Outcome) {
        guard rows[kind]?.removeValue(forKey: id) != nil else { return }
        outcome.deleted[kind, default: 0] += 1
        guard let inner = ShopOracle.parents.first(where: { $0.value == kind })?.key else { return }
        for (other, row) in rows[inner] ?? [:] where row.parent == id { delete(other, inner, &outcome) }
    }

    var content: [String: [Int: String]] {
        rows.mapValues { $0.mapValues { "\($0.name) in \($0.parent.map { "\($0)" } ?? "-")" } }
    }

    /// Random lines of a kind, in which what they are in exists.
    func lines(_ kind: String, _ lots: inout SeededGenerator) -> [ShopWorld.Line] {
        var lines: [ShopWorld.Line] = []
        let parents = isFlat ? [] : ShopOracle.parents[kind].flatMap { rows[$0]?.keys.sorted() } ?? []
        for id in (0..<12).shuffled(using: &lots).prefix(lots.below(13)) {
            let parent = parents.isEmpty || lots.once(in: 5) ? nil : lots.pick(parents)
            var line = ShopWorld.Line(id: id, name: "n\(lots.below(3))", parent: parent)
            if lots.once(in: 40) { line.damage = .value }
            if lots.once(in: 60) { line.damage = .key }
            lines.append(line)
            // A record may repeat an earlier key.
            if let earlier = lots.once(in: 6) ? lots.pick(lines) : nil {
                lines.append(ShopWorld.Line(id: earlier.id, name: "n\(lots.below(3))", parent: earlier.parent))
            }
        }
        return lines
    }
}
