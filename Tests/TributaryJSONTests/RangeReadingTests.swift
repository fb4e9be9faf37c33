import Foundation
import Testing
import TributaryJSON
import TributaryTestSupport

/// Reading a file range by range, compared with reading it as a whole.
@Suite struct RangeReadingTests {
    /// Everything that readers of one file report.
    private struct Result: Equatable {
        var records: [String] = []
        var places: [String] = []
        var duplicateKeys = 0
        var outside = OutsideReport()
        var failure: JSONError?

        mutating func add(_ reader: RecordReader) {
            do {
                while let chunk = try reader.next() {
                    for record in chunk {
                        records.append(record.value.compactText)
                        places.append(
                            "\(record.offset)+\(record.length) \(record.position) #\(record.number) \(record.path)"
                        )
                    }
                }
            } catch {
                failure = error as? JSONError ?? JSONError(.sourceRead, "\(error)")
            }
            duplicateKeys += reader.report.duplicateKeys
            outside = reader.report.outside
        }
    }

    private func whole(_ source: FileSource, _ options: ReadOptions, from checkpoint: Checkpoint? = nil) -> Result {
        var result = Result()
        result.add(RecordReader(from: [source], options: options, resumingAt: checkpoint))
        return result
    }

    /// Plans the ranges of a file; nil if it is not divided.
    private func ranges(
        _ source: FileSource, _ options: ReadOptions, from checkpoint: Checkpoint? = nil,
        _ random: inout SeededGenerator
    ) throws -> [RecordRange]? {
        var planner = RangePlanner(
            source, options: options, startingAt: checkpoint, size: random.pick([64, 192, 1024, 1 << 20]))
        if random.once(in: 3) { planner.usesPortableScan = true }
        guard case .divided(let ranges) = try planner.plan() else { return nil }
        return ranges
    }

    private func ranges(of source: FileSource, size: Int) throws -> [RecordRange] {
        guard case .divided(let ranges) = try RangePlanner(source, options: ReadOptions(), size: size).plan() else {
            return []
        }
        return ranges
    }

    private func read(_ ranges: [RecordRange], _ source: FileSource, _ options: ReadOptions) throws -> Result {
        var result = Result()
        for range in ranges where result.failure == nil {
            let stored = try JSONDecoder().decode(RecordRange.self, from: try JSONEncoder().encode(range))
            try stored.verify(in: source, bufferBytes: options.bufferBytes)
            result.add(RecordReader(from: source, options: options, range: stored))
        }
        return result
    }

    /// A text of any divisible layout, and the options to read it.
    private func text(_ random: inout SeededGenerator) -> ([UInt8], ReadOptions) {
        var options = ReadOptions()
        options.chunkRecords = random.pick([1, 3, 10_000])
        options.bufferBytes = random.pick([1, 64, 100, 1 << 16])
        options.chunkBytes = random.pick([4096, 1 << 20])
        guard random.once(in: 3) else {
            let text = HostileArray(&random)
            (options.format, options.paths) = (.json, [text.path])
            return (text.bytes, options)
        }
        options.format = .ndjson
        var text = random.once(in: 4) ? "\u{FEFF}" : ""
        for _ in 0..<random.pick([1, 5, 60]) {
            var line = ""
            repeat { line = HostileArray.value(&random, 3) } while line.contains("\n")
            text += random.pick(["", "", " ", "\n", "\r\n", "\t\n"]) + line + random.pick(["\n", "\n", "\r\n", " \n"])
        }
        if random.once(in: 3) { text += "{\"last\":1}" }
        return (Array(text.utf8), options)
    }

    @Test("The records of all ranges are those of one reader")
    func rangesMakeTheWhole() throws {
        let folder = try TemporaryFolder()
        var random = SeededGenerator.sampled(10_501)
        var count = 0
        for round in 0..<150 {
            let (bytes, options) = text(&random)
            let source = FileSource(try folder.write(bytes, to: "text.json"))
            let whole = whole(source, options)
            guard let ranges = try ranges(source, options, &random) else { continue }
            count += ranges.count
            let place = "seed \(random.seed), round \(round)"
            #expect(whole.failure == nil, "\(place)")
            #expect(try read(ranges, source, options) == whole, "\(place): \(String(decoding: bytes, as: UTF8.self))")
            #expect(ranges.allSatisfy { $0.stop.map { stop in stop.byte > 0 } ?? true })
        }
        #expect(count > 500)
    }

    @Test("The start of each range is the checkpoint of a reader there")
    func startsAreCheckpoints() throws {
        let folder = try TemporaryFolder()
        var random = SeededGenerator.sampled(10_502)
        for round in 0..<60 {
            var (bytes, options) = text(&random)
            options.chunkRecords = 1
            let source = FileSource(try folder.write(bytes, to: "text.json"))
            guard let ranges = try ranges(source, options, &random) else { continue }
            var checkpoints: [Int: Checkpoint] = [:]
            let reader = RecordReader(from: [source], options: options)
            while let chunk = try reader.next() { checkpoints[chunk.checkpoint.byte] = chunk.checkpoint }
            for range in ranges.dropFirst() {
                // The samples differ, which are only used after damage.
                let known = try #require(checkpoints[range.start.byte], "seed \(random.seed), round \(round)")
                #expect(text(known) == text(range.start), "seed \(random.seed), round \(round)")
            }
        }
    }

