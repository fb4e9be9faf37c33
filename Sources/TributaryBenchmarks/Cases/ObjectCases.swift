import CTributaryTwins
import TributaryGraph

/// Cases for objects and their values.
enum ObjectCases {
    static let all: [BenchmarkCase] = [
        BenchmarkCase(
            name: "object/create", run: { try create($0.count) },
            twin: ("C malloc", { try BenchmarkResult(twin_create($0.count)) })),
        BenchmarkCase(
            name: "object/read", run: { try read(1000, rounds: $0.count / 100) },
            twin: ("C struct", { try BenchmarkResult(twin_read_properties(1000, $0.count / 100)) })),
        BenchmarkCase(
            name: "object/write", run: { try write(1000, rounds: $0.count / 100) },
            twin: ("C struct", { try BenchmarkResult(twin_write_properties(1000, $0.count / 100)) })),
        BenchmarkCase(
            name: "object/save", run: { try save($0) },
            twin: ("C insert", { try BenchmarkResult(twin_save($0.store("twin", isNew: true), $0.count, batch)) })),
        BenchmarkCase(
            name: "object/change", run: { try change($0) },
            twin: (
                "C update", { try BenchmarkResult(twin_change($0.store("twin-change", isNew: true), $0.count / 10)) }
            )),
        BenchmarkCase(
            name: "object/fetch", run: { try fetch($0) },
            twin: ("C select", { try BenchmarkResult(twin_fetch($0.store("twin", isNew: false))) })),
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

    private static func manager() throws -> ContextManager {
        try ContextManager(model: Model(Customer.self), store: .memory)
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

    private static func create(_ count: Int) throws -> BenchmarkResult {
        let context = try manager().newPrivateContext()
        return context.performAndWait { context in
            var customers: [Customer] = []
            customers.reserveCapacity(count)
            for number in 0..<count {
                let customer = context.insert(Customer.self)
                fill(customer, number)
                customers.append(customer)
            }
            var result = BenchmarkResult(records: 0, checksum: 0)
            for customer in customers {
                result.checksum += customer.id + Int(customer.name?.utf8.first ?? 0)
                result.records += 1
            }
            context.reset()
            return result
        }
    }

    /// Calls `body` with saved customers, as most objects are.
    private static func withCustomers(
        _ count: Int, _ body: ([Customer], inout BenchmarkResult) -> Void
    ) throws -> BenchmarkResult {
        try manager().newPrivateContext().performAndWait { context in
            let customers = (0..<count).map { number in
                let customer = context.insert(Customer.self)
                fill(customer, number)
                return customer
            }
            try context.save()
            var result = BenchmarkResult(records: 0, checksum: 0)
            body(customers, &result)
            return result
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
        let path = workload.store("objects", isNew: true)
        let manager = try ContextManager(model: Model(Customer.self), store: .sqlite(path))
        let context = manager.newPrivateContext()
        return try context.performAndWait { context in
            var result = BenchmarkResult(records: 0, checksum: 0)
            var number = 0
            while number < workload.count {
                for _ in 0..<min(batch, workload.count - number) {
                    fill(context.insert(Customer.self), number)
                    result.checksum += number
                    result.records += 1
                    number += 1
                }
                try context.save()
            }
            return result
        }
    }

    /// The customers of the cases with three indexes.
    final class Account: ManagedObject {
        @Attribute(.indexed) var id: Int
        @Attribute var age: Int?
        @Attribute(.indexed) var rank: Int?
        @Attribute var score: Int?
        @Attribute var balance: Double?
        @Attribute var weight: Double?
        @Attribute(.indexed) var name: String?
        @Attribute var email: String?
        @Attribute var city: String?
        @Attribute var street: String?
        @Attribute var zip: String?
        @Attribute var note: String?
    }

    /// Saves objects that change one attribute, ten times.
    private static func change(_ workload: Workload) throws -> BenchmarkResult {
        let path = workload.store("accounts", isNew: true)
        let manager = try ContextManager(model: Model(Account.self), store: .sqlite(path))
        return try manager.newPrivateContext().performAndWait { context in
            let accounts = (0..<workload.count / 10).map { number in
                let account = context.insert(Account.self)
                (account.id, account.rank, account.score) = (number, number >> 3, -number)
                (account.balance, account.weight) = (Double(number) * 0.5, Double(number) * 0.25)
                (account.name, account.email, account.city) = ("a short name", "a@example.org", "Somewhere")
                (account.street, account.zip, account.note) = ("First Street", "12345", "nothing")
                return account
            }
            try context.save()
            var result = BenchmarkResult(records: 0, checksum: 0)
            for round in 1...10 {
                for account in accounts { account.age = round }
                try context.save()
                result.checksum += round
                result.records += accounts.count
            }
            return result
        }
    }

    private static func fetch(_ workload: Workload) throws -> BenchmarkResult {
        let path = workload.store("objects", isNew: false)
        let manager = try ContextManager(model: Model(Customer.self), store: .sqlite(path))
        let context = manager.newPrivateContext()
        return try context.performAndWait { context in
            var result = BenchmarkResult(records: 0, checksum: 0)
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
            return result
        }
    }
}
