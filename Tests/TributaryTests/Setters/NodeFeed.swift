import TributaryGraph
import TributaryTestSupport

import Tributary

/// A random feed of nodes, some of which read or change another node.
struct NodeFeed {
    enum Deed: String, CaseIterable {
        case look, set, add, delete, make, rename, link, mark, credit
    }

    struct Line {
        let id: Int
        let name: Int
        var deed: (what: Deed, to: Int)?
        /// Whether the setter throws after its changes.
        var isBad = false
    }

    let lines: [Line]

    /// Generates records whose ids repeat at any distance, and whose deeds concern an earlier or a later node.
    init(_ random: inout SeededGenerator) {
        let count = Int.random(in: 1...400, using: &random)
        let ids = max(2, count / random.pick([1, 2, 4]))
        let share = random.pick([2, 10, 100])
        let isDirty = random.once(in: 2)
        lines = (0..<count).map { number in
            let isNew = number < ids && !random.once(in: 5)
            var line = Line(id: isNew ? number : random.below(min(number, ids) + 1), name: number)
            if random.once(in: share), let what = Deed.allCases.randomElement(using: &random) {
                let to = random.once(in: 2) ? random.below(ids) : line.id + 1 + random.below(40)
                if to != line.id { line.deed = (what, to) }
            }
            line.isBad = isDirty && random.once(in: 9)
            return line
        }
    }

    var text: String {
        let records = lines.map { line in
            let deed = line.deed.map { ",\"deed\":\"\($0.what.rawValue)\",\"to\":\($0.to)" } ?? ""
            return "{\"id\":\(line.id),\"name\":\"\(line.name)\"\(deed)\(line.isBad ? ",\"bad\":true" : "")}"
        }
        return "[\(records.joined(separator: ",\n"))]"
    }

    struct Bad: Error {}

    /// The setter.
    static func set(_ record: Record, _ node: Node, _ context: ManagedObjectContext) throws {
        node.name = record["name"]
        node.score += 1
        if let to: Int = record["to"] {
            let text: String = record["deed"]
            try perform(Deed(rawValue: text), on: to, node, context)
        }
        if !record["bad"].isMissing { throw Bad() }
    }

    private static func perform(
        _ deed: Deed?, on to: Int, _ node: Node, _ context: ManagedObjectContext
    ) throws {
        let other = try Node.find(["id": to], in: context)
        switch deed {
        case .look: node.name = other?.name ?? "nothing"
        case .set: other?.name = "set"
        case .add: if let other { other.score += 10 }
        case .delete: if let other { context.delete(other) }
        case .rename:
            let free = to + 1_000_000
            if try Node.find(["id": free], in: context) == nil { other?.id = free }
        case .link: node.parent = other
        case .mark: context.insert(Mark.self).text = "mark \(to)"
        case .credit: node.credits += "\(to),"
        case .make where other == nil:
            let made = context.insert(Node.self)
            (made.id, made.name) = (to, "made")
        case .make, nil: break
        }
    }
}
