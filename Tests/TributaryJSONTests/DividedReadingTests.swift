import Foundation
import Testing
import TributaryJSON
import TributaryTestSupport

/// Several parsers read the same as one.
@Suite struct DividedReadingTests {
    /// Everything that a reader tells.
    private struct Account: Equatable {
        var records: [String] = []
        var rejects: [String] = []
        var checkpoints: [Int: Checkpoint] = [:]
        var failure: JSONError?
        var report = ""
        var partsAhead = 0

        init(_ sources: [any ByteSource], _ options: ReadOptions, from checkpoint: Checkpoint? = nil) {
            let reader = RecordReader(from: sources, options: options, resumingAt: checkpoint)
            do {
                while let chunk = try reader.next() {
                    for record in chunk {
                        records.append(
                            "\(record.offset)+\(record.length) \(record.position) #\(record.number) \(record.path) "
                                + "\(record.route) \(record.key ?? "-") \(record.duplicateKeys) \(record.value.compactText)"
                        )
                    }
                    rejects += chunk.rejects.map { "\($0)" }
                    if chunk.count == 1 {
                        checkpoints[chunk.checkpoint.source << 40 | chunk.checkpoint.byte] = chunk.checkpoint
                    }
                }
            } catch {
                failure = error as? JSONError ?? JSONError(.sourceRead, "\(error)")
            }
            let found = reader.report
            partsAhead = found.partsAhead
            report =
                "\(found.records) \(found.rejects) \(found.rejectedBytes) \(found.duplicateKeys) \(found.outside) "
                + "\(found.sources) \(failure == nil ? "\(found.bytes)" : "")"
        }

        func difference(from other: Account) -> String {
            for (one, two) in zip(records, other.records) where one != two { return "record \(one) / \(two)" }
            if records.count != other.records.count { return "\(records.count) records / \(other.records.count)" }
            for (one, two) in zip(rejects, other.rejects) where one != two { return "reject \(one) / \(two)" }
            if rejects.count != other.rejects.count { return "\(rejects.count) rejects / \(other.rejects.count)" }
            if failure != other.failure {
                return "failure \(failure.map { "\($0)" } ?? "-") / \(other.failure.map { "\($0)" } ?? "-")"
            }
            if report != other.report { return "report \(report) / \(other.report)" }
            for (byte, checkpoint) in checkpoints {
                if let known = other.checkpoints[byte], text(known) != text(checkpoint) {
                    return "checkpoint \(text(checkpoint)) / \(text(known))"
                }
            }
            return ""
        }

        /// A checkpoint without what depends on the sizes of buffers with one parser, too: what was before its samples,
        /// and the cost of searches.
        private func text(_ checkpoint: Checkpoint) -> String {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            let text = (try? encoder.encode(checkpoint)).map { String(decoding: $0, as: UTF8.self) } ?? ""
            return text.replacing(/"blanks":"[^"]*",?|"isFirst":true,|,"verifiedBytes":[0-9]*/, with: "")
        }
    }

    /// A text of any layout, and the options to read it.
    private func text(_ random: inout SeededGenerator) -> ([UInt8], ReadOptions) {
        var options = ReadOptions()
        switch random.below(8) {
        case 0, 1:
            let text = HostileArray(&random)
            (options.format, options.paths) = (.json, [text.path])
            return (text.bytes, options)
        case 2:
            options.format = .concat
            let values = (0..<random.pick([1, 5, 60])).map { _ in HostileArray.value(&random, 3) }
            return (Array(values.joined(separator: random.pick([" ", "\n", "\n\n", ""])).utf8), options)
        case 3:
            options.paths = random.pick([
                ["[].a[]"], ["[].a[]", "[].b{}"], ["[].a[][]"], ["{}.a[]"], ["[0].a[]"], ["/0/a"],
            ])
            let items = (0..<random.pick([1, 5, 40])).map { index in
                let inner = (0..<random.below(6)).map { _ in "[" + HostileArray.value(&random, 2) + "]" }
                return "{\"n\":\(index),\"a\":[" + inner.joined(separator: ",") + "],\"b\":{\"x\":1,\"y\":{}}}"
            }
            guard options.paths == ["{}.a[]"] else {
                return (Array(("[" + items.joined(separator: ",\n") + "]").utf8), options)
            }
            let members = items.enumerated().map { "\"k\($0)\": \($1)" }
            return (Array(("{" + members.joined(separator: ",") + "}").utf8), options)
        case 4:
            options.format = .ndjson
            options.paths = random.pick([nil, [".a[]"], ["."]])
            let lines = (0..<random.pick([1, 5, 60])).map { _ in
                "{\"a\":[1,{\"b\":2}],\"c\":\(random.below(100))}" + random.pick(["\n", "\r\n", "\n\n", " \n"])
            }
            return (Array(lines.joined().utf8), options)
        default:
            let kind = random.pick(Dump.Kind.allCases)
            switch kind {
            case .firebase: options.paths = [".users{}", ".posts{}"]
            case .trello: options.paths = [".cards[]", ".lists[]"]
            case .couchdb: options.paths = [".rows[].doc"]
            default: break
            }
            return (Dump(kind, count: random.pick([1, 8, 50]), seed: random.next()).bytes, options)
        }
    }

