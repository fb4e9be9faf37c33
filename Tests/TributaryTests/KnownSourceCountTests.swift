import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributaryTestSupport

import Tributary

/// How often an import without a key reads sources that were imported before.
@Suite struct KnownSourceCountTests {
    /// A source that counts how often it is opened.
    private struct CountedSource: ByteSource {
        let name: String
        let bytes: [UInt8]
        let openings: Guarded<Int>
        var byteCount: Int? { bytes.count }

        func open() throws -> any ByteStream {
            openings.withLock { $0 += 1 }
            return MemoryStream(bytes)
        }
    }

    @Test("Each of many sources of one size is read once to find that it was imported")
    func sourcesOfOneSize() throws {
        let folder = try TemporaryFolder()
        let openings = Guarded(0)
        let count = 300
        func sources(_ range: Range<Int>) -> [CountedSource] {
            range.map { CountedSource(name: "\($0)", bytes: Array("[{\"id\":\(1000 + $0)}]".utf8), openings: openings) }
        }
        func load(_ sources: [CountedSource]) throws -> StreamImport {
            var options = ImportOptions()
            options.resuming = .resume
            let job = StreamImport(
                into: try ContextManager(inferring: "t", at: folder.path("app.sqlite")), from: sources,
                routes: [.inferred("t", at: .elements)], options: options)
            _ = try job.perform()
            return job
        }
        #expect(try load(sources(0..<count)).summary.inserted == count)
        let before = openings.withLock { $0 }
        // Their names differ, as those of copies; one more is new.
        let renamed = sources(0..<count).map { CountedSource(name: "b\($0.name)", bytes: $0.bytes, openings: openings) }
        let job = try load(renamed + sources(count..<count + 1))
        #expect(job.knownSources == renamed.map(\.name))
        #expect(job.summary.inserted == 1)
        let openedAgain = openings.withLock { $0 } - before
        #expect(openedAgain <= 2 * (count + 1), "\(openedAgain)")
    }
}
