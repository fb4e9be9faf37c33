import Tributary

/// A node of the dictionaries of the random test, of the class of its level: books, pages, images.
struct CRUDNode {
    var key: String
    /// The order of a book, negative if invalid; 0 for a page without text; the size of an image, 0 if invalid.
    var value: Int
    var stamp: Int
    /// Nil if the dictionary says nothing about children.
    var children: [CRUDNode]?

    /// The dictionary of a node of a level.
    func text(_ level: Int) -> String {
        let names = [("name", "pages"), ("code", "pictures"), ("url", "")][level]
        let word = value == 0 ? "null" : #""\#(value)""#
        let content = [
            #""order": \#(value), "stamp": \#(stamp)"#, #""text": \#(word)"#, #""size": \#(value)"#,
        ][level]
        let inside = children.map { children in
            #", "\#(names.1)": [\#(children.map { $0.text(level + 1) }.joined(separator: ","))]"#
        }
        return #"{"\#(names.0)": "\#(key)", \#(content)\#(inside ?? "")}"#
    }
}

/// The naive counterpart of CRUD on books, pages and images: dictionaries in memory.
struct CRUDOracle {
    struct Thing: Equatable {
        var value: Int
        var stamp: Int
        var parent: String?
    }

    /// The objects of each level, by key.
    var things: [[String: Thing]] = [[:], [:], [:]]
    /// The marked keys of each level.
    var marks: [Set<String>] = [[], [], []]
    var allowUpdate = true
    var needForcedUpdate = false

    mutating func crud(_ node: CRUDNode, _ level: Int = 0, parent: String? = nil) -> CRUDState {
        var state = CRUDState.created
        if let known = things[level][node.key] {
            let should = [known.stamp != node.stamp, true, known.value != node.value][level]
            state = needForcedUpdate || allowUpdate && should ? .updated : .unchanged
        }
        if state != .unchanged {
            let parent = parent ?? things[level][node.key]?.parent
            things[level][node.key] = Thing(value: node.value, stamp: node.stamp, parent: parent)
            for child in node.children ?? [] { _ = crud(child, level + 1, parent: node.key) }
        }
        guard let thing = things[level][node.key], isValid(thing, level) else {
            delete(node.key, level)
            return .deleted
        }
        marks[level].insert(node.key)
        if state == .unchanged || node.children == nil { markChildren(of: node.key, level) }
        return state
    }

    private func isValid(_ thing: Thing, _ level: Int) -> Bool {
        [thing.value >= 0, thing.value != 0 && thing.parent != nil, thing.value != 0][level]
    }

    private func children(of key: String, _ level: Int) -> [String] {
        level == 2 ? [] : things[level + 1].filter { $0.value.parent == key }.map(\.key)
    }

    private mutating func markChildren(of key: String, _ level: Int) {
        for child in children(of: key, level) {
            marks[level + 1].insert(child)
            markChildren(of: child, level + 1)
        }
    }

    mutating func delete(_ key: String, _ level: Int) {
        let children = children(of: key, level)
        things[level][key] = nil
        marks[level].remove(key)
        for child in children { delete(child, level + 1) }
    }

    /// Removes what is not marked of the levels with marks, or of one level; returns how many were not removed by a cascade.
    mutating func removeDeprecated(_ only: Int? = nil) -> Int {
        let marked = marks
        var count = 0
        for level in 0..<3 where only.map({ $0 == level }) ?? !marked[level].isEmpty {
            for key in things[level].keys.sorted() where !marked[level].contains(key) && things[level][key] != nil {
                delete(key, level)
                count += 1
            }
        }
        return count
    }
}
