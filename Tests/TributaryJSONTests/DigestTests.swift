import Foundation
import Testing
import TributaryJSON
import TributaryTestSupport

/// Hashes of sources, which detect that a source has changed before reading resumes.
@Suite struct DigestTests {
    @Test("The hash of a source does not depend on how its bytes are split")
    func cutsDoNotMatter() {
        var generator = SeededGenerator(seed: 11)
        let bytes = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        for length in [0, 1, 7, 8, 9, 15, 16, 17, 4999, 5000] {
            var whole = ByteDigest()
            whole.update(Array(bytes[..<length]))
            for _ in 0..<20 {
                var cut = ByteDigest()
                var start = 0
                while start < length {
                    let end = min(length, start + Int.random(in: 0...40, using: &generator))
                    cut.update(Array(bytes[start..<end]))
                    _ = cut.value
                    start = end
                }
                #expect(cut.value == whole.value && cut.count == length)
            }
            #expect(whole.text.count == 16)
        }
    }

    @Test("Each bit and each length of a text changes the hash")
    func eachBitMatters() {
        let bytes = [UInt8](repeating: 0, count: 40)
        var seen: Set<UInt64> = []
        for length in 0...40 {
            var digest = ByteDigest()
            digest.update(Array(bytes[..<length]))
            #expect(seen.insert(digest.value).inserted, "zeros of length \(length)")
        }
        for bit in 0..<320 {
            var changed = bytes
            changed[bit / 8] = 1 << UInt8(bit % 8)
            var digest = ByteDigest()
            digest.update(changed)
            #expect(seen.insert(digest.value).inserted, "bit \(bit)")
        }
    }

    private var options: ReadOptions {
        var options = ReadOptions()
        options.digests = true
        options.chunkRecords = 3
        return options
    }

    /// Reads everything; returns a checkpoint and a mark after each chunk.
    private func marks(_ source: some ByteSource) throws -> [(Checkpoint, DigestMark?)] {
        let reader = RecordReader(from: [source], options: options)
        var marks: [(Checkpoint, DigestMark?)] = []
        while let chunk = try reader.next() {
            marks.append((chunk.checkpoint, reader.digest(before: chunk.checkpoint)))
        }
        return marks
    }

    private func rest(_ source: some ByteSource, _ mark: (Checkpoint, DigestMark?)) throws -> Int {
        let reader = RecordReader(from: [source], options: options, resumingAt: mark.0, expected: mark.1)
        var count = 0
        while let chunk = try reader.next() { count += chunk.count }
        return count
    }

    @Test(
        "A source that is not a file resumes only if its earlier bytes are the same",
        arguments: [1, 64, 5000, 1 << 20])
    func goingOnInTheSameStream(_ size: Int) throws {
        let bytes = Dump(.users, count: 40).bytes
        let marks = try marks(PieceSource(bytes, every: size))
        #expect(marks.count >= 13)
        for (index, mark) in marks.enumerated() {
            // The mark is close to the checkpoint.
            let byte = try #require(mark.1?.byte)
            #expect(byte <= mark.0.byte && mark.0.byte - byte <= max(64, mark.0.byte / 8))
            let left = try rest(PieceSource(bytes, every: 77), mark)
            #expect(left == max(0, 40 - 3 * (index + 1)))
            var changed = bytes
            changed[byte / 2] ^= 1
            #expect { try self.rest(PieceSource(changed, every: 99), mark) } throws: { error in
                (error as? JSONError)?.code == .sourceChanged && "\(error)".contains("import it again from the start")
            }
            #expect(throws: JSONError.self) { try self.rest(MemorySource(bytes[..<(byte / 2)]), mark) }
        }
    }

    @Test("A plain file resumes with its digest and has the hash of all its bytes; without the option there is none")
    func filesGoOn() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Dump(.users, count: 40).bytes, to: "users.json")
        let marks = try marks(FileSource(path))
        let whole = try FileSource(path).digest(upTo: nil, ReadLimits(), TextConversion())
        for (index, mark) in marks.enumerated() {
            let rest = RecordReader(
                from: [FileSource(path)], options: options, resumingAt: mark.0, expected: mark.1)
            var count = 0
            while let chunk = try rest.next() { count += chunk.count }
            #expect(count == max(0, 40 - 3 * (index + 1)))
            let end = try #require(rest.digest(ofSource: 0))
            #expect(end.hash == whole.hash && end.byte == whole.byte)
        }
        let reader = RecordReader(from: [MemorySource("[1]".utf8)], options: ReadOptions())
        let chunk = try #require(try reader.next())
        #expect(reader.digest(before: chunk.checkpoint) == nil)
    }

    #if Gzip
        @Test("A compressed file has the hashes of its decompressed bytes")
        func compressedFilesHaveThem() throws {
            let folder = try TemporaryFolder()
            let bytes = Dump(.users, count: 40).bytes
            let path = try folder.write(Compressor.gzip.compress(bytes), to: "users.json.gz")
            let marks = try marks(FileSource(path))
            #expect(try rest(FileSource(path), marks[4]) == 25)
            // The hashes do not depend on the compression.
            let plain = try self.marks(MemorySource(bytes))
            #expect(plain.map(\.1) == marks.map(\.1))
        }
    #endif
}
