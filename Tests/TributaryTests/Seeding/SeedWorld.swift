import Foundation
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

import Tributary

/// The companies of DLData's tests, with a folder of seed files.
struct SeedWorld {
    final class Company: ManagedObject {
        @Attribute var companyID: Int = 0
        @Attribute var companyName: String
        @Attribute var founded: Date?
        @Relationship(inverse: \Employee.company, onDelete: .cascade) var employees: ToMany<Employee>
        @Relationship(inverse: \Department.companies) var departments: ToMany<Department>
    }

    class Employee: ManagedObject {
        @Attribute var employeeID: Int = 0
        @Attribute var employeeName: String
        @Attribute var employeeSalary: Double = 0
        @Attribute var badge: String?
        @Attribute var rank: Int16 = 0
        @Relationship var company: Company?
        @Relationship(inverse: \Department.members) var department: Department?
    }

    final class Manager: Employee {}

    final class Department: ManagedObject {
        @Attribute var name: String
        @Relationship var members: ToMany<Employee>
        @Relationship var companies: ToMany<Company>
    }

    let folder: TemporaryFolder
    let manager: ContextManager

    init() throws {
        folder = try TemporaryFolder()
        manager = try ContextManager(
            model: Model(Company.self, Employee.self, Manager.self, Department.self),
            store: .sqlite(folder.path("app.sqlite")))
    }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> URL {
        URL(filePath: try folder.write(text.utf8, to: name))
    }

    /// Writes the files of DLData's tests, and returns the first one.
    func writeMain(companyA: String = #"{"seedFile": "CompanyA.seed.json"}"#) throws -> URL {
        try write("CompanyA.seed.json", SeedWorld.companyA)
        try write(
            "CompanyB.seed.json",
            #"""
            {"Company": {"companyName": "Foo Inc.", "companyID": "<uniqueID>",
                         "employees": {"seedlings": [{"seedFile": "CompanyBEmployees.seed.json"}]}}}
            """#)
        try write(
            "CompanyBEmployees.seed.json",
            #"{"seedlings": [{"seedFile": "Management.seed.json"}, {"seedFile": "Staff.seed.json"}]}"#)
        try write(
            "Management.seed.json",
            #"{"Employee": {"employeeName": "Greg Gerg", "employeeSalary": 100000000, "employeeID": "<uniqueID>"}}"#)
        try write(
            "Staff.seed.json",
            #"""
            {"Employee": [
                {"employeeName": "Poor Sapp", "employeeID": "<uniqueID>", "employeeSalary": 1},
                {"employeeName": "Ms. Melody Treated", "employeeID": "<uniqueID>", "employeeSalary": 2},
                {"employeeName": "Dr. Knowledge J. Destitute", "employeeID": "<uniqueID>", "employeeSalary": 3},
                {"employeeName": "Andrew Hannon", "employeeID": "<uniqueID>", "employeeSalary": 0}]}
            """#)
        return try write(
            "Main.seed.json", #"{"seedlings": [\#(companyA), {"seedFile": "CompanyB.seed.json"}]}"#)
    }

    static let companyA = #"""
        {"Company": {"companyName": "Diabolical Labs, LLC", "companyID": "<uniqueID>",
                     "employees": {"Employee": {"employeeName": "Mr. T", "employeeSalary": 300,
                                                "employeeID": "<uniqueID>"}}}}
        """#

    /// The number of stored objects of an entity.
    func count(_ entity: String, where filter: Filter? = nil) throws -> Int {
        try manager.readAndWait { context in
            try context.count(FetchRequest<ManagedObject>(entity: entity, where: filter))
        }
    }

    /// The error of planting a seed, after which the store and a context must be empty.
    func error(_ text: String, loader: (any SeedLoader)? = nil) throws -> SeedError {
        let main = try write("Bad.json", text)
        let error = try #require(throws: SeedError.self) { try manager.seed(from: main, loader: loader) }
        try manager.readAndWait { context in
            let other = try #require(throws: SeedError.self) { try context.seed(from: main, loader: loader) }
            #expect(other.code == error.code)
            #expect(context.insertedObjects.isEmpty && !context.hasChanges)
        }
        #expect(try manager.imports.entries().isEmpty)
        for entity in ["Company", "Employee", "Department"] { #expect(try count(entity) == 0) }
        return error
    }
}
