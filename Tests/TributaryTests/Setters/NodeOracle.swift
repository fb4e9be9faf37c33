/// The expected tables after a feed of nodes, computed with a dictionary.
struct NodeOracle {
    private struct Row {
        let number: Int
        var name: String
        var score = 0
        var parent: Int?
    }

    /// The rows of nodes by id.
    private var nodes: [Int: Row] = [:]
    private var marks: [String] = []
    private var last = 0
    private var lastMark = 0
    private(set) var rejected = 0

    /// The rows of both tables.
    var rows: [String] {
        nodes.sorted { $0.value.number < $1.value.number }.map { id, row in
            "\(row.number) \(id) \(row.name) \(row.score) \(row.parent.map(String.init) ?? "-")"
        } + marks
    }

    mutating func take(_ feed: NodeFeed) {
        for line in feed.lines {
            // Each record uses up a row number, even if it inserts no row.
            last += 1
            let earlier = (nodes, marks, lastMark, last)
            take(line)
            if line.isBad {
                (nodes, marks, lastMark, last) = earlier
                rejected += 1
            }
        }
    }

    private mutating func take(_ line: NodeFeed.Line) {
        var row = nodes[line.id] ?? Row(number: last, name: "")
        row.name = "\(line.name)"
        row.score += 1
        nodes[line.id] = row
        guard let (what, to) = line.deed else { return }
        switch what {
        case .look:
            let name = nodes[to]?.name ?? "nothing"
            nodes[line.id]?.name = name
        case .set: nodes[to]?.name = "set"
        case .add: nodes[to]?.score += 10
        case .delete:
            guard let gone = nodes.removeValue(forKey: to) else { break }
            for id in nodes.keys where nodes[id]?.parent == gone.number { nodes[id]?.parent = nil }
        case .make:
            if nodes[to] == nil {
                last += 1
                nodes[to] = Row(number: last, name: "made")
            }
        case .rename:
            if nodes[to + 1_000_000] == nil { nodes[to + 1_000_000] = nodes.removeValue(forKey: to) }
        case .link:
            let parent = nodes[to]?.number
            nodes[line.id]?.parent = parent
        case .mark: mark("mark \(to)")
        case .credit:
            if line.isBad { break }
            nodes[to]?.score += 100
            mark("credit \(to)")
        }
    }

    private mutating func mark(_ text: String) {
        lastMark += 1
        marks.append("mark \(lastMark) \(text)")
    }
}
