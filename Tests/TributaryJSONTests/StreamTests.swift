import TributaryConcurrency
import Dispatch
import Foundation
import Synchronization
import Testing
import TributaryJSON
import TributaryTestSupport

/// Both ways to consume chunks: the amount that is read ahead, the end of reading, and slow sources.
@Suite struct StreamTests {
    /// An endless array of records that counts the bytes read from it.
    private final class Endless: ByteSource, Sendable {
        let name = "endless"
        let taken = Atomic<Int>(0)
        let opened = Atomic<Int>(0)

        func open() throws -> any ByteStream {
            opened.add(1, ordering: .relaxed)
            return Stream(self)
        }

        private final class Stream: ByteStream {
            private let source: Endless
            init(_ source: Endless) { self.source = source }
            func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
                let start = source.taken.add(buffer.count, ordering: .relaxed).oldValue
                let pattern = Array("{\"id\":1},".utf8)
                for index in 0..<buffer.count {
                    let place = start + index
                    buffer[index] = place == 0 ? UInt8(ascii: "[") : pattern[(place - 1) % pattern.count]
                }
                return buffer.count
            }
        }
    }

    /// A source that delivers a piece, then waits until it is cancelled.
    private final class Halting: ByteSource, Sendable {
        let name = "halting"
        private let first: [UInt8]
        private let cancelled = Atomic<Bool>(false)
        var isCancelled: Bool { cancelled.load(ordering: .relaxed) }
        let gate = DispatchSemaphore(value: 0)
        init(_ first: String) { self.first = Array(first.utf8) }

        func open() throws -> any ByteStream { Stream(self) }

        private final class Stream: ByteStream {
            private let source: Halting
            private let given = Guarded(0)
            init(_ source: Halting) { self.source = source }
            func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
                let count = given.withLock { given in
                    let part = source.first[given...].prefix(buffer.count)
                    buffer.copyBytes(from: part)
                    given += part.count
                    return part.count
                }
                if count > 0 { return count }
                source.gate.wait()
                return 0
            }
            func cancel() {
                source.cancelled.store(true, ordering: .relaxed)
                source.gate.signal()
            }
        }
    }

    @Test("A source is not opened before the first chunk is requested")
    func nothingIsOpenedBeforeTheFirstChunk() {
        let source = Endless()
        _ = RecordReader(from: [source])
        #expect(source.opened.load(ordering: .relaxed) == 0)
    }

    @Test("A slow consumer keeps the reader from reading far ahead")
    func aSlowReaderHoldsTheSourceBack() throws {
        let source = Endless()
        let reader = RecordReader(from: [source], options: ReadOptions { $0.queueBytes = 2 << 20 })
        var used = 0
        // However far the two threads get between these lines, the number of pending bytes is bounded.
        for _ in 0..<200 {
            used += try #require(try reader.next()).reduce(0) { $0 + $1.length + 1 }
            #expect(source.taken.load(ordering: .relaxed) - used < 12 << 20)
        }
        reader.cancel()
        #expect(throws: CancellationError.self) { while try reader.next() != nil {} }
    }

    @Test("Cancelling a reader wakes a thread that waits for a chunk")
    func cancellingWakesAWaitingThread() throws {
        let source = Halting("[1,")
        let reader = RecordReader(from: [source])
        let outcome = Monitor<String?>(nil)
        try WorkerThread.start {
            let result = Result { while try reader.next() != nil {} }
            outcome.update { state in
                if case .failure(let error) = result { state = "\(type(of: error))" } else { state = "an end" }
            }
        }
        reader.cancel()
        #expect(outcome.wait { $0 } == "CancellationError")
    }

    @Test("A complete record is delivered while the source waits for more bytes")
    func aRecordIsDeliveredWhileTheSourceWaits() throws {
        for text in ["{\"a\":1}\n", "[{\"a\":1},", "{\"a\":\n1}\n"] {
            let source = Halting(text)
            let reader = RecordReader(from: [source])
            let chunk = try #require(try reader.next())
            #expect(chunk.count == 1)
            reader.cancel()
            #expect(source.isCancelled)
        }
    }

    @Test("A task iterates over all chunks and sees the counts of bytes and records")
    func asSequenceOfATask() async throws {
        let dump = Dump(.users, count: 5000)
        let reader = RecordReader(from: [MemorySource(dump.bytes)], options: ReadOptions { $0.chunkRecords = 700 })
        var count = 0
        var ids = 0
        for try await chunk in reader {
            #expect(chunk.count <= 700)
            count += chunk.count
            for record in chunk {
                let id: Int = record["id"]
                ids += id
            }
        }
        #expect(count == 5000)
        #expect(ids == 5000 * 5001 / 2)
        #expect(reader.report.records == 5000)
        #expect(reader.report.bytes == dump.bytes.count && reader.report.storedBytes == dump.bytes.count)
    }

    @Test("Cancelling a task ends its iteration and cancels the source")
    func cancellingATaskEndsItsSequence() async throws {
        let source = Halting("{\"a\":1}\n")
        let reader = RecordReader(from: [source])
        let (began, signal) = AsyncStream<Int>.makeStream()
        let task = Task {
            for try await chunk in reader { signal.yield(chunk.count) }
        }
        for await count in began {
            #expect(count == 1)
            break
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(source.isCancelled)
    }

    @Test("Releasing a reader cancels the source")
    func lettingGoOfAReaderEndsIt() throws {
        let source = Halting("{\"a\":1}\n")
        var reader: RecordReader? = RecordReader(from: [source])
        _ = try reader?.next()
        reader = nil
        #expect(source.isCancelled)
    }

    @Test("The records before an error of the source are delivered")
    func whatCameBeforeAnErrorIsDelivered() {
        let failing = PieceSource(
            [Array("{\"a\":1}\n{\"a\":2}\n{\"a\"".utf8)], failure: JSONError(.sourceRead, "the disk has gone"))
        let reading = Reading([failing])
        #expect(reading.records == ["{\"a\":1}", "{\"a\":2}"])
        #expect(reading.failure?.reason == "the disk has gone")
    }

    @Test("A chunk has no more records and bytes than its options permit")
    func chunksAreBoundedByRecordsAndBytes() throws {
        let bytes = Dump(.users, count: 3000).bytes
        for (records, size) in [(1, 1 << 20), (7, 1 << 20), (10_000, 4096), (10_000, 100_000)] {
            var options = ReadOptions()
            options.chunkRecords = records
            options.chunkBytes = size
            options.bufferBytes = 4096
            let reader = RecordReader(from: [MemorySource(bytes)], options: options)
            var seen = 0
            while let chunk = try reader.next() {
                #expect(chunk.count <= records)
                #expect(chunk.reduce(0) { $0 + $1.length } <= size + 8192)
                for record in chunk {
                    seen += 1
                    #expect(record.number == seen)
                }
            }
            #expect(seen == 3000)
        }
    }

    @Test("A record that is larger than a chunk is read completely")
    func aRecordLargerThanItsChunk() throws {
        let long = String(repeating: "x", count: 300_000)
        let text = "[{\"a\":1},{\"b\":\"\(long)\",\"c\":[1,{\"d\":\"\\n\"}]},{\"a\":3}]"
        for (chunk, piece) in [(4096, 1000), (4096, 70_000), (100_000, 4096)] {
            let reading = Reading([PieceSource(Array(text.utf8), every: piece)], ReadOptions { $0.chunkBytes = chunk })
            #expect(reading.records == ["{\"a\":1}", "{\"b\":\"\(long)\",\"c\":[1,{\"d\":\"\\n\"}]}", "{\"a\":3}"])
        }
    }

    @Test("A file and a pipe are read with the same records as memory")
    func pipesAndFiles() throws {
        let folder = try TemporaryFolder()
        let bytes = Dump(.users, count: 500).bytes
        let path = try folder.write(bytes, to: "users.json")
        let expected = Reading(MemorySource(bytes)).records
        #expect(Reading(FileSource(path)).records == expected)
        let pipe = Pipe()
        try WorkerThread.start {
            try? pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
            try? pipe.fileHandleForWriting.close()
        }
        #expect(Reading(DescriptorSource(pipe.fileHandleForReading.fileDescriptor, name: "pipe")).records == expected)
    }

    @Test("A missing file, a folder and an invalid path are errors of opening")
    func sourcesThatCannotBeOpened() {
        #expect(Reading(FileSource("/nowhere/at-all.json")).failure?.code == .sourceOpen)
        #expect(
            Reading(FileSource("/nowhere/at-all.json")).failure?.reason
                == "/nowhere/at-all.json: No such file or directory")
        let folder = Reading(FileSource("/tmp")).failure
        #expect(folder?.reason == "/tmp: is a directory")
        #expect(folder?.hint == "name the files in it, as /tmp/*.json")
        #expect(Reading(FileSource("a\u{0}b")).failure?.code == .sourceOpen)
    }

    @Test("Several sources are read in their order, up to one that cannot be opened")
    func severalSourcesInTheirOrder() {
        let reading = Reading([
            MemorySource("[1,2]".utf8, name: "a"), MemorySource("3\n4\n".utf8, name: "b"), MemorySource("".utf8),
            MemorySource("{\"x\":5}".utf8),
        ])
        #expect(reading.records == ["1", "2", "3", "4", "{\"x\":5}"])
        #expect(reading.shapes.count == 4)
        let failing = Reading([MemorySource("[1,2]".utf8), FileSource("/nowhere.json")])
        #expect(failing.records == ["1", "2"])
        #expect(failing.failure?.code == .sourceOpen)
    }
}
