import Foundation
import Testing
import TributaryJSON
import TributaryTestSupport

/// Bugs that must not come back.
@Suite struct RegressionTests {
    private func options(_ policy: ErrorPolicy = .quarantine) -> ReadOptions {
        ReadOptions { $0.onError = policy }
    }

    /// All chunks, and the error after them.
    private func chunks(_ reader: RecordReader) -> ([RecordChunk], JSONError?) {
        var chunks: [RecordChunk] = []
        do {
            while let chunk = try reader.next() { chunks.append(chunk) }
            return (chunks, nil)
        } catch {
            return (chunks, error as? JSONError)
        }
    }

    @Test("A reject longer than its limit has its offset, its length and its first bytes")
    func whatIsDroppedKeepsItsPlace() throws {
        let long = String(repeating: "x", count: 17 << 20)
        let text = "[1,\"\(long)\",3]"
        for size in [1 << 18, 4096] {
            let (read, failure) = chunks(
                RecordReader(from: PieceSource(Array(text.utf8), every: size), options: options()))
            let rejects = read.flatMap(\.rejects)
            #expect(failure == nil && rejects.count == 1)
            #expect(rejects.first?.offset == 3 && rejects.first?.length == long.utf8.count + 2)
            #expect(rejects.first?.raw.count == ReadLimits().rejectedBytes)
            #expect(read.flatMap { $0.map(\.number) } == [1, 3])
        }
        var none = options()
        none.limits.rejectedBytes = 0
        #expect(chunks(RecordReader(from: .text(text), options: none)).0.flatMap(\.rejects).first?.raw == [])
    }

    @Test("All bytes between two valid records are in rejects")
    func nothingIsDroppedWithoutAReject() throws {
        var options = options()
        options.limits.string = 10
        let text = #"[{"id":1},{"id":"xxxxxxxxxxxxxxxxxxxx","b":]},{"id":3}]"#
        let (read, _) = chunks(RecordReader(from: .text(text), options: options))
        let rejects = read.flatMap(\.rejects)
        let cut = rejects.reduce(into: Set<Int>()) { $0.formUnion($1.offset..<$1.offset + $1.length) }
        #expect(cut.isSuperset(of: 10..<45))
        #expect(read.flatMap { $0.map(\.number) } == [1, 3])
    }

    @Test("A source that is shorter than the checkpoint, or missing, is an error")
    func aSourceThatHasBecomeShorterIsNoticed() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n".utf8, to: "f.ndjson")
        let checkpoint = try #require(chunks(RecordReader(from: .file(path))).0.last).checkpoint
        _ = try folder.write("{\"a\":1}\n".utf8, to: "f.ndjson")
        for source in [FileSource(path) as any ByteSource, MemorySource("{\"a\":1}\n".utf8, name: path)] {
            let (read, failure) = chunks(RecordReader(from: [source], resumingAt: checkpoint))
            #expect(read.isEmpty && failure?.code == .sourceChanged)
        }
        let (_, failure) = chunks(RecordReader(from: [], resumingAt: checkpoint))
        #expect(failure?.code == .sourceChanged)
    }

    @Test("No record follows a checkpoint at the end of the source")
    func aCheckpointAtTheEndIsTheEnd() throws {
        for text in [#"{"a":1}"#, " 7 ", #"[{"i":1},{"i":2"#, #"[1]"#, #"{"rows":[{"a":1}]}"#] {
            let (read, _) = chunks(RecordReader(from: .text(text), options: options()))
            let last = try #require(read.last?.checkpoint)
            let (again, failure) = chunks(RecordReader(from: .text(text), options: options(), resumingAt: last))
            #expect(failure == nil && again.flatMap(\.rejects).isEmpty && again.allSatisfy(\.isEmpty), "\(text)")
        }
    }

    @Test("A checkpoint deeper than the depth limit can be resumed without a crash")
    func aCheckpointDeeperThanTheLimit() throws {
        let text = "{\"a\":{\"b\":{\"c\":[1,2]}}}"
        let path: RecordPath = ".a.b.c[]"
        var options = options()
        options.chunkRecords = 1
        options.paths = [path]
        let first = try #require(chunks(RecordReader(from: .text(text), options: options)).0.first?.checkpoint)
        options.limits.depth = 1
        let (read, _) = chunks(RecordReader(from: .text(text), options: options, resumingAt: first))
        #expect(read.count <= 1)
    }

    @Test("A value of another type on a path is remembered as a failure")
    func aWrongTypeOnTheWayIsRemembered() throws {
        for text in [#"{"address":"Paris"}"#, #"{"address":["Paris"]}"#, #"{"address":7}"#] {
            let record = try record(text)
            let city: String? = record["address"]["city"]
            #expect(city == nil && record.failure?.code == .convertType && record.failure?.path == "$[0].address")
        }
        for text in [#"{"address":null}"#, "{}", #"{"address":{}}"#] {
            let record = try record(text)
            let city: String? = record["address"]["city"]
            #expect(city == nil && record.failure == nil)
        }
        let obstructed = try record(#"{"address":"Paris","name":"x"}"#)
        var values = ProjectedValues()
        Projection(["name", "address.city.name"]).project(obstructed, into: &values)
        let name: String? = values[0]
        let city: String? = values[1]
        #expect(name == "x" && city == nil && obstructed.failure?.path == "$[0].address")
    }

    @Test("A number that a Decimal cannot hold is a failure, never NaN")
    func decimalsAreNeverNaN() throws {
        for exponent in [127, 128, 130, 165, 200, -128, -129, -200] {
            let record = try record(#"{"n":1e\#(exponent)}"#)
            let value: Decimal? = record["n"]
            #expect((value == nil) == (record.failure != nil) && value?.isNaN != true, "\(exponent)")
        }
    }

    #if Gzip
        @Test("The records before damage in a gzip stream are delivered")
        func whatPrecedesDamageIsGiven() throws {
            let lines = (0..<2000).map { "{\"i\":\($0)}\n" }.joined()
            var bytes = Compressor.gzip.compress(Array(lines.utf8))
            bytes[bytes.count - 6] ^= 1
            let (read, failure) = chunks(RecordReader(from: PieceSource(bytes, every: 100_000)))
            #expect(read.reduce(0) { $0 + $1.count } == 2000)
            #expect(failure?.reason.contains("byte \(bytes.count)") == true || failure != nil)
        }
    #endif

    @Test("200,000 rejects are delivered in chunks of about 1,000")
    func manyRejectsComeInManyChunks() throws {
        let text = String(repeating: "x\n", count: 200_000)
        var options = options()
        options.format = .ndjson
        let reader = RecordReader(from: [MemorySource(text.utf8)], options: options)
        var count = 0
        while let chunk = try reader.next() {
            #expect(chunk.rejects.count <= 1001)
            count += chunk.rejects.count
        }
        #expect(count == 200_000)
    }
}
