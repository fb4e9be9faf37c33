import TributaryTestSupport

/// Random trees of objects, most of them without an id, as dumps; and what a few lines of plain code keep of these.
struct TreeFeed {
    /// An object: its id, its numbers, the objects inside of it by member, and the members that are null.
    struct Node {
        var id: Int?
        var values: [String: Int] = [:]
        var inner: [String: [Node]] = [:]
        var nulls: Set<String> = []
    }

    /// The members that hold arrays of objects without an id; the others of `members` hold one object.
    private let lists: Set<String>
    private static let members = ["a", "b", "c", "d"]
    /// Whether members are null or empty now and then, and ids occur twice with other values.
    private let hasNulls: Bool
    private let hasRepeats: Bool
    /// Whether a dump has each id with the same values everywhere, so that it changes nothing when it is imported again.
    var isConsistent: Bool { !hasRepeats }
    /// The records of the latest dump.
    private(set) var records: [Node] = []
    /// What is kept of records, and of the objects with an id inside of them.
    private(set) var kept: [Int: Node] = [:]
    private(set) var keptInside: [Int: Node] = [:]
    /// The objects with an id of the record that is made.
    private var inside: [Int: Node] = [:]

    init(_ lots: inout SeededGenerator) {
        hasNulls = lots.once(in: 2)
        hasRepeats = lots.once(in: 2)
        lists = Set(TreeFeed.members.filter { _ in lots.once(in: 2) } + ["e", "f"])
    }

    /// Makes the next dump.
    mutating func advance(_ lots: inout SeededGenerator) {
        records = []
        inside = [:]
        for number in 0..<10 {
            if hasRepeats { inside = [:] }
            var record = node(0, TreeFeed.members, &lots)
            record.id = hasRepeats ? lots.below(7) : number
            records.append(record)
            let stored = store(record)
            kept[record.id ?? 0] = merged(kept[record.id ?? 0], stored)
        }
    }

    private mutating func node(_ level: Int, _ members: [String], _ lots: inout SeededGenerator) -> Node {
        var node = Node()
        for name in ["p", "q"] where !lots.once(in: 3) { node.values[name] = lots.below(4) }
        if hasNulls, node.values["q"] == nil, lots.once(in: 2) { node.nulls.insert("q") }
        guard level < 7 else { return node }
        for member in members where lots.once(in: 2 + level / 2) {
            if hasNulls, lots.once(in: 6) {
                node.nulls.insert(member)
                continue
            }
            let count = lists.contains(member) ? lots.below(4) : 1
            if count == 0, !hasNulls { continue }
            let next = member == "e" ? ["f"] : member == "f" ? [] : members
            node.inner[member] = (0..<count).map { _ in self.node(level + 1, next, &lots) }
        }
        if members == TreeFeed.members, lots.once(in: 4) {
            let id = lots.below(5)
            let other = inside[id] ?? keyed(id, level, &lots)
            inside[id] = other
            node.inner["k"] = [other]
        }
        return node
    }

    /// An object with an id, which has the same members everywhere.
    private mutating func keyed(_ id: Int, _ level: Int, _ lots: inout SeededGenerator) -> Node {
        var node = Node(id: id, values: ["p": lots.below(3), "q": lots.below(3)])
        node.inner["e"] = (0..<1 + lots.below(3)).map { _ in self.node(level + 1, ["f"], &lots) }
        return node
    }

    // MARK: What is kept

    /// The object with bare ids in place of objects with an id, which are kept by themselves.
    private mutating func store(_ node: Node) -> Node {
        var stored = node
        for (member, nodes) in node.inner {
            stored.inner[member] = nodes.map { store($0) }
            guard member == "k", let other = stored.inner["k"]?.first, let id = other.id else { continue }
            keptInside[id] = merged(keptInside[id], other)
            stored.inner["k"] = [Node(id: id)]
        }
        return stored
    }

    /// Members of an object with an id stay as they were where the next one lacks them.
    private func merged(_ old: Node?, _ new: Node) -> Node {
        guard var node = old else { return new }
        node.values.merge(new.values) { $1 }
        node.inner.merge(new.inner) { $1 }
        for name in new.nulls { (node.values[name], node.inner[name]) = (nil, nil) }
        return node
    }

    /// The objects that are kept, a line for each with an id.
    var content: [String] {
        (kept.values.map { "t\($0.id ?? 0) \(TreeFeed.text($0))" }
            + keptInside.values.map { "k\($0.id ?? 0) \(TreeFeed.text($0))" }).sorted()
    }

    /// The number of objects that are kept.
    var count: Int {
        func count(_ node: Node) -> Int {
            1 + node.inner.filter { $0.key != "k" }.values.joined().reduce(0) { $0 + count($1) }
        }
        return (Array(kept.values) + keptInside.values).reduce(0) { $0 + count($1) }
    }

    /// An object as text, without what is empty.
    static func text(_ node: Node) -> String {
        let values = node.values.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
        let inner = node.inner.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map { member, nodes in
            "\(member)=" + (member == "k" ? "#\(nodes[0].id ?? 0)" : nodes.map { text($0) }.joined())
        }
        return "{\((values + inner).joined(separator: " "))}"
    }

    // MARK: JSON

    var json: String { "[\(records.map { json($0) }.joined(separator: ",\n"))]" }

    private func json(_ node: Node) -> String {
        var members = node.id.map { ["\"id\":\($0)"] } ?? []
        members += node.values.sorted { $0.key < $1.key }.map { "\"\($0)\":\($1)" }
        for (member, nodes) in node.inner.sorted(by: { $0.key < $1.key }) {
            let list = nodes.map { json($0) }.joined(separator: ",")
            members.append("\"\(member)\":" + (lists.contains(member) ? "[\(list)]" : list))
        }
        members += node.nulls.sorted().map { "\"\($0)\":null" }
        return "{\(members.joined(separator: ","))}"
    }
}
