package import TributaryImport
package import TributaryPostgres

/// `tributary import`: imports JSON dumps into a database.
package struct ImportCommand: ReadingCommand {
    package static let spec = CommandSpec(
        name: "import",
        summary: "Import JSON dumps into a database of SQLite or PostgreSQL, and update it from newer ones",
        operands: "[OPTIONS] DB FILE...",
        examples: [
            "tributary import app.sqlite users.json.gz",
            "tributary import app.sqlite users.json.gz --key id",
            "tributary import library.sqlite dump.json --model Library.xcdatamodeld --entity Book --at '.books[]'",
            "tributary import app.sqlite events.ndjson --key id --rejects bad.ndjson --max-errors 1%",
            "curl … | tributary import app.sqlite - --entity User --key id",
            "tributary import postgres://app@db.example.com/app users.json.gz --key id",
        ],
        discussion: """
            With a model, a property gets the value of the member of its name, of the same words (first_name), or of the
            path in its userInfo entry 'json' (address.street); the entity's uniqueness constraint is the key. Nested
            objects, and keys of objects, become rows and links of its relationships. The database stores the model, so
            --model is needed only once. Without a model the columns are inferred from the data, as INTEGER,
            REAL or TEXT if that changes no value; without --key each record is a new row, and a file whose content was
            imported before is left out. A table that another program has made gets rows by the names of its columns and
            by its primary key; its constraints and triggers apply.

            The same command resumes an import that was stopped, was killed or failed, after its last commit; after a
            finished import of unchanged files it changes nothing. An empty table shows the rows of 16 MiB or more, or
            of a pipe, at the end (--first-load groups: as they come). Ctrl-C commits the current chunk and stops; a second
            Ctrl-C stops at once. Files, layouts and paths are as in 'tributary help records'. FILE may be an address with
            http or https: a broken connection resumes, and passwords come from ~/.netrc (docs/urls.md).

            Modes: upsert (update or insert), insert (only insert; an existing key is a duplicate), update (only
            update), ignore (only insert; an existing key is skipped), replace (as upsert, but attributes that a
            record lacks are reset).

            PostgreSQL, by an address such as postgres://app@db.example.com/app: the password comes from PGPASSWORD or
            ~/.pgpass, and other parts that are missing from the PG* variables. Without a model a first reading finds the
            columns and their types. No model is stored: name it by --model each time. With --join, the same command on
            other machines works on other parts of the same file. See docs/postgres.md.
            """,
        options: specs, common: common)

    /// The options of the short help.
    static let common: Set = [
        "--at", "--all", "--model", "--entity", "--key", "--relations", "--search", "--where", "--mode", "--dry-run",
        "--rejects", "--max-errors", "--undoable", "--json", "--quiet", "--jobs",
    ]

    /// The name of the command: `import` or `sync`.
    let name: String
    /// The files; none for standard input.
    package let operands: [String]
    let isRecursive: Bool
    let readsFilesOnce = true
    var reading: ReadOptions { options.reading }
    var isQuiet: Bool { output.isQuiet }
    /// The database: its path, or its address without a password.
    package let database: String
    /// The address of a database of PostgreSQL; nil for a file of SQLite.
    package let address: PostgresAddress?
    /// How a database of PostgreSQL is used.
    package let server: PostgresSettings
    /// The copy that is written in its place; nil unless the import is staged.
    private(set) var copy: String?
    /// The database that is opened.
    var openedDatabase: String { copy ?? database }
    /// Whether the import is written into a copy, and published at the end.
    package let isStaged: Bool
    package let model: String?
    package let entity: String?
    package let key: [String]?
    package let remoteKey: [String]?
    /// The file with the mappings of entities.
    let map: String?
    let printsMap: Bool
    /// The file with a profile of the sources.
    let profile: String?
    /// Whether nested objects become tables: all of them, or those with an id; nil if they stay JSON.
    let relations: InferenceOptions.Relations?

    /// For places of nested objects the members that identify them, and the names of their tables.
    let nestedKeys, nestedTables: [String: String]
    /// The columns of full-text indexes; nil without.
    let search: [String]?
    /// The columns of indexes and of unique indexes.
    let indexes, uniqueIndexes: [String]
    package let path: RecordPath?
    /// The filter of the records; nil for all of them.
    let filter: RecordFilter?
    package let options: ImportOptions
    /// How values become those of inferred columns.
    package let inference: ColumnInference
    /// What to do with members and keys of a table of another program.
    package let existing: ExistingTable
    package let output: OutputOptions
    /// Whether all places of records are imported.
    package let importsAll: Bool
    /// The member whose values have a table each; nil unless records are distributed.
    let routedMember: RemoteKey?
    /// Whether standard input may be empty, as that of a pipe whose program has failed.
    package let allowsEmpty: Bool
    /// The command line.
    private let words: ParsedOptions

    package init(_ parsed: ParsedOptions) throws(UsageError) { try self.init(parsed, sync: nil) }

    /// An import, or with `sync` one that also deletes.
    init(_ parsed: ParsedOptions, sync: SyncOptions?) throws(UsageError) {
        self.name = parsed.command
        operands = try ReadingOptions.operands(parsed)
        isRecursive = parsed.has("--recursive")
        let name = try parsed.database(others: true)
        (database, address) = (name.text, name.address)
        server = try PostgresOptions.settings(parsed)
        isStaged = parsed.has("--staged") && !parsed.has("--print-map")
        let leastRows = try parsed.number("--expect-min")
        if leastRows != nil, !parsed.has("--staged") { throw UsageError("'--expect-min' needs '--staged'") }
        model = parsed.text("--model")
        relations = try parsed.choice("--relations", InferenceOptions.Relations.init)
        var named = try NestedPlaces([], "")
        if relations != nil, let text = parsed.text("--entity"), text.contains("=") {
            named = try NestedPlaces(parsed.names("--entity") ?? [], "--table")
            entity = named.own.first
            if named.own.count > 1 { throw UsageError("Option '--entity' takes one name for the table of the records") }
        } else {
            entity = parsed.text("--entity")
        }
        nestedTables = named.names
        let inference = try InferenceOptions.inference(parsed)
        var keyNames = try parsed.names("--key")
        let nested = try NestedPlaces(relations == nil ? [] : keyNames ?? [], "--key")
        if !nested.names.isEmpty { keyNames = nested.own.isEmpty ? nil : nested.own }
        nestedKeys = nested.names
        let keys = try InferenceOptions.key(
            keyNames, remote: parsed.names("--remote-key"), separator: inference.shaping?.flatten,
            isInferred: model == nil)
        (key, remoteKey, self.inference) = (keys.names, keys.remote, inference)
        if let key, let remoteKey, key.count != remoteKey.count {
            throw UsageError(
                "'--remote-key' needs one path for each attribute of '--key': \(key.count), not \(remoteKey.count)")
        }
        map = parsed.text("--map")
        profile = parsed.text("--profile")
        for option in ["--limit", "--where"] { try parsed.exclude("--profile", option) }
        printsMap = parsed.has("--print-map")
        search = try parsed.names("--search")
        indexes = try parsed.names("--index") ?? []
        uniqueIndexes = try parsed.names("--unique") ?? []
        path = try ReadingOptions.path(parsed)
        filter = try ReadingOptions.filter(parsed)
        var existing = try InferenceOptions.existing(parsed)
        existing.shaping = inference.shaping
        self.existing = existing
        var options = try WritingOptions.options(parsed)
        if let mode = try parsed.choice("--mode", ImportMode.init) { options.mode = mode }
        if let dangling = try parsed.choice("--dangling", ImportOptions.Dangling.init) { options.dangling = dangling }
        options.limit = try parsed.number("--limit")
        if let way = try parsed.choice("--first-load", { ImportCommand.firstLoads[$0] }) { options.firstLoad = way }
        // What comes through a pipe is usually large.
        if !parsed.has("--undoable"), !parsed.has("--changes"), options.firstLoad == .automatic,
            operands.isEmpty || operands.contains("-")
        {
            options.firstLoad = .direct
        }
        options.isDryRun = parsed.has("--dry-run")
        options.truncates = parsed.has("--truncate")
        options.appendsChanged = existing.appends
        options.sync = sync
        options.changes = parsed.text("--changes")
        options.isUndoable = parsed.has("--undoable") || options.changes != nil
        let keeping = options.changes == nil ? "--undoable" : "--changes"
        if options.firstLoad == .direct, parsed.has("--first-load"), options.isUndoable {
            throw UsageError(
                "'--first-load direct' and '\(keeping)' cannot be used together: changes are kept by group")
        }
        try parsed.exclude(keeping, "--truncate")
        try parsed.exclude("--restart", "--again")
        try parsed.exclude("--truncate", "--append")
        if options.truncates, options.mode == .update {
            throw UsageError("'--truncate' and '--mode update' cannot be used together: no row would be left to update")
        }
        if existing.appends, options.mode.needsKey {
            throw UsageError(
                "'--append' and '--mode \(options.mode.rawValue)' cannot be used together: appended records are new rows"
            )
        }
        options.resuming = parsed.has("--restart") ? .restart : parsed.has("--again") ? .again : .resume
        options.leastRows = leastRows
        self.options = options
        importsAll = parsed.has("--all")
        for option in ["--flatten", "--columns", "--types", "--all"] + ColumnOptions.valueSpecs.map(\.name) {
            try parsed.exclude("--relations", option)
        }
        if relations != nil, parsed.text("--numbers") == ColumnInference.Numbers.rounded.rawValue {
            throw UsageError(
                "'--relations' and '--numbers rounded' cannot be used together: related tables hold numbers exactly")
        }
        for option in ["--at", "--entity", "--add-columns", "--rest", "--default", "--not-null"] {
            try parsed.exclude("--all", option)
        }
        routedMember = parsed.text("--route-by").map(RemoteKey.init(word:))
        if routedMember?.path.allSatisfy(\.isEmpty) ?? false {
            throw UsageError("Option '--route-by' takes a member of the records")
        }
        for option in [
            "--all", "--relations", "--profile", "--add-columns", "--rest", "--scope", "--soft-delete",
        ] {
            try parsed.exclude("--route-by", option)
        }
        allowsEmpty = parsed.has("--allow-empty")
        output = try OutputOptions(parsed)
        words = parsed
    }

    /// The command line that resumes the import.
    package var resumeLine: String { line() }

    /// The command line with other options in place of those in `names`.
    func line(leavingOut names: Set<String> = [], adding options: [String] = []) -> String {
        words.line(leavingOut: names.union(["--restart", "--again"]), adding: options)
    }

    func run(_ sources: [any ByteSource], _ signals: StopSignals) throws -> Int32 {
        guard isStaged else {
            var run = ImportCommandRun(self, sources, signals)
            return try run.run()
        }
        var code = ExitCode.failure
        var isFinished = false
        do {
            try StagedDatabase.update(database) { copy in
                var staged = self
                staged.copy = copy
                var run = ImportCommandRun(staged, sources, signals)
                code = try run.run()
                isFinished = run.isFinished
                return isFinished && !options.isDryRun
            }
        } catch  where isFinished {
            throw CommandError("\(ErrorText.of(error)); the counts above are those of the copy")
        }
        return code
    }
}
