import Foundation
import Testing
import TributaryTestSupport

#if os(Linux)
    /// A sample of the cases of `scripts/sweep-memory`.
    @Suite struct MemoryTests {
        /// The peak memory in KiB of `tributary` with these arguments, read from the system while it runs.
        private func peak(_ words: String) throws -> Int {
            let script = """
                tributary \(words) > /dev/null 2>&1 &
                while now=$(awk '/^VmHWM/ { print $2 }' /proc/$!/status 2>/dev/null) && [ -n "$now" ]; do echo $now; done
                wait $!
                """
            let outcome = try Tool.shell(script)
            return try #require(outcome.lines.compactMap { Int($0) }.max())
        }

        @Test(
            "records takes less than 48 MiB of memory for 250,000 records",
            arguments: [Dump.Kind.users, .usersNDJSON, .usersObject])
        func doesNotGrowWithTheInput(_ kind: Dump.Kind) throws {
            let folder = try TemporaryFolder()
            let path = folder.path("dump")
            _ = FileManager.default.createFile(atPath: path, contents: nil)
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            try Dump(kind, count: 250_000).write { try file.write(contentsOf: Data($0.utf8)) }
            try file.close()
            #expect(try peak("records -q '\(path)'") < 48 << 10)
        }

        @Test("Planting a seed of 80 MB takes about as much memory as one of 16 MB")
        func seedsDoNotGrowWithTheInput() throws {
            let world = try ImportWorld()
            let model = try world.model()
            let peaks = try [4000, 20_000].map { count in
                let users = (0..<count).map { #"{"id": \#($0), "name": "\#(String(repeating: "n", count: 4000))"}"# }
                let path = try world.write("{\"User\": [\(users.joined(separator: ",\n"))]}", "seed.json")
                return try peak("seed '\(world.folder.path("\(count).sqlite"))' '\(path)' --model '\(model)'")
            }
            #expect(peaks[1] < peaks[0] + (24 << 10), "\(peaks)")
        }

        @Test("A string of 200 MB is rejected in less than 96 MiB of memory")
        func oneEndlessStringIsRejected() throws {
            let folder = try TemporaryFolder()
            let path = folder.path("string")
            try Tool.shell(
                "{ printf '[{\"a\":\"'; head -c 200000000 /dev/zero | tr '\\0' x; printf '\"},{\"b\":1}]'; } > '\(path)'; "
                    + "tributary records -q --rejects '\(folder.path("rejects"))' '\(path)'"
            ).expect(3, output: "{\"b\":1}\n")
            #expect(try peak("records -q --on-error skip '\(path)'") < 96 << 10)
        }
    }
#endif
