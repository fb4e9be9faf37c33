import TributaryGraph

/// An entry of a list, with the attributes that controllers filter, sort and divide by.
class ResultsEntry: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var group: String?
    @Attribute var rank: Int = 0
    @Attribute var title: String?
    @Attribute var note: String?
    @Attribute var isShown: Bool = true

    class func model() throws -> Model { try Model(ResultsEntry.self, ResultsSpecialEntry.self) }

    @discardableResult
    static func make(
        _ id: Int, _ group: String? = nil, rank: Int = 0, title: String? = nil, in context: ManagedObjectContext
    ) -> ResultsEntry {
        let entry = context.insert(ResultsEntry.self)
        (entry.id, entry.group, entry.rank, entry.title) = (id, group, rank, title)
        return entry
    }
}

/// An entry of a subentity.
final class ResultsSpecialEntry: ResultsEntry {
    @Attribute var price: Double?
}
