import TributaryJSON
package import TributaryStore

/// `tributary query`: prints rows of an entity or table.
package struct QueryCommand: StoppableCommand {
    /// The help and the options.
    package static let spec = CommandSpec(
        name: "query",
        summary: "Print rows of an entity or table: filtered, sorted, grouped",
        operands: "[OPTIONS] DB ENTITY",
        examples: [
            "tributary query app.sqlite Book",
            "tributary query app.sqlite Book --where 'price > 10 AND author.name BEGINSWITH[c] \"ur\"' --sort=-price",
            "tributary query app.sqlite Author --fields 'name,books=count(books)' --format csv > authors.csv",
            "tributary query app.sqlite Book --group-by author --fields 'author,total=sum(price)' --having 'total > 99'",
            "tributary query app.sqlite Book --match '\"old man\" sea*'",
            "tributary query other.sqlite orders --where 'state == \"open\"' --count",
        ],
        discussion: """
            ENTITY is an entity of the model, or a table or view of any database of SQLite; the database is only read.
            FILTER is the language of programs: comparisons, AND, OR, NOT, paths along relationships, functions. A name
            with other characters than letters, digits and _ is written #"first name" in it.

            A field is an attribute, a path or an expression, and NAME=FIELD gives it another name; a to-one
            relationship is the key of its object. Without --fields all attributes and to-one relationships are printed,
            or the groups with their count. FILTER of --having has the names of fields.

            TEXT is words and "phrases", all of which must occur, in any column of the index that 'tributary import
            --search' has made, or another program; wor* stands for all words that begin so. The best match comes first.

            A terminal shows a table of 40 rows with long text cut. A pipe or file gets NDJSON and every row, as they are
            read. Dates are ISO 8601 in UTC, bytes Base64. CSV and TSV have a line with the names, and nothing for null;
            CSV has "" for empty text, TSV has \\t, \\n, \\r and \\\\ for a tab, ends of lines and the backslash.
            """,
        options: [
            OptionSpec("--where", value: "FILTER", group: .rows, help: "Only rows that meet it"),
            OptionSpec(
                "--match", value: "TEXT", group: .rows, help: "Only rows with these words in the full-text index"),
            OptionSpec(
                "--sort", value: "FIELDS", group: .rows, help: "The order: a field, or -FIELD for descending"),
            OptionSpec("--fields", value: "FIELDS", group: .rows, help: "What to print, separated by commas"),
            OptionSpec("--group-by", value: "FIELDS", group: .rows, help: "One row for all with the same values"),
            OptionSpec("--having", value: "FILTER", group: .rows, help: "Only results that meet it"),
            ReadingOptions.limit("Print at most N rows"),
            OptionSpec("--offset", "--skip", as: .number(0), group: .rows, help: "Skip the first N rows"),
            OptionSpec("--count", group: .output, help: "Print only the number of rows"),
            OptionSpec(
                "--format", value: "FORMAT", as: .cases(of: QueryFormat.self), group: .output,
                default: "table on a terminal, else ndjson", help: "Form of the output"),
            OptionSpec("--explain", group: .output, help: "Print the SQL and how SQLite runs it, and no row"),
        ],
        noPostgres: "use psql to read a database")

    /// The path of the database.
    let database: String
    /// The name of the entity or table, as it was written.
    let entity: String
    /// The condition for rows; nil for all.
    let filter: Filter?
    /// The words that rows must have; nil for all rows.
    let match: String?
    /// The condition for results; nil for all.
    let having: Filter?
    /// The fields; nil for all.
    let fields: [QueryField]?
    /// The fields to sort by, each with a minus for descending order.
    let sort: [String]
    /// The paths to group by.
    let groups: [String]
    /// The most rows; nil without a limit.
    let limit: Int?
    /// The number of rows to skip.
    let offset: Int
    /// Whether only the number of rows is printed.
    let isCount: Bool
    /// Whether only the SQL is printed.
    let isExplanation: Bool
    /// The form; nil for that of standard output.
    let format: QueryFormat?

    /// The command of a command line.
    package init(_ parsed: ParsedOptions) throws(UsageError) {
        format = try parsed.choice("--format", QueryFormat.init)
        guard parsed.operands.count == 2 else {
            let hint = parsed.operands.count == 1 ? "; 'tributary tables DB' lists them" : ""
            throw UsageError("Name a database and one of its entities: tributary query DB ENTITY\(hint)")
        }
        (database, entity) = (try parsed.database(others: true).text, parsed.operands[1])
        filter = try QueryCommand.filter("--where", parsed)
        having = try QueryCommand.filter("--having", parsed)
        match = parsed.text("--match")
        if let match, SearchText.expression(match).isEmpty { throw UsageError("Option '--match' takes words") }
        fields = try QueryCommand.parts("--fields", parsed)?.map(QueryField.init)
        sort = try QueryCommand.parts("--sort", parsed) ?? []
        groups = try QueryCommand.parts("--group-by", parsed) ?? []
        limit = try parsed.number("--limit")
        offset = try parsed.number("--offset") ?? 0
        isCount = parsed.has("--count")
        isExplanation = parsed.has("--explain")
        for other in ["--fields", "--sort", "--group-by", "--having", "--format", "--explain"] {
            try parsed.exclude("--count", other)
        }
        try parsed.exclude("--explain", "--format")
    }

    private static func filter(_ option: String, _ parsed: ParsedOptions) throws(UsageError) -> Filter? {
        guard let text = parsed.text(option) else { return nil }
        do {
            return try Filter(format: text)
        } catch {
            throw UsageError("Option '\(option)': \(error)")
        }
    }

    private static func parts(_ option: String, _ parsed: ParsedOptions) throws(UsageError) -> [String]? {
        guard let text = parsed.text(option) else { return nil }
        let parts = QueryField.parts(of: text, at: ",")
        guard parts.allSatisfy({ !$0.isEmpty && $0 != "-" }) else {
            throw UsageError("Option '\(option)' takes fields separated by commas, not '\(text)'")
        }
        return parts
    }

    /// Prints until the end, or until `signals` stops it.
    func run(_ signals: StopSignals) throws -> Int32 {
        let output = OutputFile(stop: signals.descriptor)
        guard let opened = try QueryableDatabase(database) else {
            throw StoredDatabase.absent(database)
        }
        opened.stop { signals.exitCode != nil }
        do {
            try QueryRun(self, opened).run(output)
        } catch  where signals.exitCode != nil {
            // Whole lines only: what was read so far.
            try? output.flush()
        }
        return signals.exitCode ?? ExitCode.success
    }

    /// Prints the result of a database that is open already to the file of a descriptor.
    package func write(_ opened: QueryableDatabase, to descriptor: Int32) throws {
        try QueryRun(self, opened).run(OutputFile(descriptor))
    }
}
