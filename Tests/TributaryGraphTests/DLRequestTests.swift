import Foundation
import Testing
import TributaryGraph
import TributaryTestSupport

/// The features of DLData's managers: named requests, counts and aliases, all without classes.
@MainActor @Suite("Request features known from DLData") struct DLRequestTests {
    private func names(_ objects: [ManagedObject], _ key: String = "employeeName") -> [String] {
        objects.compactMap { if case .string(let name) = $0[key] { name } else { nil } }.sorted()
    }

    @Test("The model's named requests can be fetched, and an unknown name throws")
    func requestsAreKeptUnderNames() throws {
        let mayhem = try Mayhem.filled()
        for isSaved in [false, true] {
            if isSaved { try mayhem.context.save() }
            let wellPaid = try mayhem.context.request(named: "wellPaidEmployees")
            #expect(try mayhem.context.count(wellPaid) == 2)
            #expect(try names(mayhem.context.fetch(wellPaid)) == ["Greg Gerg", "Mr. T"])
            let rich = try mayhem.context.request(named: "ridiculouslySalariedEmployees")
            #expect(try names(mayhem.context.fetch(rich)) == ["Greg Gerg"])
            #expect(try mayhem.context.ids(rich).count == 1)
        }
        let error = #expect(throws: ContextError.self) { try mayhem.context.request(named: "poorEmployees") }
        #expect(error?.hint.contains("wellPaidEmployees") == true)
    }

