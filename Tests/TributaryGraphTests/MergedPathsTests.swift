import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// A person whose works are counted.
private final class PathWriter: ManagedObject {
    @Attribute var name: String?
    @Attribute(.derived("works.@count")) var workCount: Int
    @Relationship(inverse: \PathWork.writer) var works: ToMany<PathWork>
}

private final class PathWork: ManagedObject {
    @Attribute var title: String?
    @Attribute(.derived("writer.name")) var writerName: String?
    @Relationship var writer: PathWriter?
}

/// What is computed along relationships is computed from what the store has at the moment of a merge.
@Suite struct MergedPathsTests {
    private let manager: ContextManager

    /// Writers a and b, and work x of a.
    init() throws {
        manager = try ContextManager(model: Model(PathWriter.self, PathWork.self), store: .memory)
        try manager.writeAndWait { context in
            for name in ["a", "b"] { context.insert(PathWriter.self).name = name }
            try Self.addWork("x", context)
        }
        #expect(try writers() == [["a", 1], ["b", 0]])
    }

    private static func writer(_ name: String, _ context: ManagedObjectContext) throws -> PathWriter {
        try #require(try PathWriter.find(["name": name], in: context))
    }

    /// Makes a work of writer a.
    private static func addWork(_ title: String, _ context: ManagedObjectContext) throws {
        let work = context.insert(PathWork.self)
        work.title = title
        work.writer = try writer("a", context)
    }

    private func writers() throws -> [[SQLValue]] {
        try manager.stores.stores[0].read {
            try $0.rows(of: "SELECT \"name\", \"workCount\" FROM \"PathWriter\" ORDER BY \"_pk\"")
        }
    }

    private func works() throws -> [[SQLValue]] {
        try manager.stores.stores[0].read {
            try $0.rows(of: "SELECT \"title\", \"writerName\", \"writer\" FROM \"PathWork\" ORDER BY \"title\"")
        }
    }

    @Test(arguments: [MergePolicy.objectTrump, .storeTrump])
    func whatOthersHaveAddedIsCounted(_ policy: MergePolicy) throws {
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let writer = try Self.writer("a", context)
            #expect(writer.works.count == 1 && writer.workCount == 1)
            try manager.writeAndWait { try Self.addWork("theirs", $0) }
            writer.name = "mine"
            try context.save()
            #expect(writer.workCount == 2 && writer.works.count == 2 && !context.hasChanges)
            #expect(Set(writer.works.map(\.title)) == ["x", "theirs"])
        }
        #expect(try writers() == [["mine", 2], ["b", 0]])
    }

    @Test(arguments: [MergePolicy.objectTrump, .storeTrump])
    func whatBothHaveAddedIsCounted(_ policy: MergePolicy) throws {
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let writer = try Self.writer("a", context)
            #expect(writer.works.count == 1)
            try manager.writeAndWait { try Self.addWork("theirs", $0) }
            try Self.addWork("mine", context)
            #expect(writer.works.count == 2)
            try context.save()
            #expect(writer.workCount == 3 && writer.works.count == 3 && !context.hasChanges)
            #expect(Set(writer.works.map(\.title)) == ["x", "theirs", "mine"])
        }
        #expect(try writers() == [["a", 3], ["b", 0]])
        #expect(try works() == [["mine", "a", 1], ["theirs", "a", 1], ["x", "a", 1]])
    }

    /// A store in memory that is being written cannot be read through another connection.
    @Test(arguments: [MergePolicy.objectTrump, .storeTrump])
    func whoIsNotLoadedIsReadInTheSameTransaction(_ policy: MergePolicy) throws {
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let work = try #require(try PathWork.first(in: context))
            #expect(work.title == "x" && work.writerName == "a")
            try manager.writeAndWait { context in
                try #require(try PathWork.first(in: context)).writer = try Self.writer("b", context)
            }
            work.title = "mine"
            try context.save()
            #expect(work.title == "mine" && work.writerName == "b" && work.writer?.name == "b")
            #expect(!context.hasChanges)
        }
        #expect(try works() == [["mine", "b", 2]])
        #expect(try writers() == [["a", 0], ["b", 1]])
    }
}
