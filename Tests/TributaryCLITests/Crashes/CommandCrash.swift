import CTributaryFaults
import Foundation
import Testing

import TributaryCLI
import TributaryPlatform

/// A command that is killed at a call that changes files, or at a statement, in a process of its own.
struct CommandCrash: Codable, Sendable, CustomStringConvertible {
    var words: [String]
    /// The working directory.
    var folder: String
    var mode = Int(FAULTS_NONE)
    /// The calls that count.
    var kinds = CommandCrash.files | CommandCrash.statements
    /// The number of the call at which the process is killed; the end if there are fewer calls.
    var point = 0
    var seed: UInt64 = 0
    /// The file that gets the numbers of the calls of SQLite, of those of the system, and of statements; nil for none.
    var counts: String?

    /// All calls that change files.
    static let files = Int(FAULTS_SQLITE) | system
    /// Those that SQLite does not make, such as the renaming of a file.
    static let system = Int(FAULTS_SYSTEM)
    static let statements = Int(FAULTS_STATEMENTS)

    var description: String { "mode \(mode), call \(point) of kinds \(kinds), seed \(seed)" }

    /// Runs the command in a process of its own, which is killed.
    func run() async {
        guard let data = try? JSONEncoder().encode(self) else { return }
        let text = String(decoding: data, as: UTF8.self)
        await #expect(processExitsWith: .signal(SIGKILL), "\(self)") { [text = text as String] in
            try await JSONDecoder().decode(CommandCrash.self, from: Data(text.utf8)).work()
        }
    }

    @MainActor private func work() throws {
        guard FileManager.default.changeCurrentDirectoryPath(folder), faults_install() == 0 else { exit(3) }
        faults_count(Int32(kinds))
        faults_arm(Int32(mode), point, 0, seed)
        _ = Program.run(words)
        _ = faults_disarm()
        let numbers = [FAULTS_SQLITE, FAULTS_SYSTEM, FAULTS_STATEMENTS].map { faults_calls(Int32($0)) }
        if let counts { try JSONEncoder().encode(numbers).write(to: URL(filePath: counts)) }
        faults_strike()
    }
}