    @Test("Variables of a named request are filled, and a missing one throws")
    func variablesAreFilled() throws {
        let mayhem = try Mayhem.filled()
        let context = mayhem.context
        let foo = try #require(
            try context.first(FetchRequest<ManagedObject>(entity: "Company", where: "companyName == \("Foo Inc.")")))
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            let paid = try context.request(named: "companyWellPaidEmployees", variables: ["company": .object(foo)])
            #expect(try names(context.fetch(paid)) == ["Greg Gerg"] && context.count(paid) == 1)
            let one = try context.request(
                named: "companyEmployeeByName",
                variables: ["company": .object(foo.objectID), "employeeName": "Poor Sapp"])
            #expect(try context.first(one)?["employeeSalary"] == .double(1))
            let all = try context.request(named: "allEmployeesByCompanyName", variables: ["companyName": "Foo Inc."])
            #expect(try context.count(all) == 5)
            // A variable without a value must not count as nil.
            let none = try context.request(named: "allEmployeesByCompanyName")
            #expect { try context.fetch(none) } throws: { ($0 as? FilterError)?.code == .variable }
            #expect(throws: FilterError.self) { try context.count(none) }
        }
    }

    @Test("Changing a named request leaves the model's template unchanged")
    func aRequestIsACopyOfTheModelsOwn() throws {
        let mayhem = try Mayhem.filled()
        var request = try mayhem.context.request(named: "wellPaidEmployees")
        request.limit = 1
        request.filter = nil
        request.sort = [SortKey("employeeSalary")]
        #expect(try names(mayhem.context.fetch(request)) == ["Andrew Hannon"])
        #expect(try mayhem.context.first(mayhem.context.request(named: "wellPaidEmployees")) != nil)
        let again = try mayhem.context.request(named: "wellPaidEmployees")
        #expect(try again.limit == nil && mayhem.context.count(again) == 2)
    }

    @Test("Objects are fetched and counted by entity name, and an unknown name throws")
    func objectsOfAnEntityAreFetchedAndCounted() throws {
        let mayhem = try Mayhem.filled()
        var request = FetchRequest<ManagedObject>(
            entity: "Employee", where: "employeeSalary < \(300)", sort: [SortKey("employeeSalary", ascending: false)])
        #expect(try mayhem.context.count(request) == 4)
        #expect(
            try mayhem.context.fetch(request).map { $0["employeeName"] } == [
                "Dr. Knowledge J. Destitute", "Ms. Melody Treated", "Poor Sapp", "Andrew Hannon",
            ])
        #expect(try mayhem.context.first(request)?["employeeName"] == "Dr. Knowledge J. Destitute")
        request.entityName = "Employe"
        #expect(throws: ContextError.self) { try mayhem.context.count(request) }
        #expect(throws: ContextError.self) { try mayhem.context.insert(entity: "Employe") }
    }

    @Test("Deletions cascade in the context before they are saved")
    func deletionsAreSeenAtOnceAndCascade() throws {
        let mayhem = try Mayhem.filled()
        let companies = FetchRequest<ManagedObject>(entity: "Company", where: "companyName == \("Foo Inc.")")
        let employees = FetchRequest<ManagedObject>(entity: "Employee")
        for isSaved in [false, true] {
            if isSaved {
                try mayhem.fill()
                try mayhem.context.save()
            }
            let company = try #require(try mayhem.context.first(companies))
            mayhem.context.delete(company)
            #expect(try names(mayhem.context.fetch(employees)).allSatisfy { $0 == "Mr. T" })
        }
        mayhem.context.rollback()
        #expect(try mayhem.context.count(companies) == 1)
    }

    @Test("Rollback discards changes; a failed save keeps them and reports each fault")
    func commitAndRollback() throws {
        let mayhem = try Mayhem()
        try mayhem.context.save()
        try mayhem.fill()
        mayhem.context.rollback()
        #expect(try mayhem.context.count(FetchRequest<ManagedObject>(entity: "Company")) == 0)
        let alone = try mayhem.context.insert(entity: "Employee")
        // The changes stay pending, so that the object can be corrected and saved again.
        let error = #expect(throws: SaveError.self) { try mayhem.context.save() }
        #expect(error?.code == .validation && error?.faults.count == 2)
        #expect(mayhem.context.hasChanges)
        alone["employeeName"] = "Mr. T"
        alone.setObject(try mayhem.company("Diabolical Labs, LLC"), forKey: "company")
        try mayhem.context.save()
        #expect(!mayhem.context.hasChanges)
    }

    @Test("Observers are notified of inserted, updated and deleted objects")
    func whatHasChangedIsTold() throws {
        let mayhem = try Mayhem()
        var told: [[Int]] = []
        let observation = mayhem.context.observeChanges { _, changes in
            told.append([changes.inserted.count, changes.updated.count, changes.deleted.count])
        }
        let company = try mayhem.company("Foo Inc.", ["Poor Sapp": 1])
        mayhem.context.processPendingChanges()
        try mayhem.context.save()
        company["companyName"] = "Bar Inc."
        mayhem.context.processPendingChanges()
        mayhem.context.delete(company)
        mayhem.context.processPendingChanges()
        #expect(told == [[2, 0, 0], [0, 1, 0], [0, 0, 2]])
        withExtendedLifetime(observation) {}
    }

    @Test("Each alias has its own store, shared by all managers of that alias")
    func aModelHasAStoreForEachAlias() throws {
        let folder = try TemporaryFolder()
        let run = UUID()
        let (one, other) = (
            try Mayhem(.sqlite(folder.path("one")), alias: "one \(run)"),
            try Mayhem(.sqlite(folder.path("other")), alias: "other \(run)")
        )
        try one.fill()
        try one.context.save()
        #expect(try other.context.count(FetchRequest<ManagedObject>(entity: "Company")) == 0)
        // Managers of one alias share the store, but each has its own main context.
        let twin = try Mayhem(.sqlite(folder.path("one")), alias: "one \(run)")
        #expect(twin.context !== one.context)
        #expect(try twin.context.count(FetchRequest<ManagedObject>(entity: "Company")) == 2)
        // An open alias refuses another file or another model, and a file cannot be open under two aliases.
        for (path, alias) in [("third", "one \(run)"), ("one", "third \(run)")] {
            let error = #expect(throws: StoreError.self) { try Mayhem(.sqlite(folder.path(path)), alias: alias) }
            #expect(error?.code == .inUse)
        }
        let error = #expect(throws: StoreError.self) {
            try ContextManager(model: SeedStage.model(), store: .sqlite(folder.path("one")), alias: "one \(run)")
        }
        #expect(error?.code == .incompatibleModel)
    }

    @Test("A save by one manager is merged by another manager of the same alias")
    func managersOfOneAliasHearOfEachOther() async throws {
        let alias = "memory \(UUID())"
        let (one, other) = (try Mayhem(alias: alias), try Mayhem(alias: alias))
        let company = try one.company("Foo Inc.")
        try one.context.save()
        let same = try #require(try other.context.existingObject(with: company.objectID) as ManagedObject?)
        #expect(same !== company && same["companyName"] == "Foo Inc.")
        same["companyName"] = "Bar Inc."
        try other.context.save()
        await mainQueue()
        #expect(company["companyName"] == "Bar Inc.")
    }
}
