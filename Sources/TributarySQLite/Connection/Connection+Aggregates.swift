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
        typealias Group = CallbackBox<any SQLAggregate>
        typealias Factory = CallbackBox<() -> any SQLAggregate>
        try define(
            name, argumentCount, Factory(make),
            step: { context, count, values in
                guard let context, let data = sqlite3_user_data(context) else { return }
                guard let memory = Connection.memory(ofGroup: context, creates: true) else {
                    sqlite3_result_error_nomem(context)
                    return
                }
                let aggregate: any SQLAggregate
                if let existing = memory.pointee {
                    aggregate = Group.value(at: existing)
                } else {
                    aggregate = Factory.value(at: data)()
                    memory.pointee = Unmanaged.passRetained(Group(aggregate)).toOpaque()
                }
                do {
                    try aggregate.add(SQLArguments(values: values, count: Int(count)))
                } catch {
                    sqlite3_result_error(context, "\(error)", -1)
                }
            },
            finish: { context in
                // Called for each group that has begun, even if the statement fails, and for a group without rows.
                guard let context, let data = sqlite3_user_data(context) else { return }
                let aggregate: any SQLAggregate
                if let memory = Connection.memory(ofGroup: context, creates: false), let existing = memory.pointee {
                    aggregate = Unmanaged<Group>.fromOpaque(existing).takeRetainedValue().value
                    memory.pointee = nil
                } else {
                    aggregate = Factory.value(at: data)()
                }
                FunctionResult.set(context) { try aggregate.result() }
            })
    }

    /// The memory of a group, which SQLite fills with zeros, so the pointer in it is nil at first.
    private static func memory(
        ofGroup context: OpaquePointer, creates: Bool
    ) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
        let size = creates ? MemoryLayout<UnsafeMutableRawPointer?>.size : 0
        return sqlite3_aggregate_context(context, Int32(size))?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    }
}
