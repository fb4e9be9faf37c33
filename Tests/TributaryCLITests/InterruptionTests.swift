import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// Signals, closed pipes and full disks, which never leave half a line and have documented exit codes.
@Suite struct InterruptionTests {
    private let folder = try? TemporaryFolder()

    private func dump(_ count: Int) throws -> String {
        try #require(folder).write(Dump(.users, count: count).bytes, to: "users.json")
    }

    private func isWhole(_ bytes: [UInt8]) -> Bool {
        bytes.isEmpty
            || bytes.last == 0x0A
                && bytes.split(separator: 0x0A).allSatisfy {
                    $0.first == UInt8(ascii: "{") && $0.last == UInt8(ascii: "}")
                }
    }

    /// Starts a run that waits for its input, stops it by `signal`, and returns its exit code and files.
    private func interrupt(_ signal: String) throws -> (code: Int32, output: [UInt8], rejects: [UInt8]) {
        let folder = try #require(folder)
        let (output, rejects) = (folder.path("out"), folder.path("rejects"))
        // The loop sends the signal only after the records before it are written.
        let script = """
            set -m; mkfifo '\(folder.path("pipe"))'
            tributary records -q --rejects '\(rejects)' '\(folder.path("pipe"))' > '\(output)' 2>/dev/null &
            exec 3> '\(folder.path("pipe"))'
            printf '{"a":1}\\n{"a":x}\\n{"a":3}\\n{"a":' >&3
            until [ -s '\(output)' ]; do :; done
            kill -\(signal) $!
            wait $!
            """
        let outcome = try Tool.shell(script)
        return (outcome.code, try folder.read("out"), try folder.read("rejects"))
    }

    @Test(
        "A signal ends the output after a whole line, with the exit code of the signal",
        arguments: [("INT", 130), ("TERM", 143), ("HUP", 129)] as [(String, Int32)])
    func signalsEndAtALine(_ signal: String, _ code: Int32) throws {
        let left = try interrupt(signal)
        #expect(left.code == code)
        #expect(left.output == Array("{\"a\":1}\n{\"a\":3}\n".utf8))
        #expect(isWhole(left.rejects) && !left.rejects.isEmpty)
    }

    @Test(
        "A signal ends a command that waits for another program, with the exit code of the signal and nothing changed",
        arguments: [("INT", 130), ("TERM", 143), ("HUP", 129)] as [(String, Int32)])
    func signalsEndAWait(_ signal: String, _ code: Int32) throws {
        let folder = try #require(folder)
        let path = try dump(20)
        let database = folder.path("app.sqlite")
        try Tool.tributary.run(["import", "-q", database, path, "--key", "id", "--undoable"]).expect(0)
        let other = try Connection(.file(database))
        try other.execute("BEGIN IMMEDIATE")
        let script = """
            set -m
            tributary undo '\(database)' & pid=$!
            until ls -l /proc/$pid/fd 2>/dev/null | grep -q app.sqlite; do kill -0 $pid || exit 9; done
            kill -\(signal) $pid; wait $pid
            """
        try Tool.shell(script).expect(code, error: "tributary: stopped")
        try other.execute("ROLLBACK")
        try Tool.tributary.run(["undo", database]).expect(0, text: "deleted: users 20")
    }

    @Test("A signal in the middle of much output leaves only whole lines")
    func signalsInTheMiddleOfMuch() throws {
        let path = try dump(200_000)
        let folder = try #require(folder)
        for round in 0..<6 {
            // The run is stopped as soon as its output has a certain size.
            let script = """
                tributary records -q '\(path)' > '\(folder.path("out"))' &
                until [ $(stat -c %s '\(folder.path("out"))') -gt \(round * 3_000_000) ]; do :; done
                kill -TERM $!
                wait $!
                """
            let outcome = try Tool.shell("touch '\(folder.path("out"))'; " + script)
            #expect(outcome.code == 143 || outcome.code == 0)
            #expect(isWhole(try folder.read("out")))
        }
    }

    @Test("A closed output pipe ends a run with code 141 and without a message")
    func aClosedPipeIsQuiet() throws {
        let path = try dump(50_000)
        let outcome = try Tool.shell(
            "set -o pipefail; tributary records -q '\(path)' | head -n 3 | wc -l; echo ${PIPESTATUS[0]}")
        #expect(outcome.lines == ["3", "141"])
        #expect(outcome.error.isEmpty)
    }

    @Test("A full device is an error that names the file")
    func aFullDeviceIsAnError() throws {
        let path = try dump(2000)
        let outcome = try Tool.shell("tributary records -q '\(path)' > /dev/full").expect(1)
        #expect(outcome.error == "tributary: cannot write standard output: No space left on device\n")
        let damaged = try #require(folder).write("[{\"a\":1},{\"a\":x}]".utf8, to: "damaged.json")
        let rejects = try Tool.shell("tributary records -q --rejects /dev/full '\(damaged)'").expect(1)
        #expect(rejects.error == "tributary: cannot write /dev/full: No space left on device\n")
        #expect(rejects.text.isEmpty)
        try Tool.shell("tributary --help > /dev/full").expect(1)
    }

    /// A limit on the size of files stands in for a full disk: the write stops in the middle of a line.
    @Test("The output on a full disk ends with a whole line", arguments: [1, 3, 70])
    func noTornLineOnAFullDisk(_ blocks: Int) throws {
        let folder = try #require(folder)
        let path = try dump(3000)
        try Tool.shell("ulimit -f \(blocks); tributary records -q '\(path)' > '\(folder.path("out"))'").expect(
            1, error: "File too large")
        let output = try folder.read("out")
        #expect(isWhole(output) && output.count <= blocks * 1024)
        let text = "[" + (0..<3000).map { "{\"i\":\($0),\"bad\":x}" }.joined(separator: ",") + "]"
        let damaged = try folder.write(text.utf8, to: "damaged.json")
        try Tool.shell(
            "ulimit -f \(blocks); tributary records -q --rejects '\(folder.path("rejects"))' '\(damaged)'"
        ).expect(1)
        #expect(isWhole(try folder.read("rejects")))
    }

    @Test("A rejects file that cannot be created is an error before any output")
    func rejectsThatCannotBeWritten() throws {
        let outcome = try Tool.shell("echo '[1]' | tributary records -q --rejects /nowhere/r -").expect(1)
        #expect(outcome.error == "tributary: cannot write /nowhere/r: No such file or directory\n")
        #expect(outcome.text.isEmpty)
    }

    @Test("Endless invalid input is an error, and --limit ends endless valid input")
    func inputThatNeverEnds() throws {
        try Tool.shell("tributary records -q /dev/zero").expect(1)
        try Tool.shell("tributary records -q /dev/urandom").expect(1)
        #expect(try Tool.shell("yes '{\"a\":1}' | tributary records -q --limit 5 -").lines.count == 5)
    }

    @Test("Progress is shown on a terminal only")
    func progressOnATerminalOnly() throws {
        let path = try dump(60_000)
        let outcome = try Tool.shell(
            "TERM=xterm script -qec \"tributary records '\(path)' > /dev/null\" /dev/null < /dev/null")
        // Where the tool `script` is missing there is no terminal to test with.
        if outcome.code != 127 { #expect(outcome.text.contains("an array of records")) }
        try Tool.shell("tributary records '\(path)' 2>&1 > /dev/null").expect(
            output: "tributary: \(path): an array of records\n")
    }
}
