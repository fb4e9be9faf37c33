import TributaryGraph

/// A node of a tree, which setters with a context link, change and insert besides their own objects.
final class Node: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var name: String?
    @Attribute var score: Int = 0
    /// The ids of the nodes whose scores this node raises when it is saved.
    @Attribute var credits: String = ""
    @Relationship(inverse: \Node.children) var parent: Node?
    @Relationship var children: ToMany<Node>

    override func willSave() {
        guard !credits.isEmpty, let context else { return }
        let all = credits.split(separator: ",").compactMap { Int($0) }
        credits = ""
        for id in all {
            if let other = try? Node.find(["id": id], in: context) { other.score += 100 }
            context.insert(Mark.self).text = "credit \(id)"
        }
    }
}

/// An object without a key.
final class Mark: ManagedObject {
    @Attribute var text: String
}
