/// Which options a command refuses before it reads a record; all others work, alone and together.
enum OptionPairs {
    /// Commands that are refused, and a part of the message.
    struct Refusal: Sendable {
        let message: String
        let applies: @Sendable (OptionTrial) -> Bool

        init(_ message: String, _ applies: @escaping @Sendable (OptionTrial) -> Bool) {
            (self.message, self.applies) = (message, applies)
        }
    }

    /// The messages of which a refused command has one; empty if it works.
    static func messages(_ trial: OptionTrial) -> [String] {
        let pairs = exclusive.filter { trial.has(all: [$0, $1]) }.map { "'\($0)' and '\($1)' cannot be used together" }
        let rules = common + (trial.command == .retry ? retry : trial.target == .server ? server : loads)
        return pairs + rules.filter { $0.applies(trial) }.map(\.message)
    }

    /// Options that exclude each other, in the order in which the message names them.
    private static let exclusive =
        [
            ("--flatten", "--columns"), ("--restart", "--again"), ("--truncate", "--append"),
            ("--undoable", "--truncate"), ("--changes", "--truncate"), ("--truncate", "--mode update"),
            ("--append", "--mode update"), ("--append", "--mode ignore"), ("--append", "--mode replace"),
            ("--all", "--at"), ("--all", "--entity"), ("--all", "--add-columns"), ("--all", "--rest"),
            ("--quiet", "--progress always"), ("--quiet", "--verbose"), ("--append", "--key"),
            ("--first-load direct", "--undoable"),
            ("--first-load direct", "--changes"), ("--relations", "--numbers rounded"),
            ("--profile", "--limit"), ("--profile", "--where"),
            ("--route-by", "--all"), ("--route-by", "--relations"), ("--route-by", "--profile"),
            ("--route-by", "--add-columns"), ("--route-by", "--rest"), ("--route-by", "--scope"),
            ("--route-by", "--soft-delete"), ("--all", "--default"), ("--all", "--not-null"),
        ]
        + ["--flatten", "--columns", "--types", "--all", "--convert", "--default", "--not-null"].map {
            ("--relations", $0)
        }

    private static let common = [
        Refusal("With '--on-error stop' the first error ends the run") {
            $0.has(all: ["--on-error stop", "--max-errors"])
        },
        Refusal("'--rejects' is for '--on-error quarantine', not for 'stop'") {
            $0.has(all: ["--on-error stop", "--rejects"])
        },
        Refusal("'--rejects' is for '--on-error quarantine', not for 'skip'") {
            $0.has(all: ["--on-error skip", "--rejects"])
        },
    ]

    /// Of imports and syncs, for both kinds of databases.
    private static let records = [
        Refusal("the records were read with other options") { trial in
            trial.has("--profile") && trial.has(any: ["--encoding", "--nan null", "--nan text"])
        },
        Refusal("'--expect-min' needs '--staged'") { $0.has("--expect-min") && !$0.has("--staged") },
        Refusal("'--remote-key' needs '--key'") {
            $0.has("--remote-key") && !$0.has("--key") && !$0.hasModel && $0.target != .keyed
        },
        Refusal("'--map', '--print-map' and '--dangling' need a model") { trial in
            let isLoose = trial.has(any: ["--dangling stub", "--dangling null"]) && !trial.hasRelations
            return !trial.hasModel && (trial.has(any: ["--map", "--print-map"]) || isLoose)
        },
        Refusal("needs a key: --key NAME") { trial in
            !trial.hasKey && !trial.hasRelations
                && trial.has(any: ["--mode update", "--mode ignore", "--mode replace"])
        },
        Refusal("the mode replace is not for users, a table of another program") {
            $0.isForeign && $0.has("--mode replace")
        },
        Refusal("No entity of the model has the name of a value of 'kind'") {
            $0.has("--route-by") && $0.hasModel && !$0.has("--entity")
        },
        Refusal("'--append' is not for 'users', which has a key") {
            $0.has("--append") && ($0.hasKey || $0.hasRelations) && !$0.isForeign && !$0.printsMap
        },
        Refusal("'--add-columns' and '--rest' are for a table of another program, and 'users' is none") {
            $0.has(any: ["--add-columns", "--rest"]) && !$0.isForeign && !$0.printsMap
        },
        Refusal("are for inferred columns; here a model defines the columns") { trial in
            let options = [
                "--types", "--numbers exact", "--flatten", "--columns", "--source-column",
                "--extended-json never",
            ]
            return trial.hasModel && !trial.printsMap && trial.has(any: options)
        },
        Refusal("is for tables without a model; here it is stated") { trial in
            let options = ["--convert", "--default", "--not-null", "--index", "--unique"]
            return trial.hasModel && !trial.printsMap && trial.has(any: options)
        },
        Refusal("'--types' and '--numbers' are for inferred columns; 'users' is a table of another program") {
            $0.isForeign && $0.has(any: ["--types", "--numbers exact"])
        },
        Refusal("'--relations' is for imports without a model") { $0.hasRelations && $0.hasModel && !$0.printsMap },
        Refusal("'--relations' makes tables, and 'users' is one of another program") {
            $0.hasRelations && $0.isForeign
        },
    ]

