import TributaryHTTP
import TributaryJSON
import TributaryPlatform

/// A command of the program.
package protocol Command: Sendable {
    static var spec: CommandSpec { get }

    /// The command of a command line, whose options `parsed` has.
    init(_ parsed: ParsedOptions) throws(UsageError)

    /// Runs the command, and returns the exit code; unless it is a `StoppableCommand`, a signal ends it at once.
    func run() throws -> Int32
}

/// A command that a signal stops between two records.
protocol StoppableCommand: Command {
    /// Runs the command until `signals` stops it, and returns the exit code.
    func run(_ signals: StopSignals) throws -> Int32
}

extension StoppableCommand {
    package func run() throws -> Int32 { try run(catchesSignals: true) }

    /// Runs the command; tests that run many in their own process leave signals alone.
    func run(catchesSignals: Bool) throws -> Int32 {
        let signals = StopSignals()
        if catchesSignals { try signals.start() }
        do {
            return try run(signals)
        } catch OutputFile.Failure.stopped {
            return signals.exitCode ?? ExitCode.failure
        }
    }
}

/// A command that reads JSON files, or standard input unless that is a terminal.
protocol ReadingCommand: StoppableCommand {
    /// The name for messages.
    var name: String { get }
    /// The files; none for standard input.
    var operands: [String] { get }
    /// Whether subdirectories of directories are read as well.
    var isRecursive: Bool { get }
    /// Whether a file that is named twice is read once.
    var readsFilesOnce: Bool { get }
    /// The settings of reading.
    var reading: ReadOptions { get }
    /// Whether nothing is said but errors.
    var isQuiet: Bool { get }

    func run(_ sources: [any ByteSource], _ signals: StopSignals) throws -> Int32
}

extension ReadingCommand {
    var name: String { Self.spec.name }
    var readsFilesOnce: Bool { false }

    func run(_ signals: StopSignals) throws -> Int32 { try run(sources(signals), signals) }

    /// The sources that the operands name.
    func sources(_ signals: StopSignals) throws -> [any ByteSource] {
        guard !operands.isEmpty || isatty(STDIN_FILENO) == 0 else {
            throw UsageError("Name a file, or - for standard input", command: name)
        }
        var web = try WebOptions.settings(for: operands, isQuiet: isQuiet)
        web.isStopped = { signals.exitCode != nil }
        return try InputFiles.sources(
            operands.isEmpty ? ["-"] : operands, isRecursive: isRecursive, once: readsFilesOnce, limits: reading.limits,
            web: web)
    }
}
