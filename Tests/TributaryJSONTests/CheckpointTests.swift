import Foundation
import Testing
import TributaryJSON
import TributaryTestSupport

/// Reading resumes after any chunk, as if it had never stopped.
@Suite struct CheckpointTests {
    /// Reads everything in one pass; then stops after each chunk and resumes with a new reader.
    private func check(_ sources: [any ByteSource], _ options: ReadOptions, _ comment: String = "") throws {
        var options = options
        options.chunkRecords = 3
        let whole = Reading(sources, options)
        let reader = RecordReader(from: sources, options: options)
        var seen = 0
        var rejects = 0
        var checkpoints: [(Checkpoint, records: Int, rejects: Int)] = []
        do {
            while let chunk = try reader.next() {
                seen += chunk.count
                rejects += chunk.rejects.count
                checkpoints.append((chunk.checkpoint, seen, rejects))
            }
        } catch {}
        for (checkpoint, seen, rejects) in checkpoints {
            let stored = try JSONDecoder().decode(Checkpoint.self, from: try JSONEncoder().encode(checkpoint))
            #expect(stored == checkpoint)
            let rest = Reading(sources, options, from: stored)
            #expect(
                rest.records.elementsEqual(whole.records[seen...]), "\(comment) after \(seen): \(checkpoint) \(rest)")
            #expect(rest.places.elementsEqual(whole.places[seen...]), "\(comment) after \(seen)")
            // The excerpts of messages may be shorter, since bytes before the checkpoint are not read again.
            #expect(
                rest.rejects.map(line).elementsEqual(whole.rejects[rejects...].map(line)), "\(comment) after \(seen)")
            #expect(rest.failure?.position == whole.failure?.position && rest.failure?.code == whole.failure?.code)
        }
        #expect(!checkpoints.isEmpty)
    }

    private func line(_ reject: Reject) -> [UInt8] { Array(reject.jsonLine.utf8) }

    @Test("Reading resumes after any chunk of any dump as if it had never stopped", arguments: Dump.Kind.allCases)
    func inEveryShape(_ kind: Dump.Kind) throws {
        let dump = Dump(kind, count: 20)
        var options = ReadOptions()
        switch kind {
        case .firebase: options.paths = [".users{}", ".posts{}"]
        case .trello: options.paths = [".cards[]", ".lists[]"]
        case .couchdb: options.paths = [".rows[].doc"]
        case .fhirBundle: options.paths = [".entry[].resource"]
        default: break
        }
        for size in [64, 100_000] {
            try check([PieceSource(dump.bytes, every: size)], options, "\(kind)")
        }
    }

    @Test("Reading resumes after any chunk of records in nested arrays")
    func inNestedArrays() throws {
        var options = ReadOptions()
        options.paths = ["[].a[][]", "[].b{}"]
        let text = "[{\"a\":[[1,2],[],[3]],\"b\":{\"x\":4,\"y\":{\"z\":5}}},{\"a\":[[6,7,8,9,10]]},{\"b\":{\"w\":11}}]"
        try check([MemorySource(text.utf8)], options)
        options.paths = ["[1].a[0][]"]
        try check([MemorySource(text.utf8)], options)
        options.paths = ["/1/a/0"]
        try check([MemorySource(text.utf8)], options)
    }

    @Test("Reading resumes between lines of NDJSON with several records each")
    func inLinesOfSeveralRecords() throws {
        var options = ReadOptions()
        options.paths = ["[]"]
        options.format = .ndjson
        try check([MemorySource("[1,2,3,4]\n[]\n[5]\n\n[6,7,8,9,10,11]\r\n[12]".utf8)], options)
    }

    @Test("Reading resumes after any chunk between damaged records")
    func withDamage() throws {
        let options = ReadOptions { $0.onError = .quarantine }
        let array = "[{\"i\":1},{\"i\":x},{\"i\":3},{\"i\":4},{\"i\":5},{\"i\":y},{\"i\":7},{\"i\":8},{\"i\":}]"
        try check([MemorySource(array.utf8)], options)
        let lines = "{\"i\":1}\n{\"i\":x}\n{\"i\":3}\n{\"i\":4}\nbad\nbad\n{\"i\":7}\n{\"i\":8}\n{"
        try check([MemorySource(lines.utf8)], options)
    }

    @Test("Reading resumes after any chunk of several files")
    func inSeveralFiles() throws {
        let folder = try TemporaryFolder()
        let paths = try (0..<4).map {
            try folder.write(Dump(.users, count: 7, seed: UInt64($0)).bytes, to: "\($0).json")
        }
        try check(paths.map { FileSource($0) }, ReadOptions())
    }

    #if Gzip && Zstd && Bzip2 && Xz
        @Test("Reading resumes after any chunk of a compressed source of two members", arguments: Compressor.allCases)
        func inCompressedFiles(_ compressor: Compressor) throws {
            let bytes = Dump(.users, count: 20).bytes
            let packed = compressor.compress(Array(bytes[..<2000])) + compressor.compress(Array(bytes[2000...]))
            try check([MemorySource(packed)], ReadOptions())
        }
    #endif

    @Test("Reading resumes in UTF-16 and after a byte order mark")
    func inUTF16AndBehindAMark() throws {
        let text = String(decoding: Dump(.users, count: 12).bytes, as: UTF8.self)
        try check([MemorySource(EncodingTests.encode(text, width: 2, isLittleEndian: true, mark: true))], ReadOptions())
        try check([MemorySource([0xEF, 0xBB, 0xBF] + Array(text.utf8))], ReadOptions())
    }

    /// The damaged part may have been at the path, so a path that matches nothing is no error.
    @Test(
        "A source with a single damaged record can be read again from its checkpoint",
        arguments: ["[{\"id\":1,\"s\":\"\\ud800\"}]", "[{\"id\":1,\"s\":\"\\ud800\"}]\n[{\"id\":2}]\n"])
    func behindDamageAlone(_ text: String) throws {
        var options = ReadOptions()
        options.paths = [.elements]
        options.onError = .quarantine
        if text.hasSuffix("\n") { options.format = .ndjson }
        #expect(Reading([MemorySource(Array(text.utf8))], options).failure == nil)
        try check([MemorySource(Array(text.utf8))], options)
    }

    @Test("A source that is shorter than the checkpoint is refused")
    func aSourceThatHasBecomeShorterIsRefused() throws {
        let bytes = Dump(.users, count: 20).bytes
        let options = ReadOptions { $0.chunkRecords = 15 }
        let reader = RecordReader(from: [MemorySource(bytes)], options: options)
        let checkpoint = try #require(try reader.next()).checkpoint
        let rest = Reading([PieceSource([Array(bytes[..<1000])])], options, from: checkpoint)
        #expect(rest.failure?.code == .sourceChanged)
    }
}
