import CTributaryTwins
import TributaryGraph

/// Objects, and the values in them.
enum ObjectCases {
    static let all: [BenchmarkCase] = [
        BenchmarkCase(
            name: "object/create", run: { try create($0.count) },
            twin: ("C malloc", { try twin(twin_create($0.count)) })),
        BenchmarkCase(
            name: "object/properties", run: { try properties(1000, rounds: $0.count / 100) },
            twin: ("C struct", { try twin(twin_properties(1000, $0.count / 100)) })),
    ]

    /// Twelve attributes, half of them text.
    final class Customer: ManagedObject {
        @Attribute var id: Int
        @Attribute var age: Int?
        @Attribute var rank: Int?
        @Attribute var score: Int?
        @Attribute var balance: Double?
        @Attribute var weight: Double?
        @Attribute var name: String?
        @Attribute var email: String?
        @Attribute var city: String?
        @Attribute var street: String?
        @Attribute var zip: String?
        @Attribute var note: String?
    }

    private static func factory() throws -> (Entity, ModelClasses, Model) {
        let model = try Model(ModelDescription(of: Customer.self))
        guard let entity = model[Customer.entityName] else { throw Problem("the model has no customers") }
        return (entity, try ModelClasses([Customer.self], of: model), model)
    }

    private static func create(_ count: Int) throws -> BenchmarkResult {
        let (entity, classes, model) = try factory()
        defer { withExtendedLifetime(model) {} }
        var customers: [Customer] = []
        customers.reserveCapacity(count)
        for number in 0..<count {
            guard let customer = classes.make(entity) as? Customer else { throw Problem("no customer") }
            customer.id = number
            customer.age = number & 127
            customer.rank = number >> 3
            customer.score = -number
            customer.balance = Double(number) * 0.5
            customer.weight = Double(number) * 0.25
            customer.name = "a short name"
            customer.email = "a@example.org"
            customer.city = "Somewhere"
            customer.street = "First Street"
            customer.zip = "12345"
            customer.note = "nothing"
            customers.append(customer)
        }
        var result = BenchmarkResult(records: 0, checksum: 0)
        for customer in customers {
            result.checksum += customer.id + Int(customer.name?.utf8.first ?? 0)
            result.records += 1
        }
        return result
    }

    private static func properties(_ count: Int, rounds: Int) throws -> BenchmarkResult {
        let (entity, classes, model) = try factory()
        defer { withExtendedLifetime(model) {} }
        let customers = (0..<count).compactMap { _ in classes.make(entity) as? Customer }
        var result = BenchmarkResult(records: 0, checksum: 0)
        for round in 0..<rounds {
            for (index, customer) in customers.enumerated() {
                customer.id = index + round
                customer.balance = Double(index + round)
                result.checksum += customer.id + Int(customer.balance ?? 0)
                result.records += 4
            }
        }
        return result
    }

    private static func twin(_ result: twin_result) throws -> BenchmarkResult {
        guard result.failed == 0 else { throw Problem("the twin has no memory") }
        return BenchmarkResult(records: result.records, checksum: result.checksum)
    }
}
