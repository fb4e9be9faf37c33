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
    /// The marks that contexts have saved, and those of the round, for each level.
    private var (stored, round) = (CRUDOracle.none, CRUDOracle.none)
    /// For each level whether it is part of the round, and whether earlier marks are forgotten.
    private var (isMarked, isForgotten) = (CRUDOracle.no, CRUDOracle.no)
    private var isAllForgotten = false
    /// For each level whether its marks were used.
    private var isUsed = CRUDOracle.no
    private var isAllUsed = false
    private static let none: [Set<String>] = [[], [], []]
    private static let no = [false, false, false]
    var allowUpdate = true
    var needForcedUpdate = false

    /// The marked keys of each level that count.
    var marks: [Set<String>] {
        let isRound = isAllForgotten || isMarked.contains(true)
        return (0..<3).map { isRound || isForgotten[$0] ? round[$0] : stored[$0] }
    }

    /// Begins to work in a new context.
    mutating func begin() {
        (round, isAllForgotten, isAllUsed) = (Self.none, false, false)
        (isMarked, isForgotten, isUsed) = (Self.no, Self.no, Self.no)
    }

    private mutating func mark(_ key: String, _ level: Int) {
        if isAllUsed { forget() } else if isUsed[level] { forget(level) }
        round[level].insert(key)
        isMarked[level] = true
    }

    /// Forgets the marks of a level, or all.
    mutating func forget(_ level: Int? = nil) {
        for level in level.map({ $0...$0 }) ?? 0...2 {
            (round[level], isMarked[level], isUsed[level]) = ([], false, false)
            isForgotten[level] = true
        }
        if level == nil { (isAllForgotten, isAllUsed) = (true, false) }
    }

    /// Saves into the store.
    mutating func save() {
        for level in 0..<3 {
            let isUsed = isAllUsed || isUsed[level]
            if isUsed { (round[level], isMarked[level]) = ([], false) }
            if isUsed || isForgotten[level] { stored[level] = [] }
            stored[level].formUnion(round[level])
        }
        (isForgotten, isUsed, isAllForgotten, isAllUsed) = (Self.no, Self.no, false, false)
    }

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
        mark(node.key, level)
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
            mark(child, level + 1)
            markChildren(of: child, level + 1)
        }
    }

    mutating func delete(_ key: String, _ level: Int) {
        let children = children(of: key, level)
        things[level][key] = nil
        stored[level].remove(key)
        round[level].remove(key)
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
        if let only { isUsed[only] = true } else if marked.contains(where: { !$0.isEmpty }) { isAllUsed = true }
        return count
    }
}
