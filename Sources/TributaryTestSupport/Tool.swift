public import Foundation
import TributaryConcurrency

/// Runs programs as child processes: the command `tributary`, and the tools that it is compared with.
public struct Tool: Sendable {
    /// The result of a run.
    public struct Outcome: Sendable {
        /// The exit code, or 128 plus the signal that ended it.
        public let code: Int32
        /// Standard output.
        public let output: Data
        /// Standard error.
        public let error: String
        /// Standard output as text.
        public var text: String { String(decoding: output, as: UTF8.self) }
        /// The lines of standard output.
        public var lines: [String] { text.split(separator: "\n").map(String.init) }
    }

    /// The path of the program.
    public let path: String

    /// The program at `path`.
    public init(_ path: String) { self.path = path }

    /// The command that was built with the running tests.
    public static let tributary = Tool(builtProducts.appending(path: "tributary").path)

    /// The folder of the package.
    public static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The folder of the test bundle and the products.
    private static let builtProducts: URL = {
        let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        let candidates = [program, program.deletingLastPathComponent()]
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0.appending(path: "tributary").path) }
            ?? program
    }()

    /// Lets signals that the tests were started to ignore, as by `nohup` or in the background of a script, end programs.
    private static let resetSignals: Void = {
        for number in [SIGINT, SIGQUIT, SIGHUP] { signal(number, SIG_DFL) }
    }()

    /// Runs the program to its end.
    ///
    /// - Parameters:
    ///   - arguments: The arguments after its name.
    ///   - input: The standard input; empty if nil.
    ///   - folder: The working directory.
    /// - Returns: The exit code and the output.
    /// - Throws: The system error if the program cannot be started.
    public func run(_ arguments: [String], input: Data? = nil, in folder: URL? = nil) throws -> Outcome {
        _ = Tool.resetSignals
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        if let folder { process.currentDirectoryURL = folder }
        let (output, error, feed) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = error
        process.standardInput = input == nil ? FileHandle.nullDevice : feed
        try process.run()
        // Threads of their own, since the calling thread may be one of a pool whose other threads are busy.
        let messages = Monitor<Data?>(nil)
        try WorkerThread.start {
            let data = error.fileHandleForReading.readDataToEndOfFile()
            messages.update { $0 = data }
        }
        if let input {
            try WorkerThread.start {
                // The program may stop reading before the end.
                signal(SIGPIPE, SIG_IGN)
                try? feed.fileHandleForWriting.write(contentsOf: input)
                try? feed.fileHandleForWriting.close()
            }
        }
        let result = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: messages.wait { $0 }, as: UTF8.self)
        let code =
            process.terminationReason == .uncaughtSignal ? 128 + process.terminationStatus : process.terminationStatus
        return Outcome(code: code, output: result, error: text)
    }

    /// Runs a line of the shell, in which `tributary` is the command built with the running tests.
    public static func shell(_ line: String, in folder: URL? = nil) throws -> Outcome {
        let folderOfTool = builtProducts.path
        return try Tool("/bin/bash").run(["-c", "PATH=\"\(folderOfTool):$PATH\"; \(line)"], in: folder)
    }
}
