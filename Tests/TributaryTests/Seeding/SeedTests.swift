import Foundation
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Seeds that are planted, into contexts and into stores.
@Suite struct SeedTests {
    private typealias Company = SeedWorld.Company
    private typealias Employee = SeedWorld.Employee

    private let world: SeedWorld

    init() throws { world = try SeedWorld() }

    private func checkCounts() throws {
        #expect(try world.count("Company") == 2)
        #expect(try world.count("Employee", where: "employeeSalary >= 300") == 2)
        #expect(try world.count("Employee", where: "employeeSalary > 300") == 1)
        #expect(try world.count("Employee", where: "employeeSalary >= 300 AND company.companyName == 'Foo Inc.'") == 1)
        let ids = try world.manager.readAndWait { context in
            try context.fetch(FetchRequest<Company>()).map(\.companyID)
                + context.fetch(FetchRequest<Employee>()).map(\.employeeID)
        }
        #expect(ids.count == 8 && Set(ids).count == 8 && ids.allSatisfy { $0 > 0 })
    }

    @Test("The seed files of DLData make its objects in a context, which are saved by the program")
    func dataOfDLData() throws {
        let main = try world.writeMain()
        try world.manager.writeAndWait { context in
            let objects = try context.seed(from: main)
            #expect(objects.map { $0["companyName"] } == [.string("Diabolical Labs, LLC"), .string("Foo Inc.")])
            #expect(context.insertedObjects.count == 8)
            #expect(try world.count("Company") == 0)
        }
        try checkCounts()
        #expect(try world.manager.imports.entries().isEmpty)
    }

    @Test("The objects of a seed have their class, and an object of another one is an error that leaves none")
    func typedObjects() throws {
        let main = try world.writeMain()
        let staff = URL(filePath: world.folder.path("Staff.seed.json"))
        try world.manager.readAndWait { context in
            let companies = try context.seed(Company.self, from: main)
            #expect(companies.map(\.companyName) == ["Diabolical Labs, LLC", "Foo Inc."])
            context.rollback()
            let error = #expect(throws: ContextError.self) { try context.seed(Company.self, from: main, staff) }
            #expect(error?.code == .wrongClass, "\(String(describing: error))")
            #expect(context.insertedObjects.isEmpty && !context.hasChanges)
        }
    }

