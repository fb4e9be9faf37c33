import CTributarySQLite

/// Holds a trace handler for the C callback.
final class TraceBox {
    private let handler: @Sendable (TraceEvent) -> Void

    init(_ handler: @escaping @Sendable (TraceEvent) -> Void) { self.handler = handler }

    /// The callback of SQLite; `detail` is the duration in nanoseconds if `statement` has ended.
    static let callback:
        @convention(c) (
            UInt32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?,
            UnsafeMutableRawPointer?
        ) -> Int32 = { event, context, statement, detail in
            guard let context, let statement, let text = sqlite3_sql(OpaquePointer(statement)) else { return 0 }
            let box = Unmanaged<TraceBox>.fromOpaque(context).takeUnretainedValue()
            let sql = String(cString: text)
            if Int32(event) == SQLITE_TRACE_PROFILE, let detail {
                let nanoseconds = detail.load(as: Int64.self)
                box.handler(TraceEvent(sql: sql, duration: .nanoseconds(nanoseconds)))
            } else {
                box.handler(TraceEvent(sql: sql, duration: nil))
            }
            return 0
        }
}