    private func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        for _ in 0..<random.pick([1, 1, 2, 5]) where !bytes.isEmpty {
            let place = random.below(bytes.count)
            switch random.below(5) {
            case 0: bytes.remove(at: place)
            case 1: bytes.insert(random.pick(Array("{}[],:\"\\\n x".utf8)), at: place)
            case 2: bytes[place] = UInt8(random.below(256))
            case 3: bytes[place] = random.pick(Array("{}[],:\"\\\n x".utf8))
            default: if random.once(in: 4) { bytes.removeSubrange(place...) }
            }
        }
    }

    /// The bytes as a slow source delivers them.
    private func pieces(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [[UInt8]] {
        let size = random.pick([1, 10, 100, 1000, 100_000])
        var (pieces, start): ([[UInt8]], Int) = ([], 0)
        while start < bytes.count {
            let end = min(bytes.count, start + 1 + random.below(size))
            pieces.append(Array(bytes[start..<end]))
            start = end
        }
        return pieces
    }

    private func divided(_ options: ReadOptions, _ random: inout SeededGenerator) -> ReadOptions {
        var options = options
        options.parsers = random.pick([2, 3, 7])
        return options
    }

    @Test("Several parsers read the same records, rejects and checkpoints as one", arguments: 0..<8)
    func readTheSame(_ part: UInt64) throws {
        var random = SeededGenerator.sampled(14_001, case: part)
        var partsAhead = 0
        for round in 0..<50 {
            var (bytes, options) = text(&random)
            let isDamaged = random.once(in: 3)
            if isDamaged { damage(&bytes, &random) }
            options.onError = random.pick([.stop, .skip, .quarantine])
            options.chunkRecords = random.pick([1, 1, 3, 10_000])
            options.bufferBytes = random.pick([1, 16, 300, 1 << 16, 1 << 20])
            options.chunkBytes = random.pick([4096, 1 << 20])
            if random.once(in: 6) { options.limits.record = 200 }
            options.parsers = 1
            // Where the layout is looked for depends on the size, too.
            options.stretchBytes = random.pick([1, 20, 100, 1000, 10_000])
            let source = PieceSource(pieces(bytes, &random))
            let one = Account([source], options)
            let several = divided(options, &random)
            let place = "seed \(random.seed), part \(part), round \(round)"
            let account = Account([source], several)
            partsAhead += account.partsAhead
            let difference = account.difference(from: one)
            #expect(
                difference.isEmpty, "\(place): \(several.parsers ?? 0) × \(several.stretchBytes ?? 0): \(difference)")
            guard let checkpoint = one.checkpoints.values.min(by: { $0.byte < $1.byte }) else { continue }
            let rest = Account([source], several, from: checkpoint)
            let other = rest.difference(from: Account([source], options, from: checkpoint))
            #expect(other.isEmpty, "\(place), resumed: \(other)")
        }
        #expect(partsAhead > 0)
    }

    @Test("Several parsers read several sources, one after the other")
    func severalSources() throws {
        let folder = try TemporaryFolder()
        var random = SeededGenerator.sampled(14_002)
        for round in 0..<20 {
            var options = ReadOptions { $0.onError = .skip }
            options.chunkRecords = 1
            options.parsers = 1
            options.stretchBytes = random.pick([20, 300])
            let sources = try (0..<random.pick([2, 5, 9])).map { index -> any ByteSource in
                var bytes = Dump(random.pick([.users, .usersNDJSON]), count: 1 + random.below(30), seed: random.next())
                    .bytes
                if random.once(in: 4) { damage(&bytes, &random) }
                if random.once(in: 2) { return PieceSource(pieces(bytes, &random)) }
                return FileSource(try folder.write(bytes, to: "\(round)-\(index).json"))
            }
            let difference = Account(sources, divided(options, &random)).difference(from: Account(sources, options))
            #expect(difference.isEmpty, "seed \(random.seed), round \(round): \(difference)")
        }
    }
}
