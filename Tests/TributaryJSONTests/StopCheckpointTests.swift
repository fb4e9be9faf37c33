import Foundation
import Testing
import TributaryJSON
import TributaryTestSupport

/// Reading stops at damage, then resumes after the last chunk with a reader that tolerates the damage.
@Suite struct StopCheckpointTests {
    enum Layout: CaseIterable, Sendable {
        case array, underAKey, members, lines

        var options: ReadOptions {
            var options = ReadOptions()
            options.format = self == .lines ? .ndjson : .json
            switch self {
            case .array: options.paths = ["[]"]
            case .underAKey: options.paths = [".users[]"]
            case .members: options.paths = ["{}"]
            case .lines: break
            }
            return options
        }

        func text(_ records: [String], _ blanks: String) -> String {
            switch self {
            case .array: "[\(blanks)" + records.joined(separator: ",\(blanks)") + "]"
            case .underAKey: "{\"users\":[\(blanks)" + records.joined(separator: ",\(blanks)") + "]}"
            case .members:
                "{\(blanks)" + records.enumerated().map { "\"k\($0)\":\($1)" }.joined(separator: ",\(blanks)") + "}"
            case .lines: records.map { $0 + "\n" }.joined()
            }
        }
    }

    private static let damage = ["{\"id\":x}", "{\"id\" 5}", "{\"id\":tru}", "{\"id\":[1,,2]}", "{\"id\":01}", "x"]
    /// Byte order marks and blanks before a text.
    private static let fronts = ["", "\u{FEFF}", "\n \r\n\t ", "\u{FEFF}\n  \n"]

    private static func record(_ number: Int) -> String { "{\"id\":\(number),\"name\":\"n\(number)\"}" }

    /// The checkpoint of the last chunk before the error, and the number of records up to it.
    private func stop(_ source: PieceSource, _ options: ReadOptions) throws -> (Checkpoint, records: Int)? {
        let reader = RecordReader(from: [source], options: options)
        var last: (Checkpoint, records: Int)?
        do {
            while let chunk = try reader.next() { last = (chunk.checkpoint, (last?.records ?? 0) + chunk.count) }
            return nil
        } catch is JSONError {
            return last
        }
    }

    /// Reads a text in one pass, and with a stop at the first damage.
    private func check(
        _ text: String, _ options: ReadOptions, _ policy: ErrorPolicy, piece: Int, damaged: ClosedRange<Int>,
        _ place: String
    ) throws {
        let place = "\(place), \(policy), \(options.chunkRecords) a chunk, pieces of \(piece): \(text.debugDescription)"
        let source = PieceSource(Array(text.utf8), every: piece)
        var options = options
        options.onError = policy
        let whole = Reading([source], options)
        #expect(whole.failure == nil && damaged.contains(whole.rejects.count), "\(place)")
        options.onError = .stop
        let (checkpoint, seen) = try #require(try stop(source, options), "\(place)")
        let stored = try JSONDecoder().decode(Checkpoint.self, from: try JSONEncoder().encode(checkpoint))
        options.onError = policy
        let rest = Reading([source], options, from: stored)
        #expect(rest.failure == nil, "\(place): \(String(describing: rest.failure))")
        #expect(rest.records == Array(whole.records.dropFirst(seen)), "\(place)")
        #expect(rest.places == Array(whole.places.dropFirst(seen)), "\(place)")
        #expect(rest.rejects.map(\.jsonLine) == whole.rejects.map(\.jsonLine), "\(place)")
    }

    @Test(
        "After a stop at a damaged record, resuming past it yields the same records",
        arguments: Layout.allCases, [0, 1, 5])
    func theDamagedRecordIsMetAgain(_ layout: Layout, _ index: Int) throws {
        for (front, damage) in zip(Self.fronts + Self.fronts, Self.damage + Self.damage) {
            var records = (1...6).map(Self.record)
            records[index] = damage
            let text = front + layout.text(records, "\n ")
            for (chunk, piece) in [(1, 1000), (2, 7), (100, 1000), (100, 1)] {
                var options = layout.options
                options.chunkRecords = chunk
                for policy in [ErrorPolicy.skip, .quarantine] {
                    try check(text, options, policy, piece: piece, damaged: 1...1, "\(layout), record \(index + 1)")
                }
            }
        }
    }

    /// The first record is often damaged, and two damaged records may be one reject.
    @Test("After a stop, resuming past several damaged records yields the same records", arguments: Layout.allCases)
    func thereMayBeMoreOfThem(_ layout: Layout) throws {
        var random = SeededGenerator.sampled(7_300)
        for round in 0..<40 {
            var records = (1...1 + random.below(9)).map(Self.record)
            let first = random.once(in: 2) ? 0 : random.below(records.count)
            let wrong = stride(from: first, to: records.count, by: 2 + random.below(2)).map { $0 }
            for index in wrong { records[index] = random.pick(Self.damage) }
            var options = layout.options
            options.chunkRecords = random.pick([1, 2, 3, 100])
            let text = random.pick(Self.fronts) + layout.text(records, random.pick(["", " ", "\n"]))
            try check(
                text, options, random.pick([.skip, .quarantine]), piece: random.pick([1, 2, 5, 40, 1000]),
                damaged: 1...wrong.count, "\(layout), seed \(random.seed), round \(round)")
        }
    }
}
