import TributaryImport
import TributaryJSON
import TributaryPlatform
import TributaryStore

/// One run of `tributary query`.
struct QueryRun {
    private let command: QueryCommand
    private let database: QueryableDatabase

    /// The rows that a terminal shows without `--limit`.
    private static let shownRows = 40
    /// The time in which the rows that are not shown are counted.
    private static let countingTime = Duration.milliseconds(200)

    /// A run of a command on an opened database.
    init(_ command: QueryCommand, _ database: QueryableDatabase) {
        (self.command, self.database) = (command, database)
    }

    /// Prints what the command asks for.
    func run(_ output: OutputFile) throws {
        let source = try source()
        if command.match != nil, try database.searchIndex(of: source) == nil {
            throw CommandError(
                "\(Excerpt.escape(source.entity.name)) has no full-text index; an import with --search NAME,.. makes one of the columns NAME,.."
            )
        }
        let names = QueryRequest(command, source)
        var request = try names.request()
        if command.isCount {
            let count = try names.naming(request) { try database.count(request, in: source) }
            return try output.end("\(count ?? 0)\n")
        }
        if command.isExplanation {
            return try output.end(
                "\(try names.naming(request) { try database.explanation(of: request, in: source) })\n")
        }
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let format = command.format ?? (isTerminal ? .table : .ndjson)
        guard format == .table else {
            let cursor = try names.naming(request) { try database.rows(of: request, in: source) }
            return try QueryLines(format, cursor).write(to: output)
        }
        let isPart = isTerminal && command.limit == nil
        if isPart { request.limit = QueryRun.shownRows + 1 }
        let cursor = try names.naming(request) { try database.rows(of: request, in: source) }
        let table = QueryTable(cursor, TerminalText(), isCut: isTerminal)
        let hasMore = try table.write(to: output, most: isPart ? QueryRun.shownRows : .max)
        if hasMore {
            request.limit = nil
            let all = try database.count(request, in: source, within: QueryRun.countingTime)
            let more = all.map { "\(FigureText.grouped($0 - QueryRun.shownRows)) more" } ?? "and more"
            try output.end(TerminalText().plain("… \(more) (--limit, or a pipe, shows them)") + "\n")
        }
        if let note = table.note { try output.end(TerminalText().plain(note) + "\n") }
        try output.flush()
    }

    /// The entity, table or view that is named.
    private func source() throws -> QuerySource {
        let (wanted, all) = (command.entity, database.sources)
        let found =
            all.first { $0.utf8.elementsEqual(wanted.utf8) } ?? all.first { $0.lowercased() == wanted.lowercased() }
        if let found { return try database.source(found) }
        let hint = Suggestion.hint(for: wanted, among: all)
        let list = hint.isEmpty && !all.isEmpty ? "; it has \(all.map { Excerpt.escape($0) }.shortList)" : hint
        throw CommandError(
            "\(Excerpt.escape(database.path)): there is no entity or table '\(Excerpt.escape(wanted))'\(list)")
    }
}
