/// A parsed command line.
///
/// Parsing is a pure function of the arguments.
package enum Invocation {
    case help(CommandSpec?)
    case version
    case validate(ValidateCommand)
    case records(RecordsCommand)
    case load(ImportCommand)
    case status(StatusCommand)
    case retry(RetryCommand)
    case rejects(RejectsCommand)
    case forget(ForgetCommand)
    case undo(UndoCommand)
    case seed(SeedCommand)
    case migrate(MigrateCommand)
    case model(ModelCommand)
    case generate(GenerateCommand)

    package static let commands = [
        ImportCommand.spec, SyncCommand.spec, StatusCommand.spec, UndoCommand.spec, RejectsCommand.spec,
        RetryCommand.spec, ForgetCommand.spec, SeedCommand.spec, ModelCommand.spec, GenerateCommand.spec,
        MigrateCommand.spec, RecordsCommand.spec, ValidateCommand.spec,
    ]

    /// Parses the arguments after the name of the program.
    package init(_ words: [String]) throws(UsageError) {
        guard let first = words.first else {
            self = .help(nil)
            return
        }
        let rest = Array(words.dropFirst())
        switch first {
        case "--help", "-h": self = .help(nil)
        case "--version": self = .version
        case "help":
            guard let name = rest.first else {
                self = .help(nil)
                return
            }
            self = .help(try Invocation.command(name))
        default:
            let command = try Invocation.command(first)
            let options = rest.prefix { $0 != "--" }
            if options.contains("--help") || options.contains("-h") {
                self = .help(command)
                return
            }
            do {
                self = try Invocation.make(command, rest)
            } catch {
                throw UsageError(error.message, command: command.name)
            }
        }
    }

    private static func make(_ command: CommandSpec, _ words: [String]) throws(UsageError) -> Invocation {
        let parsed = try ParsedOptions(words, of: command)
        try PostgresOptions.check(parsed)
        switch command.name {
        case ImportCommand.spec.name: return .load(try ImportCommand(parsed))
        case SyncCommand.spec.name: return .load(try SyncCommand.command(parsed))
        case UndoCommand.spec.name: return .undo(try UndoCommand(parsed))
        case StatusCommand.spec.name: return .status(try StatusCommand(parsed))
        case RetryCommand.spec.name: return .retry(try RetryCommand(parsed))
        case RejectsCommand.spec.name: return .rejects(try RejectsCommand(parsed))
        case ForgetCommand.spec.name: return .forget(try ForgetCommand(parsed))
        case SeedCommand.spec.name: return .seed(try SeedCommand(parsed))
        case MigrateCommand.spec.name: return .migrate(try MigrateCommand(parsed))
        case ModelCommand.spec.name: return .model(try ModelCommand(parsed))
        case GenerateCommand.spec.name: return .generate(try GenerateCommand(parsed))
        case ValidateCommand.spec.name: return .validate(try ValidateCommand(parsed))
        default: return .records(try RecordsCommand(parsed))
        }
    }

    private static func command(_ name: String) throws(UsageError) -> CommandSpec {
        if let command = commands.first(where: { $0.name == name }) { return command }
        if name.hasPrefix("-") {
            throw UsageError("Unknown option '\(name)'" + Suggestion.hint(for: name, among: ["--help", "--version"]))
        }
        let names = commands.map(\.name) + ["help"]
        throw UsageError("Unknown command '\(name)'" + Suggestion.hint(for: name, among: names))
    }
}