    @Test("A seed that fails leaves the earlier changes of its context")
    func earlierChanges() throws {
        let seed = try world.write(
            "a.json", #"{"Company": [{"companyName": "a", "companyID": "<uniqueID>"}, {"companyName": 1}]}"#)
        try world.manager.writeAndWait { context in
            context.insert(Company.self).companyName = "mine"
            #expect(throws: SeedError.self) { try context.seed(from: seed) }
            #expect(context.hasChanges && context.insertedObjects.count == 1)
        }
        #expect(try world.count("Company", where: "companyName == 'mine'") == 1 && world.count("Company") == 1)
    }

    @Test("A manager plants the same files, saves them and keeps them in its journal")
    func dataOfDLDataThroughAManager() throws {
        guard case .finished(let summary) = try world.manager.seed(from: world.writeMain()) else {
            return #expect(Bool(false), "the seed was not planted")
        }
        #expect(summary.inserted == 8 && summary.isBalanced)
        try checkCounts()
        let entry = try #require(try world.manager.imports.entries().first)
        #expect(entry.state == .finished && entry.sourceNames.count == 6)
        #expect(entry.sourceNames[0] == world.folder.path("Main.seed.json"))
        #expect(entry.routes.map(\.entity) == ["Company", "Employee"])
    }

    @Test("New numbers of a seed come after those that objects have, in the store and in the seed")
    func numbersOfOthers() throws {
        try world.manager.writeAndWait { context in
            for number in [3, 5000, Int.max] {
                let company = context.insert(Company.self)
                (company.companyID, company.companyName) = (number, "c")
            }
            try context.save()
        }
        let seed = try world.write(
            "a.json",
            #"""
            {"Company": [{"companyID": "<uniqueID>", "companyName": "a"}, {"companyID": 7000, "companyName": "b"},
            {"companyID": "<uniqueID>", "companyName": "c"}]}
            """#)
        for round in 0..<2 {
            try world.manager.seed(from: seed, again: true)
            let ids = try world.manager.readAndWait { try $0.fetch(FetchRequest<Company>()).map(\.companyID) }
            let new = ids.filter { $0 != 7000 && ![3, 5000, Int.max].contains($0) }
            #expect(Set(new).count == 2 * (round + 1) && new.allSatisfy { $0 > 5000 && $0 < 100_000 }, "\(ids)")
            #expect(round > 0 || new.max() ?? 0 > 7000, "\(ids)")
        }
    }

    @Test("A very large number of one attribute leaves the numbers of others as they are")
    func largeNumbers() throws {
        let large: Int64 = 1_541_815_603_606_036_480
        let seed = try world.write(
            "large.json",
            #"""
            {"Company": [{"companyID": "<uniqueID>", "companyName": "a"}, {"companyID": \#(large), "companyName": "b"},
            {"companyID": "<uniqueID>", "companyName": "c"}, {"companyID": \#(Int64.max), "companyName": "d"},
            {"companyID": "<uniqueID>", "companyName": "e"}]}
            """#)
        try world.manager.seed(from: seed)
        let next = try world.write("next.json", #"{"Employee": [{"employeeID": "<uniqueID>", "employeeName": "x"}]}"#)
        try world.manager.seed(from: next)
        let (companies, employees) = try world.manager.readAndWait { context in
            try (
                Set(context.fetch(FetchRequest<Company>()).map { Int64($0.companyID) }),
                context.fetch(FetchRequest<Employee>()).map(\.employeeID)
            )
        }
        #expect(companies.count == 5 && companies.isSuperset(of: [large, large + 1, large + 2, .max]), "\(companies)")
        #expect(employees.count == 1 && employees[0] < 10_000, "\(employees)")
    }

    @Test("An unchanged seed is planted once, a changed one is refused, and either is planted again on demand")
    func unchangedSeeds() throws {
        let main = try world.writeMain()
        try world.manager.seed(from: main)
        guard case .alreadyFinished(let summary) = try world.manager.seed(from: main) else {
            return #expect(Bool(false), "the seed was planted twice")
        }
        #expect(summary.run == 1 && summary.inserted == 8)
        try world.manager.seed(from: main, again: true)
        #expect(try world.count("Company") == 4)
        try world.write("Management.seed.json", #"{"Employee": []}"#)
        let error = #expect(throws: SeedError.self) { try world.manager.seed(from: main) }
        #expect(error?.code == .changed && error?.reason.contains("Management.seed.json has changed") == true)
        try world.manager.seed(from: main, again: true)
        #expect(try world.count("Company") == 6 && world.count("Employee") == 17)
        // A forgotten run may be repeated.
        for entry in try world.manager.imports.entries() { try world.manager.imports.forget(run: entry.run) }
        try world.manager.seed(from: main)
        #expect(try world.count("Company") == 8)
    }

    @Test("Several seeds are planted by one call, and files in other folders by relative names")
    func severalSeeds() throws {
        let files = FileManager.default
        try files.createDirectory(atPath: world.folder.path("parts"), withIntermediateDirectories: true)
        try world.write("parts/One.json", #"{"seedlings": {"seedFile": "../Two.json"}}"#)
        try world.write("Two.json", #"{"Department": {"name": "two"}}"#)
        let first = try world.write("First.json", #"{"seedlings": [{"seedFile": "parts/One.json"}]}"#)
        let two = URL(filePath: world.folder.path("Two.json"))
        let second = try world.write("Second.json", #"{"seedlings": [{"seedUrl": "\#(two.absoluteString)"}]}"#)
        try world.manager.seed(from: first, second, two)
        #expect(try world.count("Department") == 3)
    }

    @Test("An object has a name and is referenced from other objects, files and batches")
    func references() throws {
        try world.write(
            "Staff.json",
            #"{"Manager": [{"employeeName": "a", "department": "<ref:law>"}, {"employeeName": "b", "department": null}]}"#
        )
        let main = try world.write(
            "Main.json",
            #"""
            {"Company": [
                {"<id>": "one", "companyName": "One", "founded": "2001-02-03T00:00:00Z",
                 "departments": [{"Department": {"<id>": "law", "name": "Law",
                                                 "members": {"Employee": {"employeeName": "c", "company": "<ref:one>"}}}}],
                 "employees": [{"seedlings": [{"seedFile": "Staff.json"}]}]},
                {"companyName": "Two", "departments": ["<ref:law>", "<ref:law>"]}]}
            """#)
        try world.manager.seed(from: main)
        try world.manager.readAndWait { context in
            let law = try #require(try context.first(FetchRequest<SeedWorld.Department>()))
            #expect(Set(law.members.map(\.employeeName)) == ["a", "c"] && law.companies.count == 2)
            let one = try #require(try context.first(FetchRequest<Company>(where: "companyName == 'One'")))
            #expect(Set(one.employees.map(\.employeeName)) == ["a", "b", "c"])
            #expect(one.founded == Date(timeIntervalSince1970: 981_158_400))
        }
        #expect(try world.count("Department") == 1 && world.count("Manager") == 2)
    }

    @Test("References reach objects of earlier batches, which are no longer in memory")
    func referencesAcrossBatches() throws {
        let staff = (0..<5000).map { #"{"employeeName": "\#($0)", "company": "<ref:boss>", "badge": "<uniqueID>"}"# }
        try world.write("Staff.json", "{\"Employee\": [\(staff.joined(separator: ",\n"))]}")
        try world.write("Boss.json", #"{"Company": {"<id>": "boss", "companyName": "Boss"}}"#)
        let main = try world.write(
            "Main.json", #"{"seedlings": [{"seedFile": "Boss.json"}, {"seedFile": "Staff.json"}]}"#)
        try world.manager.seed(from: main)
        #expect(try world.count("Employee", where: "company.companyName == 'Boss'") == 5000)
        let badges = try world.manager.readAndWait { try $0.fetch(FetchRequest<Employee>()).map(\.badge) }
        #expect(Set(badges).count == 5000)
    }

    @Test("Other contexts hear of planted objects, and compressed seeds are read")
    @MainActor func notification() throws {
        let packed = TributaryTestSupport.Tool("/usr/bin/gzip")
        let text = Data(SeedWorld.companyA.utf8)
        let file = try world.folder.write(packed.run(["-c"], input: text).output, to: "a.json.gz")
        let listened = NSLock()
        nonisolated(unsafe) var reloads = 0
        let observation = world.manager.observeSaves { saved in
            listened.withLock { if saved.isReload { reloads += 1 } }
        }
        _ = try withExtendedLifetime(observation) { try world.manager.seed(from: URL(filePath: file)) }
        #expect(listened.withLock { reloads } == 1)
        #expect(try world.count("Company") == 1)
    }
}
