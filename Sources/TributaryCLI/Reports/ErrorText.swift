import TributaryImport
import TributaryPostgres
import TributarySQLite

/// Errors of the library in the words of the command.
enum ErrorText {
    /// An error, with remedies as options of the command; `isServer` says whether the database is one of PostgreSQL.
    static func of(_ error: any Error, isServer: Bool = false) -> String {
        if let error = error as? ImportError, let remedy = error.remedy, let words = words(remedy, isServer) {
            return "\(reason(error)); \(words)"
        }
        if let error = error as? StoreError { return withOptions("\(error)") }
        if let error = error as? SeedError, let words = seedWords[error.code] { return "\(error.statement); \(words)" }
        if let error = error as? JSONError {
            return "\(named(error))" + (words(for: error).map { "; \($0)" } ?? "")
        }
        return withOptions("\(error)")
    }

    private static func reason(_ error: ImportError) -> String { error.cause.map { "\(named($0))" } ?? error.reason }

    /// An error of reading, whose limit is named by its option.
    static func named(_ error: JSONError) -> JSONError {
        guard let option = limits[error.code] else { return error }
        var named = error
        named.hint = "raise \(option) to permit it"
        return named
    }

    private static let limits: [JSONError.Code: String] = [
        .limitDepth: "--max-depth", .limitString: "--max-string", .limitKey: "--max-key", .limitNumber: "--max-number",
        .limitRecord: "--max-record", .limitKeys: "--max-keys", .limitTotal: "--max-bytes",
        .compressionBomb: "--max-ratio", .compressionWindow: "--max-window", .recoveryLost: "--max-search",
    ]

    /// The option that accepts what an error refuses.
    private static func words(for error: JSONError) -> String? {
        if error.code == .sourceOpen, error.reason.hasSuffix("No such file or directory") {
            let path = error.reason.dropLast(": No such file or directory".count)
            let hint = Suggestion.hint(forFile: String(path))
            return hint.isEmpty ? nil : "did" + hint.dropFirst(". Did".count)
        }
        if error.code == .sourceChanged { return "use --restart to begin from the start" }
        let text = "\(error)"
        if ["found N,", "found I,", "found -I"].contains(where: text.contains) {
            return "--nan null or --nan text accepts NaN and Infinity"
        }
        if text.contains("expected UTF-8") {
            return "if the text has another encoding, name it, as in --encoding windows-1252"
        }
        return nil
    }

    /// Whether the cause of an error may be gone when the same command is run again.
    static func mayPass(_ error: any Error) -> Bool {
        switch error {
        case let error as JSONError: error.code == .sourceRead
        case let error as ImportError:
            error.remedy == .wait || [.rejectsFile, .changesFile].contains(error.code)
        case let error as StoreError: error.code == .inUse
        case is FilterError, is FetchError: false
        default: true
        }
    }

    /// An error as one JSON object on a line, with the counts of the import that it has ended.
    ///
    /// `more` is what the command adds to the remedy.
    static func json(
        _ error: any Error, _ summary: ImportSummary? = nil, isServer: Bool = false, adding more: String = ""
    ) -> [UInt8] {
        let (code, reason, remedy) = parts(error, isServer)
        var writer = JSONLineWriter()
        writer.add("error") {
            $0.add("code", code)
            $0.add("message", reason)
            $0.add("remedy", remedy.map { $0 + more })
            if let place = (error as? JSONError)?.position ?? (error as? ImportError)?.cause?.position {
                $0.add("source", place.file)
                $0.add("line", place.line)
                $0.add("column", place.column)
                $0.add("byte", place.byte)
            }
        }
        if let summary, summary.run > 0 {
            writer.add("run", summary.run)
            writer.add("read", summary.read)
        }
        return writer.finish()
    }

    private static func parts(_ error: any Error, _ isServer: Bool) -> (code: String, reason: String, remedy: String?) {
        switch error {
        case let error as ImportError:
            (
                "\(error.code)", reason(error),
                error.remedy.flatMap { words($0, isServer) } ?? error.hint.map(withOptions)
            )
        case let error as JSONError:
            ("\(error.code)", "\(withoutHint(error))", words(for: error) ?? named(error).hint)
        case let error as StoreError:
            ("\(error.code)", "\(error.store): \(error.reason)", withOptions(error.hint))
        case let error as PostgresError:
            ("\(error.code)", [error.reason, error.detail].compactMap(\.self).joined(separator: "; "), error.hint)
        case let error as UsageError: ("usage", error.message, nil)
        case let error as SQLiteError: ("sqlite.\(error.code.rawValue)", error.message, nil)
        default: ("error", "\(error)", nil)
        }
    }

    private static func withoutHint(_ error: JSONError) -> JSONError {
        var error = error
        error.hint = nil
        return error
    }

    /// A text about the store with options of the command in place of those of the library.
    private static func withOptions(_ text: String) -> String {
        text.replacing("import with isUndoable", with: "import with --undoable")
            .replacing("resuming set to .restart", with: "--restart")
            .replacing("firstLoad set to .inGroups", with: "--first-load groups")
    }

    private static func words(_ remedy: ImportRemedy, _ isServer: Bool) -> String? {
        if let count = remedy.number { return "look at the feed, or use --max-delete \(count)" }
        return isServer ? serverWords[remedy] ?? words[remedy] : words[remedy]
    }

    private static let serverWords: [ImportRemedy: String] = [
        .addColumns: "add them with --add-columns, or choose others with --columns"
    ]

    private static let seedWords: [SeedError.Code: String] = [
        .changed: "use --again to add all its objects once more, or plant a seed with the new objects",
        .networkNotAllowed: "use --allow-network to load it",
    ]

    private static let words: [ImportRemedy: String] = [
        .quarantine: "fix the record, or use --on-error quarantine or --rejects FILE to keep such records",
        .checkKey: "check --key, or, if only some records lack it, keep those as rejects with --on-error quarantine",
        .raiseErrorLimit: "inspect the rejects, or raise --max-errors",
        .addColumns: "add them with --add-columns, or keep them as JSON with --rest COLUMN",
        .chooseContent:
            "--truncate makes the table what the file holds, --append adds its records, and --key updates rows",
        .appendContent: "--append adds its records, and --key updates rows",
        .finishOrForget: "repeat its command to finish it, or delete its rows and use 'tributary forget'",
        .restoreSource:
            "restore the earlier source, or delete the rows of that run, use 'tributary forget' and import it again",
        .restoreTable: "restore it, or use 'tributary forget DB --entity NAME' to start over",
        .finishEarlier:
            "repeat its command to finish it, or begin with an empty table: --truncate ('tributary forget' keeps its rows)",
        .limitDeletions: "import without --where, and limit the deletions by --scope FILTER",
        .filterValues: "leave out most of them with --where",
        .usePipe: "resume it from a pipe again, as in: cat FILE |",
        .useFile: "resume it with < FILE",
        .restart: "restore the earlier source, or use --restart to begin from the start",
    ]
}
