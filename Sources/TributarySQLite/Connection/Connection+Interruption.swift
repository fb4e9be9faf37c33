import CTributarySQLite

extension Connection {
    /// The steps of a statement between two calls of a condition: some microseconds, unless texts are long.
    private static let stepsBetweenCalls: Int32 = 1000

    /// Ends each statement that runs while `condition` is true, with the error `interrupted`; nil ends none.
    package func interrupt(when condition: (() -> Bool)?) {
        let earlier = interruption
        interruption = condition.map { CallbackBox($0) }
        withExtendedLifetime(earlier) {
            guard let interruption else {
                sqlite3_progress_handler(handle, 0, nil, nil)
                return
            }
            sqlite3_progress_handler(
                handle, Connection.stepsBetweenCalls,
                { context in
                    guard let context else { return 0 }
                    return CallbackBox<() -> Bool>.value(at: context)() ? 1 : 0
                }, Unmanaged.passUnretained(interruption).toOpaque())
        }
    }
}