    /// Of imports and syncs into SQLite.
    private static let loads =
        records + [
            Refusal("is for PostgreSQL, and the database is a file of SQLite") {
                $0.has(any: ["--connections", "--join"])
            },
            Refusal("'--route-by' makes a table for each value, and another program has made the table 'users'") {
                $0.isForeign && $0.has("--route-by")
            },
            Refusal("a sync of records with nested objects cannot filter them") {
                $0.command == .sync && $0.has("--where") && $0.hasRelations
            },
            Refusal("'--all' makes a table for each place, and another program has made the table 'users'") {
                $0.isForeign && $0.has("--all")
            },
            Refusal("was made for another model") {
                [.keyless, .keyed].contains($0.target) && $0.has("--model") && !$0.printsMap
            },
            Refusal("another program has made a table with the name users") {
                $0.target == .foreign && $0.has("--model") && !$0.printsMap
            },
            Refusal("so its rows cannot be replaced alone") { $0.hasRelations && $0.has("--truncate") },
            Refusal("a sync needs a key") { $0.command == .sync && !$0.hasKey && !$0.hasRelations && !$0.printsMap },
            Refusal("a sync is not for users, a table of another program") { $0.command == .sync && $0.isForeign },
        ]

    /// Of imports into PostgreSQL.
    private static let server =
        records + [
            Refusal("'tributary sync' is not for PostgreSQL") { $0.command == .sync },
            Refusal("is not for PostgreSQL: ") { trial in
                trial.has(any: [
                    "--undoable", "--changes", "--staged", "--expect-min", "--dry-run", "--truncate", "--first-load",
                    "--relations", "--source-column", "--rest", "--extended-json", "--all", "--search", "--route-by",
                    "--convert", "--default", "--not-null", "--index", "--unique",
                ])
            },
        ]

    private static let retry = [
        Refusal("'--dry-run' is not for PostgreSQL: ") { $0.target == .server && $0.has("--dry-run") },
        Refusal("was made for another model") { $0.has("--model") && $0.target != .model && $0.target != .server },
        Refusal("the key of users in ") { $0.target == .new && $0.has("--key") },
        Refusal("id is neither the primary key nor a unique index of users") {
            $0.target == .server && $0.isKeylessRetry && $0.has("--key")
        },
        Refusal("the paths of the values of a key are named, and the key is not") {
            ($0.isKeylessRetry || $0.target == .foreign) && $0.has("--remote-key") && !$0.has("--key")
        },
        Refusal("needs a key") {
            $0.isKeylessRetry && $0.has(any: ["--mode update", "--mode ignore", "--mode replace"])
        },
        Refusal("the mode replace is not for users, a table of another program") {
            $0.target == .foreign && $0.has("--mode replace")
        },
        Refusal("'--map' needs a model") { $0.has("--map") && !$0.hasModel },
    ]
}

extension OptionTrial {
    /// Whether the command prints the mapping, and ignores what the rows need.
    fileprivate var printsMap: Bool { has("--print-map") && hasModel }

    /// Whether the rejects are those of an import without a key.
    fileprivate var isKeylessRetry: Bool {
        command == .retry && (target == .new || target == .server && !has("--model"))
    }
}
