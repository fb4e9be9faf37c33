import CTributaryTwins
import TributaryGraph

/// Cases for objects and their values.
enum ObjectCases {
    static let all: [BenchmarkCase] = [
        BenchmarkCase("object/create", { try create($0.count) }, "C malloc") { twin_create($0.count) },
        BenchmarkCase("object/read", { try read(1000, rounds: $0.count / 100) }, "C struct") {
            twin_read_properties(1000, $0.count / 100)
        },
        BenchmarkCase("object/write", { try write(1000, rounds: $0.count / 100) }, "C struct") {
            twin_write_properties(1000, $0.count / 100)
        },
        BenchmarkCase("object/save", save, "C insert") { twin_save($0.store("twin", isNew: true), $0.count, batch) },
        BenchmarkCase("object/change", change, "C update") {
            twin_change($0.store("twin-change", isNew: true), $0.count / 10)
        },
        BenchmarkCase("object/fetch", fetch, "C select") { twin_fetch($0.store("twin", isNew: false)) },
    ]

    /// The number of objects in a save.
    private static let batch = 100_000

    /// A class of twelve attributes, half of them text.
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

    /// Calls `body` in a context of a store, with indexes of some attributes.
    private static func inContext(
        _ store: StoreLocation = .memory, indexing indexed: [String] = [],
        _ body: (ManagedObjectContext, inout BenchmarkResult) throws -> Void
    ) throws -> BenchmarkResult {
        let model = try Model(Customer.self) { model in
            for index in model.entities[0].attributes.indices {
                model.entities[0].attributes[index].isIndexed =
                    indexed.contains(model.entities[0].attributes[index].name)
            }
        }
        let manager = try ContextManager(model: model, store: store)
        return try manager.newPrivateContext().performAndWait { context in
            var result = BenchmarkResult()
            try body(context, &result)
            return result
        }
    }

    /// Sets the same values as the C twin.
    private static func fill(_ customer: Customer, _ number: Int) {
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
    }

    private static func insert(_ count: Int, _ context: ManagedObjectContext) -> [Customer] {
        (0..<count).map { number in
            let customer = context.insert(Customer.self)
            fill(customer, number)
            return customer
        }
    }

    private static func create(_ count: Int) throws -> BenchmarkResult {
        try inContext { context, result in
            for customer in insert(count, context) {
                result.checksum += customer.id + Int(customer.name?.utf8.first ?? 0)
                result.records += 1
            }
            context.reset()
        }
    }

    /// Calls `body` with saved customers, as most objects are.
    private static func withCustomers(
        _ count: Int, _ body: ([Customer], inout BenchmarkResult) -> Void
    ) throws -> BenchmarkResult {
        try inContext { context, result in
            let customers = insert(count, context)
            try context.save()
            body(customers, &result)
        }
    }

    private static func read(_ count: Int, rounds: Int) throws -> BenchmarkResult {
        try withCustomers(count) { customers, result in
            for _ in 0..<rounds {
                for customer in customers {
                    result.checksum &+=
                        customer.id &+ (customer.age ?? 0) &+ (customer.rank ?? 0) &+ (customer.score ?? 0)
                    result.checksum &+= Int(customer.balance ?? 0) &+ Int(customer.weight ?? 0)
                    result.records += 6
                }
            }
        }
    }

    private static func write(_ count: Int, rounds: Int) throws -> BenchmarkResult {
        try withCustomers(count) { customers, result in
            for round in 0..<rounds {
                for (index, customer) in customers.enumerated() {
                    customer.id = index + round
                    customer.age = index
                    customer.rank = round
                    customer.score = -round
                    customer.balance = Double(index + round)
                    customer.weight = Double(round)
                    result.records += 6
                }
            }
            for customer in customers { result.checksum += customer.id + Int(customer.balance ?? 0) }
        }
    }

    private static func save(_ workload: Workload) throws -> BenchmarkResult {
        try inContext(.sqlite(workload.store("objects", isNew: true))) { context, result in
            while result.records < workload.count {
                for _ in 0..<min(batch, workload.count - result.records) {
                    fill(context.insert(Customer.self), result.records)
                    result.checksum += result.records
                    result.records += 1
                }
                try context.save()
            }
        }
    }

    /// Saves objects that change one attribute, ten times.
    private static func change(_ workload: Workload) throws -> BenchmarkResult {
        let store = StoreLocation.sqlite(workload.store("accounts", isNew: true))
        return try inContext(store, indexing: ["id", "rank", "name"]) { context, result in
            let customers = insert(workload.count / 10, context)
            for customer in customers { customer.age = nil }
            try context.save()
            for round in 1...10 {
                for customer in customers { customer.age = round }
                try context.save()
                result.checksum += round
                result.records += customers.count
            }
        }
    }

    private static func fetch(_ workload: Workload) throws -> BenchmarkResult {
        try inContext(.sqlite(workload.store("objects", isNew: false))) { context, result in
            for customer in try Customer.all(in: context) {
                let numbers = customer.id + (customer.age ?? 0) + (customer.rank ?? 0) + (customer.score ?? 0)
                result.checksum += numbers + Int(customer.balance ?? 0) + Int(customer.weight ?? 0)
                for text in [
                    customer.name, customer.email, customer.city, customer.street, customer.zip, customer.note,
                ] {
                    result.checksum += text?.utf8.count ?? 0
                }
                result.records += 1
            }
        }
    }
}
