import TributaryConcurrency
import TributaryPostgres

/// What a command line may say about a database of PostgreSQL.
enum PostgresOptions {
    /// The options of an import that are for PostgreSQL only.
    static let specs = [
        OptionSpec(
            "--connections", as: .number(1, 64), default: "one per processor, at most \(mostConnections)",
            for: .postgres,
            help: "PostgreSQL: connections that write at the same time"),
        OptionSpec(
            "--join", for: .postgres,
            help: "PostgreSQL: share the dump with the same command on other machines, which have the same file"),
    ].group(.pace)

    /// The most connections without the option.
    private static let mostConnections = 4

    /// The settings that `parsed` states.
    static func settings(_ parsed: ParsedOptions) throws(UsageError) -> PostgresSettings {
        var settings = PostgresSettings()
        settings.connections =
            try parsed.number("--connections")
            ?? min(mostConnections, Processors.count)
        settings.joins = parsed.has("--join")
        return settings
    }

    /// Refuses a command or an option that the database cannot be used with, before anything is read.
    static func check(_ parsed: ParsedOptions) throws(UsageError) {
        let spec = parsed.spec
        guard let word = parsed.operands.first(where: PostgresAddress.isAddress) else {
            for option in spec.options where parsed.has(option.name) {
                if case .postgres = option.databases, !parsed.operands.isEmpty {
                    throw UsageError("'\(option.name)' is for PostgreSQL, and the database is a file of SQLite")
                }
            }
            return
        }
        if let reason = spec.noPostgres {
            throw UsageError("'tributary \(spec.name)' is not for PostgreSQL: \(reason)")
        }
        if word != parsed.operands.first, spec.takesDatabase {
            let rest = parsed.operands.filter { $0 != word }
            throw UsageError("The address of the database comes first: \(parsed.line(operands: [word] + rest))")
        }
        for option in spec.options where parsed.has(option.name) {
            if case .sqlite(let reason) = option.databases {
                throw UsageError("'\(option.name)' is not for PostgreSQL: \(reason)")
            }
        }
    }
}
