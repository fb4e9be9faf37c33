package import Foundation
import TributaryHTTP
import TributaryImport

/// `tributary seed`: plants the objects of seed files.
package struct SeedCommand: Command {
    package static let spec = CommandSpec(
        name: "seed",
        summary: "Plant the objects of seed files, with those of the files that they include",
        operands: "[OPTIONS] DB SEED...",
        examples: [
            "tributary seed app.sqlite Main.seed.json --model App.xcdatamodeld",
            "tributary seed app.sqlite https://example.org/Main.seed.json --allow-network",
        ],
        discussion: """
            A seed is JSON with one member: {"Company": {…}} is an object, {"Company": [{…}, …]} several, and
            {"seedlings": [{"seedFile": "A.json"}, {"seedUrl": "https://…"}]} includes other files. The members of an
            object are properties. "<uniqueID>" is a new number. A relationship has seedlings, {"Person": {…}},
            {"Person": [{…}, …]}, "<ref:boss>" for the earlier object with "<id>": "boss", or an array of these.
            All objects are committed at once: after an error nothing is planted. The same unchanged seed is planted
            once; 'tributary status' shows it.
            """,
        options: [
            WritingOptions.model,
            OptionSpec(
                "--allow-network", group: .reading, help: "Load files that a seedUrl or SEED names with http or https"),
            OptionSpec("--again", group: .rows, help: "Plant again what is planted already"),
            OptionSpec("--dry-run", "-n", group: .rows, help: "Do everything, then roll it back"),
        ] + OutputOptions.specs("summary"),
        noPostgres: "seeds make objects of a store; plant them in SQLite")

    /// The paths and addresses of the seeds.
    package let seeds: [URL]
    /// The database.
    package let database: String
    package let model: String?
    private let allowsNetwork: Bool
    private let repeats: Bool
    private let isDryRun: Bool
    private let output: OutputOptions

    package init(_ parsed: ParsedOptions) throws(UsageError) {
        database = try parsed.database(others: true).text
        guard !parsed.others.isEmpty, !parsed.others.contains("-") else {
            throw UsageError("Name a seed, which is a file or an address: \(parsed.usage)")
        }
        seeds = try parsed.others.map { (text) throws(UsageError) in
            guard text.contains("://") else { return URL(filePath: text) }
            guard let url = URL(string: text) else { throw UsageError("'\(text)' is not an address") }
            return url
        }
        model = parsed.text("--model")
        allowsNetwork = parsed.has("--allow-network")
        repeats = parsed.has("--again")
        isDryRun = parsed.has("--dry-run")
        output = try OutputOptions(parsed)
    }

    package func run() throws -> Int32 {
        let model: Model
        if let path = self.model {
            model = try Model(ModelFile.read(path))
        } else if let stored = try StoredModel.read(at: database) {
            model = try Model(stored)
        } else {
            throw UsageError("The database does not exist; name its model: --model MODEL", command: "seed")
        }
        let rows = try StoredDatabase.open(database, model)
        defer { rows.store.closeWithoutLog() }
        let loader = allowsNetwork ? try WebSeedLoader(seeds.map(\.absoluteString)) : nil
        let outcome = try SeedRun(rows.store, seeds, loader, repeats: repeats)
            .plant(isDryRun: isDryRun) { SeedRows(rows, on: $0) }
        if case .alreadyFinished(let summary) = outcome, !output.isQuiet {
            var console = Console()
            console.say("already planted by run \(summary.run) and unchanged since; use --again to plant it again")
        }
        let text = if case .finished(let summary) = outcome { SummaryReport.text(summary) } else { "" }
        try output.print(json: SummaryReport.json(outcome.summary), text: text)
        guard isDryRun, case .finished(let summary) = outcome else { return ExitCode.success }
        if !output.isQuiet {
            var console = Console()
            console.say("dry run: no object was planted")
        }
        return summary.read > 0 ? ExitCode.changes : ExitCode.success
    }
}
