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
        let (output, error) = (try ToolPipe(), try ToolPipe())
        let feed = try input.map { _ in try ToolPipe() }
        let files = [feed?.reading ?? FileHandle.nullDevice, output.writing, error.writing]
        let process = try start(arguments, files, in: folder)
        for pipe in [output, error] { try pipe.writing.close() }
        try feed?.reading.close()
        // Threads of their own, since the calling thread may be one of a pool whose other threads are busy.
        let messages = Monitor<Data?>(nil)
        try WorkerThread.start {
            let data = error.reading.readDataToEndOfFile()
            messages.update { $0 = data }
        }
        if let input, let feed {
            try WorkerThread.start {
                // The program may stop reading before the end.
                signal(SIGPIPE, SIG_IGN)
                try? feed.writing.write(contentsOf: input)
                try? feed.writing.close()
            }
        }
        let result = output.reading.readDataToEndOfFile()
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let text = String(decoding: messages.wait { $0 }, as: UTF8.self)
        let ending = status & 0x7f
        return Outcome(code: ending == 0 ? status >> 8 & 0xff : 128 + ending, output: result, error: text)
    }

    /// Starts the program as the leader of a process group, with these files as its standard ones.
    private func start(_ arguments: [String], _ files: [FileHandle], in folder: URL?) throws -> pid_t {
        #if canImport(Darwin)
            var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?)
        #else
            var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        for (number, file) in files.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, file.fileDescriptor, Int32(number))
        }
        // The shell changes the folder, and the program takes its place.
        let way = folder.map { ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", $0.path] } ?? []
        let line = way + [path] + arguments
        var words = line.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, line[0], &actions, &attributes, &words, environ)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL) }
        return process
    }

    /// Runs a line of the shell, in which `tributary` is the command built with the running tests.
    public static func shell(_ line: String, in folder: URL? = nil) throws -> Outcome {
        let folderOfTool = builtProducts.path
        return try Tool("/bin/bash").run(["-c", "PATH=\"\(folderOfTool):$PATH\"; \(line)"], in: folder)
    }
}
