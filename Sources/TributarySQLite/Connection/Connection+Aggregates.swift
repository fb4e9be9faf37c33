import CTributarySQLite

/// Computes one value from the rows of a group.
public protocol SQLAggregate: AnyObject {
    /// Adds the arguments of one more row.
    func add(_ arguments: SQLArguments) throws
    /// The value of the group; called once, after the last row.
    func result() throws -> SQLValue
}

extension Connection {
    /// Defines an aggregate function of SQL on this connection; `make` creates the aggregate of each group.
    ///
    /// The schema must not use it, because other programs do not define it.
    ///
    /// - Throws: `SQLiteError`.
    public func defineAggregate(
        _ name: String, argumentCount: Int, _ make: @escaping () -> any SQLAggregate
    ) throws {
        let factory = AggregateFactory(make)
        // SQLite calls the destructor even if it rejects the function.
        let result = sqlite3_create_function_v2(
            handle, name, Int32(argumentCount), SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
            Unmanaged.passRetained(factory).toOpaque(), nil, AggregateFactory.step, AggregateFactory.finish
        ) { context in context.map { Unmanaged<AggregateFactory>.fromOpaque($0).release() } }
        guard result == SQLITE_OK else { throw SQLiteError(result, of: handle, sql: nil, database: self.name) }
    }
}

/// Makes the aggregate of each group, for the C callbacks.
private final class AggregateFactory {
    private let make: () -> any SQLAggregate

    init(_ make: @escaping () -> any SQLAggregate) { self.make = make }

    /// Holds the aggregate of one group in the memory that SQLite keeps for it.
    private final class Group {
        let aggregate: any SQLAggregate
        init(_ aggregate: any SQLAggregate) { self.aggregate = aggregate }
    }

    /// The memory of a group, which SQLite fills with zeros, so the pointer in it is nil at first.
    private static func memory(_ context: OpaquePointer, creates: Bool) -> UnsafeMutablePointer<OpaquePointer?>? {
        let size = creates ? MemoryLayout<OpaquePointer?>.size : 0
        return sqlite3_aggregate_context(context, Int32(size))?.assumingMemoryBound(to: OpaquePointer?.self)
    }

    static let step: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void = {
        context, count, values in
        guard let context, let data = sqlite3_user_data(context) else { return }
        guard let memory = memory(context, creates: true) else {
            sqlite3_result_error_nomem(context)
            return
        }
        let group: Group
        if let existing = memory.pointee {
            group = Unmanaged<Group>.fromOpaque(UnsafeRawPointer(existing)).takeUnretainedValue()
        } else {
            group = Group(Unmanaged<AggregateFactory>.fromOpaque(data).takeUnretainedValue().make())
            memory.pointee = OpaquePointer(Unmanaged.passRetained(group).toOpaque())
        }
        do {
            try group.aggregate.add(SQLArguments(values: values, count: Int(count)))
        } catch {
            sqlite3_result_error(context, "\(error)", -1)
        }
    }

    /// Called for each group that has begun, even if the statement fails, and for a group without rows.
    static let finish: @convention(c) (OpaquePointer?) -> Void = { context in
        guard let context, let data = sqlite3_user_data(context) else { return }
        let aggregate: any SQLAggregate
        if let memory = memory(context, creates: false), let existing = memory.pointee {
            aggregate = Unmanaged<Group>.fromOpaque(UnsafeRawPointer(existing)).takeRetainedValue().aggregate
            memory.pointee = nil
        } else {
            aggregate = Unmanaged<AggregateFactory>.fromOpaque(data).takeUnretainedValue().make()
        }
        FunctionResult.set(context) { try aggregate.result() }
    }
}
