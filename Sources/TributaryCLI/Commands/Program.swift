import CTributaryThread
import TributaryPlatform

/// The program: reads the command line, runs the command, ends with its code.
@main
package enum Program {
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

    /// Runs a command line, without the name of the program, and returns the exit code.
    ///
    /// Signals stop the command between two records, unless tests that run many in their own process leave them alone.
    package static func run(_ words: [String], catchesSignals: Bool = true) -> Int32 {
        var console = Console()
        do {
            switch try Invocation(words) {
            case .help(let command, let all):
                return try show(command.map { HelpText.text($0, all: all) } ?? HelpText.overview)
            case .version: return try show("tributary \(HelpText.version)\n")
            case .command(let command):
                if let command = command as? any StoppableCommand {
                    return try command.run(catchesSignals: catchesSignals)
                }
                return try run(command, catchesSignals: catchesSignals)
            }
        } catch let error as UsageError {
            if wantsJSON(words) { try? OutputFile().end(String(decoding: ErrorText.json(error), as: UTF8.self)) }
            let command = error.command.map { " \($0)" } ?? ""
            console.say("\(error.message)\nSee 'tributary\(command) --help'.")
            return ExitCode.usage
        } catch OutputFile.Failure.closedPipe {
            return ExitCode.closedPipe
        } catch OutputFile.Failure.system(let reason) {
            console.say(reason)
            return ExitCode.failure
        } catch {
            if wantsJSON(words) { try? OutputFile().end(String(decoding: ErrorText.json(error), as: UTF8.self)) }
            console.say(ErrorText.of(error))
            return ExitCode.failure
        }
    }

    /// Whether the outcome of a command line is JSON, and so is an error that ends it.
    private static func wantsJSON(_ words: [String]) -> Bool { words.prefix { $0 != "--" }.contains("--json") }

    /// Runs a command that a signal ends at once; a transaction that has not ended is rolled back by the next access.
    private static func run(_ command: any Command, catchesSignals: Bool) throws -> Int32 {
        let signals = StopSignals()
        if catchesSignals { try signals.start() }
        signals.onStop { [signals] in
            var console = Console()
            console.say("stopped")
            _exit(signals.exitCode ?? ExitCode.failure)
        }
        return try command.run()
    }

    private static func show(_ text: String) throws -> Int32 {
        try OutputFile().end(text)
        return ExitCode.success
    }
}
