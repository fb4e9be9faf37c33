import CTributaryFaults
import Foundation
import TributaryCLI
import TributaryTestSupport
import TributaryPlatform

/// What a command of a session has answered.
struct SessionOutcome {
    var code: Int32
    var output: String
    var error: String
}

/// Runs the commands of a session.
protocol SessionRunner {
    /// Runs a command to its end.
    func run(_ words: [String]) throws -> SessionOutcome

    /// Runs a command that is killed, or whose disk becomes full.
    func run(_ words: [String], failing fault: SessionFault) throws
}

/// Runs commands in a process of their own.
struct ChildSessionRunner: SessionRunner {
    let tool: Tool

    func run(_ words: [String]) throws -> SessionOutcome {
        let outcome = try tool.run(words)
        return SessionOutcome(code: outcome.code, output: outcome.text, error: outcome.error)
    }

    func run(_ words: [String], failing fault: SessionFault) throws {
        // The time of a call is unknown here: a kill comes after some milliseconds, and a limit of the sizes of files is
        // what a full disk is.
        let line = words.map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
        let limit =
            fault.isKill
            ? "timeout -s KILL 0.\(String(1000 + fault.call).dropFirst())" : "ulimit -f \(fault.call * 2); exec"
        _ = try Tool("/bin/bash").run(["-c", "\(limit) '\(tool.path)' \(line)"])
    }
}

/// Runs commands in this process, whose standard outputs are files meanwhile.
///
/// The process must do nothing else.
final class OwnSessionRunner: SessionRunner {
    private let folder: TemporaryFolder
    private let files: [Int32]
    /// Runs the commands that are killed.
    private let children = ChildSessionRunner(tool: .tributary)

    init() throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        files = ["output", "error"].map { open(folder.path($0), O_RDWR | O_CREAT, 0o600) }
        guard faults_install() == 0 else { throw POSIXError(.EINVAL) }
    }

    func run(_ words: [String]) throws -> SessionOutcome {
        let saved = [STDOUT_FILENO, STDERR_FILENO].map { dup($0) }
        for (file, number) in zip(files, [STDOUT_FILENO, STDERR_FILENO]) {
            ftruncate(file, 0)
            lseek(file, 0, SEEK_SET)
            dup2(file, number)
        }
        let code = Program.run(words, catchesSignals: false)
        for (file, number) in zip(saved, [STDOUT_FILENO, STDERR_FILENO]) {
            dup2(file, number)
            close(file)
        }
        let texts = try ["output", "error"].map { String(decoding: try folder.read($0), as: UTF8.self) }
        return SessionOutcome(code: code, output: texts[0], error: texts[1])
    }

    func run(_ words: [String], failing fault: SessionFault) throws {
        if fault.isKill { return try children.run(words, failing: fault) }
        faults_arm(Int32(FAULTS_FULL), fault.call, 1, 0)
        defer { _ = faults_disarm() }
        _ = try run(words)
    }
}
