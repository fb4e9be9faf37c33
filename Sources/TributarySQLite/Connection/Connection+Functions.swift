import CTributarySQLite

extension Connection {
    /// Defines `body` as a function of SQL on this connection.
    ///
    /// The schema must not use it, because other programs do not define it.
    ///
    /// - Throws: `SQLiteError`.
    public func define(
        _ name: String, argumentCount: Int, _ body: @escaping (SQLArguments) throws -> SQLValue
    ) throws {
        try define(name, argumentCount, FunctionBox(body)) { context, count, values in
            guard let context, let data = sqlite3_user_data(context) else { return }
            let box = Unmanaged<FunctionBox>.fromOpaque(data).takeUnretainedValue()
            FunctionResult.set(context) { try box.body(SQLArguments(values: values, count: Int(count))) }
        }
    }

    /// Defines a function of callbacks, whose user data is a box.
    func define(
        _ name: String, _ argumentCount: Int, _ box: AnyObject, call: Callback? = nil, step: Callback? = nil,
        finish: (@convention(c) (OpaquePointer?) -> Void)? = nil
    ) throws {
        // SQLite calls the destructor even if it rejects the function.
        let result = sqlite3_create_function_v2(
            handle, name, Int32(argumentCount), SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
            Unmanaged.passRetained(box).toOpaque(), call, step, finish
        ) { box in box.map { Unmanaged<AnyObject>.fromOpaque($0).release() } }
        guard result == SQLITE_OK else { throw SQLiteError(result, of: handle, sql: nil, database: self.name) }
    }

    /// A callback with the arguments of a row.
    typealias Callback = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
}

/// The arguments of a function, which are converted on access.
public struct SQLArguments {
    let values: UnsafeMutablePointer<OpaquePointer?>?
    /// The number of arguments.
    public let count: Int

    /// The argument at `index`.
    public subscript(index: Int) -> SQLValue {
        precondition(index >= 0 && index < count, "the function has \(count) arguments, not \(index + 1)")
        guard let value = values?[index] else { return .null }
        return SQLCell(value).value
    }
}

/// Holds a function for its callback; from a `CallbackBox` it would be converted for each row.
private final class FunctionBox {
    let body: (SQLArguments) throws -> SQLValue

    init(_ body: @escaping (SQLArguments) throws -> SQLValue) { self.body = body }
}

/// Passes the result of a function, or its error, to SQLite.
enum FunctionResult {
    static func set(_ context: OpaquePointer, _ body: () throws -> SQLValue) {
        do {
            switch try body() {
            case .null: sqlite3_result_null(context)
            case .integer(let value): sqlite3_result_int64(context, value)
            case .real(let value): sqlite3_result_double(context, value)
            case .text(var text):
                text.withUTF8 { tributary_sqlite_result_text(context, $0.baseAddress, $0.count) }
            case .blob(let bytes):
                bytes.withUnsafeBytes {
                    // -1 is SQLITE_TRANSIENT: SQLite copies the bytes before it returns.
                    sqlite3_result_blob64(
                        context, $0.baseAddress, UInt64($0.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
                }
            }
        } catch {
            sqlite3_result_error(context, "\(error)", -1)
        }
    }
}
