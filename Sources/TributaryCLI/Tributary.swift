import CTributaryThread
import TributaryJSON
import TributaryPlatform

/// The program: reads the command line, runs the command, ends with its code.
@main
package enum Tributary {
    static func main() {
        reserveStandardFiles()
        // The command promises a limit of its memory; a library leaves the allocator of its program as it is.
        tributary_return_memory()
        exit(run(Array(CommandLine.arguments.dropFirst())))
    }

    /// Reserves closed descriptors of standard input and outputs, so that no file opened later gets their numbers.
    ///
    /// Using them still fails.
    private static func reserveStandardFiles() {
        for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(number, F_GETFD) < 0 {
            _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Runs a command line, without the name of the program.
    ///
    /// - Parameters:
    ///   - words: The command line.
    ///   - catchesSignals: Whether signals stop the command between two records; tests that run many commands in their
    ///     own process leave signals alone.
    /// - Returns: the code to end with.
    package static func run(_ words: [String], catchesSignals: Bool = true) -> Int32 {
        var console = Console()
        do {
            switch try Invocation(words) {
            case .help(let command):
                return try show(command.map(HelpText.text) ?? HelpText.overview)
            case .version: return try show("tributary \(HelpText.version)\n")
            case .validate(let command): return try read(command, ValidateCommand.spec, catchesSignals, command.run)
            case .load(let command): return try read(command, command.spec, catchesSignals, command.run)
            case .status(let command): return try command.run()
            case .retry(let command): return try withSignals(catchesSignals, command.perform)
            case .rejects(let command): return try command.perform()
            case .forget(let command): return try command.perform()
            case .undo(let command): return try command.perform()
            case .seed(let command): return try command.run()
            case .migrate(let command): return try command.perform()
            case .model(let command): return try command.perform()
            case .generate(let command): return try command.perform()
            case .records(let command): return try read(command, RecordsCommand.spec, catchesSignals, command.run)
            }
        } catch let error as UsageError {
            let command = error.command.map { " \($0)" } ?? ""
            console.say("tributary: \(error.message)\nSee 'tributary\(command) --help'.")
            return ExitCode.usage
        } catch OutputFile.Failure.closedPipe {
            return ExitCode.closedPipe
        } catch OutputFile.Failure.system(let reason) {
            console.say("tributary: \(reason)")
            return ExitCode.failure
        } catch {
            console.say("tributary: \(ErrorText.of(error))")
            return ExitCode.failure
        }
    }

    /// Runs a command on its files, or on standard input unless that is a terminal.
    private static func read(
        _ command: some ReadingCommand, _ spec: CommandSpec, _ catchesSignals: Bool,
        _ body: ([any ByteSource], StopSignals) throws -> Int32
    ) throws -> Int32 {
        let operands = command.operands
        guard !operands.isEmpty || isatty(STDIN_FILENO) == 0 else {
            throw UsageError("Name a file, or - for standard input", command: spec.name)
        }
        return try withSignals(catchesSignals) { signals in
            let sources = try InputFiles.sources(
                operands.isEmpty ? ["-"] : operands, isRecursive: command.isRecursive, once: command.readsFilesOnce,
                limits: command.reading.limits)
            return try body(sources, signals)
        }
    }

    /// Runs a command that signals can stop.
    private static func withSignals(_ catchesSignals: Bool, _ body: (StopSignals) throws -> Int32) throws -> Int32 {
        let signals = StopSignals()
        if catchesSignals { try signals.start() }
        do {
            return try body(signals)
        } catch OutputFile.Failure.stopped {
            return signals.exitCode ?? ExitCode.failure
        }
    }

    private static func show(_ text: String) throws -> Int32 {
        let output = OutputFile.standardOutput()
        try output.write { $0 += Array(text.utf8) }
        try output.flush()
        return ExitCode.success
    }
}
