import Foundation
import TributaryGraph

/// The companies of DLData's tests, as a model without classes and with fetch templates.
@MainActor
struct Mayhem {
    let manager: ContextManager

    init(_ store: StoreLocation = .memory, alias: String? = nil) throws {
        manager = try ContextManager(model: Model(Mayhem.model), store: store, alias: alias)
    }

    /// A manager with the companies and employees of DLData's seed files.
    static func filled() throws -> Mayhem {
        let mayhem = try Mayhem()
        try mayhem.fill()
        return mayhem
    }

    var context: ManagedObjectContext { manager.mainContext }

    nonisolated static var model: ModelDescription {
        let company = makeEntity(
            "Company", [required("companyID", .integer64, .integer(0)), required("companyName", .string)],
            [makeRelationship("employees", to: "Employee", inverse: "company", isToMany: true, rule: .cascade)])
        var owner = makeRelationship("company", to: "Company", inverse: "employees")
        owner.isOptional = false
        let employee = makeEntity(
            "Employee",
            [
                required("employeeID", .integer64, .integer(0)), required("employeeName", .string),
                required("employeeSalary", .float, .double(0)),
            ], [owner])
        var model = ModelDescription([company, employee])
        model.fetchTemplates = [
            FetchTemplate("wellPaidEmployees", of: "Employee", where: "employeeSalary >= 300"),
            FetchTemplate("ridiculouslySalariedEmployees", of: "Employee", where: "employeeSalary > 300"),
            FetchTemplate(
                "companyWellPaidEmployees", of: "Employee", where: "employeeSalary >= 300 AND company == $company"),
            FetchTemplate(
                "companyEmployeeByName", of: "Employee", where: "company == $company AND employeeName == $employeeName"),
            FetchTemplate("allEmployeesByCompanyName", of: "Employee", where: "company.companyName == $companyName"),
        ]
        return model
    }

    private nonisolated static func required(
        _ name: String, _ type: AttributeType, _ value: ModelValue? = nil
    ) -> AttributeDescription {
        makeAttribute(name, type, isRequired: true, default: value)
    }

    /// Inserts the companies and employees of DLData's seed files.
    func fill() throws {
        try company("Diabolical Labs, LLC", ["Mr. T": 300])
        try company(
            "Foo Inc.",
            [
                "Greg Gerg": 100_000_000, "Poor Sapp": 1, "Ms. Melody Treated": 2, "Dr. Knowledge J. Destitute": 3,
                "Andrew Hannon": 0,
            ])
    }

    @discardableResult
    func company(_ name: String, _ salaries: KeyValuePairs<String, Double> = [:]) throws -> ManagedObject {
        let company = try context.insert(entity: "Company")
        company["companyName"] = .string(name)
        for (name, salary) in salaries {
            let employee = try context.insert(entity: "Employee")
            employee["employeeName"] = .string(name)
            employee["employeeSalary"] = .double(salary)
            employee.setObject(company, forKey: "company")
        }
        return company
    }
}
