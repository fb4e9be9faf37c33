/// A parsed command line.
///
/// Parsing is a pure function of the arguments.
package enum Invocation {
    case help(CommandSpec?, all: Bool = false)
    case version
    case command(any Command)

    /// The commands, in the order of the help.
    private static let types: [any Command.Type] = [
        ImportCommand.self, SyncCommand.self, StatusCommand.self, UndoCommand.self, RejectsCommand.self,
        RetryCommand.self, ForgetCommand.self, SeedCommand.self, ModelCommand.self, GenerateCommand.self,
        MigrateCommand.self, QueryCommand.self, TablesCommand.self, BrowseCommand.self, ExportCommand.self,
        InspectCommand.self, RecordsCommand.self, ValidateCommand.self, ManualCommand.self, CompletionsCommand.self,
    ]

    /// The descriptions of the commands, in the order of the help.
    package static var commands: [CommandSpec] { types.map { $0.spec } }

    /// Parses the arguments after the name of the program.
    package init(_ words: [String]) throws(UsageError) {
        guard let first = words.first else {
            self = .help(nil)
            return
        }
        let rest = Array(words.dropFirst())
        switch first {
        case "--help", "-h", "--help=all": self = .help(nil)
        case "--version", "-V": self = .version
        case "help":
            let names = rest.filter { $0 != "--all" }
            guard let name = names.first else {
                self = .help(nil)
                return
            }
            let isHelp = ["help", "--help", "-h"].contains(name)
            self = .help(isHelp ? Invocation.help : try Invocation.command(name).spec, all: rest.count > names.count)
        default:
            let command = try Invocation.command(first)
            let options = rest.prefix { $0 != "--" }
            let wantsAll = options.contains("--help=all")
            if wantsAll || options.contains("--help") || options.contains("-h") {
                self = .help(command.spec, all: wantsAll)
                return
            }
            do {
                let parsed = try ParsedOptions(rest, of: command.spec)
                try PostgresOptions.check(parsed)
                self = .command(try command.init(parsed))
            } catch {
                throw UsageError(error.message, command: command.spec.name)
            }
        }
    }

    private static func command(_ name: String) throws(UsageError) -> any Command.Type {
        if let command = types.first(where: { $0.spec.name == name }) { return command }
        if name.hasPrefix("-") {
            throw UsageError("Unknown option '\(name)'" + Suggestion.hint(for: name, among: ["--help", "--version"]))
        }
        let names = program.commands.map(\.name)
        throw UsageError("Unknown command '\(name)'" + Suggestion.hint(for: name, among: names))
    }
}