    private func text(_ checkpoint: Checkpoint) -> String {
        "\(checkpoint.byte) \(checkpoint.line) \(checkpoint.lineStart) \(checkpoint.record) \(checkpoint.steps) "
            + "\(checkpoint.shape) \(checkpoint.outside.map { "\($0)" } ?? "")"
    }

    @Test("Ranges from a checkpoint make the rest of the file")
    func fromACheckpoint() throws {
        let folder = try TemporaryFolder()
        var random = SeededGenerator.sampled(10_503)
        for round in 0..<40 {
            var (bytes, options) = text(&random)
            options.chunkRecords = 3
            let source = FileSource(try folder.write(bytes, to: "text.json"))
            let reader = RecordReader(from: [source], options: options)
            guard let checkpoint = try reader.next()?.checkpoint,
                let ranges = try ranges(source, options, from: checkpoint, &random)
            else { continue }
            #expect(ranges.first?.start == checkpoint)
            let rest = try read(ranges, source, options)
            #expect(rest == whole(source, options, from: checkpoint), "seed \(random.seed), round \(round)")
        }
    }

    @Test("Ranges of a damaged file are those of one reader, or an error")
    func damage() throws {
        let folder = try TemporaryFolder()
        var random = SeededGenerator.sampled(10_504)
        var errors = 0
        for round in 0..<400 {
            var (bytes, options) = text(&random)
            for _ in 0..<1 + random.below(3) where !bytes.isEmpty {
                let place = random.below(bytes.count)
                switch random.below(4) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(random.pick(Array("\"\\{}[],:\n 1".utf8)), at: place)
                case 2: bytes[place] = random.pick(Array("\"\\{}[],:\n x".utf8) + [0xC3, 0x00])
                default: bytes.removeSubrange(place..<min(bytes.count, place + random.below(40)))
                }
            }
            let source = FileSource(try folder.write(bytes, to: "text.json"))
            let whole = whole(source, options)
            guard let ranges = try ranges(source, options, &random) else { continue }
            let result = try read(ranges, source, options)
            let place = "seed \(random.seed), round \(round): \(String(decoding: bytes, as: UTF8.self))"
            if result.failure == nil { #expect(result == whole, "\(place)") }
            if whole.failure != nil {
                #expect(result.failure != nil, "\(place)")
                errors += 1
            }
        }
        #expect(errors > 100, "seed \(random.seed)")
    }

    @Test("A range that does not end exactly where the next one begins is an error", arguments: [false, true])
    func wrongBorders(_ isLines: Bool) throws {
        let folder = try TemporaryFolder()
        let records = (0..<50).map { "{\"i\":\($0),\"s\":\"a,b\"}" }
        let text = isLines ? records.map { $0 + "\n" }.joined() : "[" + records.joined(separator: " ,\n") + "]"
        let source = FileSource(try folder.write(text.utf8, to: "text.json"))
        let ranges = try ranges(of: source, size: 256)
        let range = ranges[1]
        func code(_ change: (inout Checkpoint) -> Void) -> JSONError.Code? {
            var range = range
            range.stop = range.stop.map { stop in
                var stop = stop
                change(&stop)
                return stop
            }
            var result = Result()
            result.add(RecordReader(from: source, options: ReadOptions(), range: range))
            return result.failure?.code
        }
        #expect(code { _ in } == nil)
        for distance in [-30, -12, -2, -1, 1, 2, 20] {
            #expect(code { $0.byte += distance } == .rangeBorder, "\(distance)")
        }
        #expect(code { $0.record += 1 } == .rangeBorder)
        #expect(code { $0.line += 1 } == .rangeBorder)
        #expect(code { $0.lineStart -= 1 } == .rangeBorder)
        #expect(code { $0.steps = [.index(3)] } == .rangeBorder)
    }

    @Test("A range of another file with the same name is refused, and so is a shorter file")
    func anotherFile() throws {
        let folder = try TemporaryFolder()
        let text = "[" + (0..<50).map { "{\"i\":\($0)}" }.joined(separator: ",") + "]"
        let source = FileSource(try folder.write(text.utf8, to: "text.json"))
        let ranges = try ranges(of: source, size: 64)
        #expect(ranges.count > 4)
        for range in ranges {
            var changed = Array(text.utf8)
            changed[range.start.byte + 5] ^= 1
            _ = try folder.write(changed, to: "text.json")
            #expect(throws: JSONError.self) { try range.verify(in: source) }
            for other in ranges where other != range { try other.verify(in: source) }
        }
        _ = try folder.write(text.utf8.dropLast(3), to: "text.json")
        let last = try #require(ranges.last)
        #expect { try last.verify(in: source) } throws: { ($0 as? JSONError)?.code == .sourceChanged }
        _ = try folder.write(text.utf8.prefix(100), to: "text.json")
        let reader = RecordReader(from: source, options: ReadOptions(), range: ranges[1])
        #expect { while try reader.next() != nil {} } throws: { ($0 as? JSONError)?.code == .sourceChanged }
    }
}
