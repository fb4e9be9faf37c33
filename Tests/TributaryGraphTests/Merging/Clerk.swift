import TributaryGraph
import TributaryTestSupport

/// A person with each kind of relationship and of derived attribute, for the tests of merges.
final class Clerk: Person {
    @Attribute(.unique) var badge: String?
    @Attribute var hours: Int = 2
    @Attribute var rate: Int = 3
    @Attribute(.derived("hours * rate")) var pay: Int
    @Attribute(.derived("canonical:(name)")) var searchName: String?
    @Attribute(.derived("uppercase:(searchName)")) var loudName: String?
    @Attribute(.derived("guide.id")) var guideID: Int?
    @Attribute(.derived("staff.@count")) var staffCount: Int
    @Attribute(.derived("queue.@count")) var queueCount: Int
    @Relationship var chief: Clerk?
    @Relationship(inverse: \Clerk.chief) var staff: ToMany<Clerk>
    @Relationship var line: Clerk?
    @Relationship(inverse: \Clerk.line) var queue: OrderedToMany<Clerk>
    // The columns of `mentor` and `guide` have no foreign keys.
    @Relationship var mentor: Clerk?
    @Relationship(inverse: \Clerk.mentor, onDelete: .noAction) var students: ToMany<Clerk>
    @Relationship var guide: Clerk?

    /// Sets attributes from the texts of ``MergeOracle``.
    func assign(_ values: [String: String]) {
        for (column, text) in values {
            switch column {
            case "hours": hours = Int(text) ?? 0
            case "rate": rate = Int(text) ?? 0
            default: name = text
            }
        }
    }

    /// Makes a relation of other clerks to this one.
    func link(_ others: [Clerk], by relation: MergeCase.Relation) {
        for other in others {
            switch relation {
            case .attributesOnly: break
            case .toOne: other.chief = self
            case .toMany: staff.insert(other)
            case .manyToMany: friends.insert(other)
            case .ordered: queue.append(other)
            case .unchecked: (other.mentor, other.guide) = (self, self)
            case .path: guide = other
            }
        }
    }

    /// All properties as in ``MergeOracle/rows(ignoring:)``.
    func fields(ignoring others: Set<Int> = []) -> [String: String] {
        let inOrder = queue.map(\.id)
        let lists = [
            "staff": staff.map(\.id), "students": students.map(\.id), "friends": friends.map(\.id), "queued": inOrder,
        ]
        var fields = lists.mapValues { MergeOracle.list($0.sorted()) }
        fields["queue"] = MergeOracle.list(inOrder.filter { !others.contains($0) })
        for (column, other) in [("chief", chief), ("line", line), ("mentor", mentor), ("guide", guide)] {
            fields[column] = other.map { "\($0.id)" } ?? "-"
        }
        let guideID = guideID.map { "\($0)" }
        for (column, text) in [
            ("name", name), ("searchName", searchName), ("loudName", loudName), ("guideID", guideID),
        ] {
            fields[column] = text ?? "-"
        }
        for (column, number) in [
            ("hours", hours), ("rate", rate), ("pay", pay), ("staffCount", staffCount), ("queuedCount", queueCount),
        ] {
            fields[column] = "\(number)"
        }
        return fields
    }
}

extension ContextManager {
    /// A manager of the library and of clerks with a store in memory.
    static func clerks() throws -> ContextManager {
        try ContextManager(
            model: Model(Author.self, Reader.self, Book.self, Series.self, Clerk.self), store: .memory)
    }
}

extension ManagedObjectContext {
    /// Inserts a clerk, whose `id` is required.
    @discardableResult func clerk(_ id: Int, _ values: [String: String] = [:], badge: String? = nil) -> Clerk {
        let clerk = insert(Clerk.self)
        clerk.id = id
        clerk.badge = badge
        clerk.assign(values)
        return clerk
    }
}
