/// The arrays and objects of a text that are not inside an array, and how many of their contents are objects.
///
/// It finds the places of all records in one pass. An object whose members are alike is a place of records; only the first
/// of its members are looked into, so that the tree does not grow with the text.
struct PlaceTree: Sendable {
    /// The values at one path.
    private struct Node {
        let parent: Int
        let key: [UInt8]
        var children: [[UInt8]: Int] = [:]
        /// The number of objects, and of their members.
        var objects = 0
        var members = 0
        /// The number of objects among the members that begin with the same key as the first.
        var alike = 0
        /// The hash of the first key of the first object among the members.
        var firstKey: UInt64?
        /// The number of elements of arrays, and of objects among them.
        var elements = 0
        var elementObjects = 0
        /// Whether there were members that are not in the tree.
        var isCut = false

        var isObjectOfRecords: Bool { parent >= 0 && alike == members && alike > objects }
        var isArrayOfRecords: Bool { elementObjects * 2 > elements }
    }

    /// The number of paths that the tree has.
    private static let maximumCount = 20_000
    /// The number of members, all of them alike so far, of which the tree has the contents.
    private static let examplesOfRecords = 100

    private var nodes = [Node(parent: -1, key: [])]
    /// The nodes of the open containers by depth; -1 for those inside arrays.
    private var open: [Int] = []

    /// Enters a container inside of `depth` others, which is an element or the member `key` of the innermost one.
    mutating func enter(isObject: Bool, depth: Int, key: UnsafeBufferPointer<UInt8>?) {
        var node = depth == 0 ? 0 : -1
        let parent = self.node(at: depth - 1)
        if parent >= 0, let key {
            node = child(Array(key), of: parent)
        } else if parent >= 0, isObject {
            nodes[parent].elementObjects += 1
        }
        while open.count < depth { open.append(-1) }
        open.removeSubrange(depth...)
        open.append(node)
        if node >= 0, isObject { nodes[node].objects += 1 }
    }

    /// Leaves an array with `count` elements, inside of `depth` containers.
    mutating func leaveArray(depth: Int, count: Int) {
        let node = self.node(at: depth)
        if node >= 0 { nodes[node].elements += count }
    }

    /// The node of the container inside of `depth` others; -1 if it has none.
    private func node(at depth: Int) -> Int { open.indices.contains(depth) ? open[depth] : -1 }

    /// Adds a member of the innermost of `depth` objects, which may be a member of another one.
    mutating func add(_ key: UnsafeRawBufferPointer, depth: Int, isFirst: Bool, isMember: Bool) {
        let (inner, outer) = (node(at: depth - 1), node(at: depth - 2))
        if inner >= 0 { nodes[inner].members += 1 }
        guard isFirst, isMember, outer >= 0 else { return }
        var digest = ByteDigest()
        digest.update(key)
        let first = nodes[outer].firstKey ?? digest.value
        nodes[outer].firstKey = first
        if digest.value == first { nodes[outer].alike += 1 }
    }

    private mutating func child(_ key: [UInt8], of parent: Int) -> Int {
        if let known = nodes[parent].children[key] { return known }
        let (count, alike) = (nodes[parent].children.count, nodes[parent].alike)
        // The outermost object is not taken for records here, so all of its members are looked into.
        let isEnough = parent > 0 && count >= PlaceTree.examplesOfRecords && alike + 1 == nodes[parent].members
        guard !isEnough, nodes.count < PlaceTree.maximumCount else {
            nodes[parent].isCut = true
            return -1
        }
        nodes[parent].children[key] = nodes.count
        nodes.append(Node(parent: parent, key: key))
        return nodes.count - 1
    }

    /// The paths of all records, in the order in which they were found; nil if they are too many.
    var paths: [RecordPath]? {
        var paths: [RecordPath] = []
        var isInside = [Bool](repeating: false, count: nodes.count)
        for (index, node) in nodes.enumerated() {
            if node.parent >= 0 { isInside[index] = isInside[node.parent] || nodes[node.parent].isObjectOfRecords }
            if isInside[index] { continue }
            if node.isCut, !node.isObjectOfRecords { return nil }
            if node.isArrayOfRecords { paths.append(path(to: index, .elements)) }
            if node.isObjectOfRecords { paths.append(path(to: index, .members)) }
        }
        return paths
    }

    private func path(to index: Int, _ contents: RecordPath.Component) -> RecordPath {
        var components = [contents]
        var index = index
        while nodes[index].parent >= 0 {
            components.insert(.key(String(decoding: nodes[index].key, as: UTF8.self)), at: 0)
            index = nodes[index].parent
        }
        return RecordPath(components: components)
    }
}
