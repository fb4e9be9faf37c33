import TributaryConcurrency
import TributaryGraph
import TributarySQLite

/// Records the SQL that stores execute.
final class StatementRecorder: Sendable {
    private let statements = Guarded<[String]>([])

    /// Options for stores whose statements this recorder receives.
    var options: StoreOptions {
        var options = StoreOptions()
        let statements = statements
        options.trace = { event in
            // Each statement has a second event with its duration, which must not be recorded again.
            guard event.duration == nil else { return }
            statements.withLock { $0.append(event.sql) }
        }
        return options
    }

    var all: [String] { statements.withLock { $0 } }

    /// The statements that read rows while `body` runs.
    func selects(_ body: () throws -> Void) rethrows -> [String] {
        statements.withLock { $0 = [] }
        try body()
        return statements.withLock { $0.filter { $0.hasPrefix("SELECT") || $0.hasPrefix("WITH") } }
    }
}
