import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// A field, whose area follows from two attributes, and whose name is kept in three ways.
private final class MergedField: ManagedObject {
    @Attribute var width: Int
    @Attribute var height: Int
    @Attribute(.derived("width * height")) var area: Int
    @Attribute(.derived("area * 2")) var twice: Int
    @Attribute var name: String?
    @Attribute(.derived("canonical:(name)")) var searchName: String?
    @Attribute(.derived("uppercase:(searchName)")) var loudName: String?
}

/// Derived attributes fit the attributes that a merge leaves, in whichever context they changed.
@Suite struct MergedDerivedTests {
    private let manager: ContextManager

    /// A field of 2 by 3.
    init() throws {
        manager = try ContextManager(model: Model(MergedField.self), store: .memory)
        try manager.writeAndWait { context in
            let field = context.insert(MergedField.self)
            field.width = 2
            field.height = 3
            field.name = "e"
        }
        #expect(try stored() == [2, 3, 6, 12, "e", "e", "E"])
    }

    private func stored() throws -> [SQLValue] {
        let rows = try manager.stores.stores[0].read { connection in
            try connection.rows(
                of: """
                    SELECT "width", "height", "area", "twice", "name", "searchName", "loudName" FROM "MergedField"
                    """)
        }
        return rows.count == 1 ? rows[0] : []
    }

    /// Lets another context change the field and this one as well, saves, and compares what there is with `expected`.
    private func collide(
        _ policy: MergePolicy, theirs: (MergedField) -> Void, mine: (MergedField) -> Void, expected: [SQLValue]
    ) throws {
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let field = try #require(try MergedField.first(in: context))
            #expect(field.area == 6)
            try manager.writeAndWait { theirs(try #require(try MergedField.first(in: $0))) }
            mine(field)
            try context.save()
            #expect(!context.hasChanges && !field.hasChanges)
            #expect(try stored() == expected, "\(policy)")
            #expect(Self.values(field) == expected, "\(policy): the object has the values of its row")
            // What follows is computed from what there is now.
            field.name = nil
            try context.save()
            let unnamed: [SQLValue] = Array(expected.prefix(4)) + [.null, .null, .null]
            #expect(try stored() == unnamed, "\(policy)")
        }
    }

    private static func values(_ field: MergedField) -> [SQLValue] {
        let numbers = [field.width, field.height, field.area, field.twice].map { SQLValue.integer(Int64($0)) }
        let texts = [field.name, field.searchName, field.loudName].map { $0.map(SQLValue.text) ?? SQLValue.null }
        return numbers + texts
    }

    @Test(arguments: [MergePolicy.objectTrump, .storeTrump])
    func eachHasChangedOneOfTwo(_ policy: MergePolicy) throws {
        try collide(
            policy, theirs: { $0.height = 7 }, mine: { $0.width = 5 }, expected: [5, 7, 35, 70, "e", "e", "E"])
    }

    @Test(arguments: [MergePolicy.objectTrump, .storeTrump])
    func oneHasChangedBothAndTheOtherOne(_ policy: MergePolicy) throws {
        try collide(
            policy,
            theirs: { field in
                field.width = 4
                field.height = 7
            }, mine: { $0.width = 5 },
            expected: policy == .objectTrump ? [5, 7, 35, 70, "e", "e", "E"] : [4, 7, 28, 56, "e", "e", "E"])
    }

    @Test(arguments: [MergePolicy.objectTrump, .storeTrump])
    func whatIsComputedMayHaveStayedTheSame(_ policy: MergePolicy) throws {
        // 3 by 2 is as large as 2 by 3: here nothing computed differs from the row, there it does.
        try collide(
            policy, theirs: { $0.height = 5 },
            mine: { field in
                field.width = 3
                field.height = 2
            },
            expected: policy == .objectTrump ? [3, 2, 6, 12, "e", "e", "E"] : [3, 5, 15, 30, "e", "e", "E"])
    }

    @Test(arguments: [MergePolicy.objectTrump, .storeTrump])
    func aNameThatIsComputedToTheSameHere(_ policy: MergePolicy) throws {
        try collide(
            policy, theirs: { $0.name = "z" }, mine: { $0.name = "\u{C9}" },
            expected: policy == .objectTrump
                ? [2, 3, 6, 12, "\u{C9}", "e", "E"] : [2, 3, 6, 12, "z", "z", "Z"])
    }

    @Test(arguments: [MergePolicy.objectTrump, .storeTrump])
    func aNameThatIsComputedToTheSameThere(_ policy: MergePolicy) throws {
        try collide(
            policy, theirs: { $0.name = "\u{C9}" }, mine: { $0.name = "z" },
            expected: policy == .objectTrump
                ? [2, 3, 6, 12, "z", "z", "Z"] : [2, 3, 6, 12, "\u{C9}", "e", "E"])
    }

    @Test(arguments: [MergePolicy.objectTrump, .storeTrump])
    func attributesThatHaveNothingToDoWithOneAnother(_ policy: MergePolicy) throws {
        try collide(
            policy, theirs: { $0.name = "z" }, mine: { $0.width = 5 }, expected: [5, 3, 15, 30, "z", "z", "Z"])
    }
}
