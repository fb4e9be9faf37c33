import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// A person, employed or not.
private class HiredPerson: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var name: String?
}

private final class HiredEmployee: HiredPerson {
    @Attribute var salary: Int
    @Attribute var office: String?
    @Attribute var phone: String?
    @Attribute var title: String?
    @Attribute var room: Int?
    @Attribute var floor: Int?
    @Attribute var hours: Double?
    @Attribute var isAway: Bool = true
}

/// What two values tell apart, each by itself.
private final class TwofoldMember: ManagedObject {
    @Attribute(.unique) var number: Int
    @Attribute(.unique) var mail: String
    @Attribute var name: String?
}

/// New objects whose unique values are taken by rows that they cannot become.
@Suite struct RefusedMergeTests {
    private static let employee: [SQLValue] = ["HiredEmployee", 1, "old", 100, "an office of a name that is long"]

    private func people() throws -> ContextManager {
        let manager = try ContextManager(model: Model(HiredPerson.self, HiredEmployee.self), store: .memory)
        try manager.writeAndWait { context in
            let employee = context.insert(HiredEmployee.self)
            employee.id = 1
            employee.name = "old"
            employee.salary = 100
            employee.office = "an office of a name that is long"
            employee.phone = "a number of a phone that is long"
            employee.title = "a title of a person that is long"
            (employee.room, employee.floor, employee.hours) = (7, 8, 9)
        }
        return manager
    }

    private func rows(_ manager: ContextManager) throws -> [[SQLValue]] {
        try manager.stores.stores[0].read { connection in
            try connection.rows(
                of: """
                    SELECT "_entity", "id", "name", "salary", "office" FROM "HiredPerson" ORDER BY "id"
                    """)
        }
    }

    @Test(arguments: [MergePolicy.error, .storeTrump, .objectTrump, .overwrite, .rollback], [true, false])
    func aRowOfAnEntityBelow(_ policy: MergePolicy, _ isLoaded: Bool) throws {
        let manager = try people()
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let employee = try isLoaded ? HiredEmployee.first(in: context) : nil
            let person = context.insert(HiredPerson.self)
            person.id = 1
            person.name = "new"
            for _ in 0..<2 {
                let error = #expect(throws: SaveError.self) { try context.save() }
                #expect(error?.code == .uniqueness && error?.conflicts.map(\.objectID) == [person.objectID])
                #expect(error?.conflicts.first?.uniqueProperties == ["id"])
                #expect(person.isInserted && person.objectID.isTemporary && person.id == 1 && person.name == "new")
                #expect(context.insertedObjects == [person] && context.hasChanges)
                #expect(try rows(manager) == [Self.employee])
            }
            if let employee {
                #expect(employee.context === context && !employee.hasChanges)
                #expect(employee.name == "old" && employee.salary == 100 && employee.isAway)
            }
            // Mended, it goes through.
            person.id = 2
            try context.save()
            #expect(!person.objectID.isTemporary && !context.hasChanges)
            #expect(try HiredPerson.count(in: context) == 2 && HiredEmployee.count(in: context) == 1)
        }
        #expect(try rows(manager) == [Self.employee, ["HiredPerson", 2, "new", nil, nil]])
    }

    private func members(_ manager: ContextManager) throws -> [[SQLValue]] {
        try manager.stores.stores[0].read {
            try $0.rows(of: "SELECT \"number\", \"mail\", \"name\" FROM \"TwofoldMember\" ORDER BY \"_pk\"")
        }
    }

    @Test(arguments: [MergePolicy.objectTrump, .overwrite], [1, 2])
    func twoRowsThatHaveOneValueEach(_ policy: MergePolicy, _ number: Int) throws {
        let manager = try ContextManager(model: Model(TwofoldMember.self), store: .memory)
        try manager.writeAndWait { context in
            for number in 1...2 {
                let member = context.insert(TwofoldMember.self)
                member.number = number
                member.mail = "m\(number)"
            }
        }
        let before = try members(manager)
        #expect(before == [[1, "m1", nil], [2, "m2", nil]])
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let member = context.insert(TwofoldMember.self)
            member.number = number
            member.mail = "m\(3 - number)"
            member.name = "new"
            for _ in 0..<2 {
                let error = #expect(throws: SaveError.self) { try context.save() }
                #expect(error?.code == .uniqueness && error?.conflicts.map(\.objectID) == [member.objectID])
                #expect(member.isInserted && member.objectID.isTemporary && member.name == "new")
                #expect(context.insertedObjects == [member] && context.hasChanges)
                #expect(try members(manager) == before)
            }
            // With both values of one row it becomes that row.
            member.mail = "m\(number)"
            try context.save()
            #expect(!member.objectID.isTemporary && !context.hasChanges)
            #expect(try TwofoldMember.count(in: context) == 2)
        }
        var expected = before
        expected[number - 1][2] = "new"
        #expect(try members(manager) == expected)
    }
}
