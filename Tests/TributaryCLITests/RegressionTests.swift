import Foundation
import Testing
import TributaryTestSupport

/// Former bugs of the command.
@Suite struct RegressionTests {
    private let folder = try? TemporaryFolder()

    private func write(_ text: String, to name: String = "f.json") throws -> String {
        try #require(folder).write(text.utf8, to: name)
    }

    @Test("Rejects never overwrite an input, nor the output")
    func rejectsNeverOverwriteAnInput() throws {
        let text = "[{\"id\":1},{\"id\":2,}]"
        let path = try write(text)
        let link = try #require(folder).path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        for command in [
            "tributary records --rejects '\(path)' '\(path)'", "tributary records --rejects '\(link)' '\(path)'",
            "tributary records --rejects '\(path)' < '\(path)'", "tributary records --rejects '\(path)' - < '\(path)'",
            "tributary records '\(path)' >> '\(path)'", "tributary records --rejects '\(link)' '\(path)' >> '\(link)'",
        ] {
            try Tool.shell(command).expect(64, error: "choose another")
            #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        }
        try Tool.shell(
            "tributary records --rejects o '\(path)' > o", in: URL(filePath: try #require(folder).path(""))
        ).expect(64, error: "standard output")
    }

    @Test("Files whose names are not UTF-8 can be read")
    func namesOfFilesNeedNotBeUTF8() throws {
        let script = """
            cd '\(try #require(folder).path(""))'
            printf '[1]' > $'bad\\xff'; printf '[2]' > $'bad\\xfe'
            tributary records -q $'bad\\xff' $'bad\\xfe'
            """
        #expect(try Tool.shell(script).lines == ["1", "2"])
    }

    @Test("A run without rejects empties an old rejects file")
    func oldRejectsStayUntilThereIsSomethingToSay() throws {
        let rejects = try write(
            "{\"file\":\"old.json\",\"code\":\"syntax.unexpected\",\"reason\":\"found x\"}\n", to: "rejects")
        try Tool.tributary.run(["records", "--rejects", rejects, "/nowhere"]).expect(1)
        // A run that begins replaces the file, even if it rejects nothing.
        try Tool.tributary.run(["records", "--rejects", rejects, try write("[1]")]).expect(0)
        #expect(try String(contentsOfFile: rejects, encoding: .utf8).isEmpty)
    }

    @Test("The name for keys is escaped, and refused if a record has such a member")
    func namesOfKeysAreEscaped() throws {
        let path = try write(#"{"users":{"u1":{"a":1},"u2":3}}"#)
        let outcome = try Tool.tributary.run(["records", "-q", "--at", ".users{}", "--key-as", "a\"b\\\n", path])
        #expect(outcome.lines == [#"{"a\"b\\\n":"u1","a":1}"#, #"{"a\"b\\\n":"u2","_value":3}"#])
        try Tool.tributary.run(["records", "-q", "--at", ".users{}", "--key-as", "a", path]).expect(
            1, error: "a member a, which is the name for its own key")
    }

    @Test("Exit codes, output and messages do not depend on the buffer size")
    func codesDoNotDependOnTheBuffer() throws {
        let folder = try #require(folder)
        let texts: [[UInt8]] = [
            Array("[{\"n\":\"x".utf8) + [0xE1] + Array("\"},{\"n\":2}]".utf8),
            Array("{\"rows\":[{\"id\":0},{\"id\"".utf8) + [0x7F] + Array("1},{\"id\":2}\n{\"id\":3},{\"id\":4}]}".utf8),
            Array("[{\"n\":\"\\ud800\\u0041\"}]".utf8),
            [0xFF, 0xFE, 0, 0] + "[\"aaa".unicodeScalars.flatMap { [UInt8($0.value), 0, 0, 0] } + [
                0, 0, 0x11, 0, 0x22, 0, 0, 0,
            ],
        ]
        for (index, text) in texts.enumerated() {
            let path = try folder.write(text, to: "\(index).json")
            let outcomes = try [1, 2, 3, 7, 9, 4096, 1 << 18].map { size in
                let outcome = try Tool.tributary.run([
                    "records", "--on-error", "skip", "--buffer-size", "\(size)", path,
                ])
                return "\(outcome.code) \(outcome.text) \(outcome.error)"
            }
            #expect(Set(outcomes).count == 1, "\(outcomes)")
        }
    }

    @Test("An error in NDJSON names the path of its value once")
    func pathsInLinesStandOnce() throws {
        let path = try write("{\"rows\":[{\"a\" 1}]}\n")
        try Tool.tributary.run(["records", "--format", "ndjson", "--at", ".rows[]", path]).expect(
            error: "at $.rows[0].a,")
    }

    @Test("validate limits the keys of each object, and reports no record numbers")
    func validateCountsKeysAndNoRecords() throws {
        let path = try write("{\"a\":1,\"b\":2,\"c\":{\"d\":1}}")
        try Tool.tributary.run(["validate", "--max-keys", "3", path]).expect(0)
        try Tool.tributary.run(["validate", "--max-keys", "2", path]).expect(1, text: "more than 2 keys")
        let lines = try Tool.tributary.run(["validate", "--format", "ndjson", try write("1\n2\nx\n")])
        #expect(lines.code == 1 && !lines.text.contains("record"))
    }

    @Test("--max-depth takes at most 1000000")
    func depthHasABound() throws {
        try Tool.tributary.run(["validate", "--max-depth", "9223372036854775807", "f"]).expect(
            64, error: "takes at most 1000000")
        try Tool.tributary.run(["validate", "--max-depth", "1000000", try write("[]")]).expect(0)
    }

    @Test("A damaged value among concatenated ones costs at most one more")
    func valuesOnOneLineRecoverOneByOne() throws {
        var values = (0..<100).map { "{\"id\":\($0)}" }
        values[50] = "{\"id:50}"
        for (separator, format) in [(" ", "concat"), ("\n", "concat"), ("", "concat")] {
            let path = try write(values.joined(separator: separator))
            let outcome = try Tool.tributary.run(["records", "-q", "--format", format, "--on-error", "skip", path])
            #expect(outcome.lines.count >= 98, "\(separator.debugDescription)")
        }
    }

    @Test("A fault between records is counted as such, and not as a record")
    func whatIsBetweenRecordsIsNoRecord() throws {
        let outcome = try Tool.tributary.run(["records", "--on-error", "skip", try write("[{\"id\":1} {\"id\":2}]")])
        #expect(outcome.lines.count == 2)
        #expect(outcome.error.contains("0 of 2 records rejected (0 bytes), 1 fault between records"))
    }

    @Test("A signal stops a run that waits for a full pipe, after a whole line")
    func aFullPipeDoesNotDelayAStop() throws {
        let path = try #require(folder).write(Dump(.users, count: 2000).bytes, to: "users.json")
        let pipe = try #require(folder).path("pipe")
        // The pipe is full once its writer sleeps in a poll; the loop waits for that.
        let script = """
            mkfifo '\(pipe)'
            exec 3<>'\(pipe)'
            tributary records -q '\(path)' > '\(pipe)' &
            until [ "$(cut -d' ' -f3 /proc/$!/stat)" = S ] && grep -q poll /proc/$!/wchan; do :; done
            kill -TERM $!
            wait $!
            code=$?
            dd if='\(pipe)' iflag=nonblock bs=1M 2>/dev/null | tail -c 1 | od -An -c
            exit $code
            """
        #if os(Linux)
            try Tool.shell(script).expect(143, text: "\\n")
        #endif
    }

    #if os(Linux)
        @Test("400 MB of blanks in an array take less than 48 MiB of memory")
        func blanksAreNotKept() throws {
            let script = """
                { printf '[1,'; head -c 400000000 /dev/zero | tr '\\0' ' '; printf '2]'; } | tributary validate - &
                while now=$(awk '/^VmHWM/ { print $2 }' /proc/$!/status 2>/dev/null) && [ -n "$now" ]; do echo $now; done
                wait $!
                """
            let outcome = try Tool.shell(script).expect(0)
            #expect(try #require(outcome.lines.compactMap { Int($0) }.max()) < 48 << 10)
        }
    #endif
}
