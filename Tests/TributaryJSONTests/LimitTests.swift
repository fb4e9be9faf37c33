import Testing
import TributaryJSON
import TributaryTestSupport

/// Each limit just below, at, and just above it: only the record beyond the limit is rejected.
@Suite struct LimitTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let code: JSONError.Code
        let limit: Int
        let set: @Sendable (inout ReadLimits, Int) -> Void
        /// A record of the given size.
        let record: @Sendable (Int) -> String
        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(name: "depth", code: .limitDepth, limit: 6, set: { $0.depth = $1 }) { size in
            // The array around the record counts too.
            String(repeating: "[", count: size - 1) + String(repeating: "]", count: size - 1)
        },
        Case(name: "depth in objects", code: .limitDepth, limit: 6, set: { $0.depth = $1 }) { size in
            String(repeating: "{\"a\":", count: size - 1) + "1" + String(repeating: "}", count: size - 1)
        },
        Case(name: "string", code: .limitString, limit: 40, set: { $0.string = $1 }) { size in
            "{\"k\":\"" + String(repeating: "x", count: size) + "\"}"
        },
        Case(name: "string of escapes", code: .limitString, limit: 60, set: { $0.string = $1 }) { size in
            "{\"k\":\"" + String(repeating: "\\u0041", count: size / 6) + String(repeating: "x", count: size % 6)
                + "\"}"
        },
        Case(name: "string record", code: .limitString, limit: 40, set: { $0.string = $1 }) { size in
            "\"" + String(repeating: "x", count: size) + "\""
        },
        Case(name: "key", code: .limitKey, limit: 40, set: { $0.key = $1 }) { size in
            "{\"" + String(repeating: "k", count: size) + "\":1}"
        },
        Case(name: "number", code: .limitNumber, limit: 30, set: { $0.number = $1 }) { size in
            "{\"n\":" + String(repeating: "1", count: size) + "}"
        },
        Case(name: "record", code: .limitRecord, limit: 50, set: { $0.record = $1 }) { size in
            "{\"r\":\"" + String(repeating: "x", count: size - 8) + "\"}"
        },
        Case(name: "keys", code: .limitKeys, limit: 12, set: { $0.keys = $1 }) { size in
            "{" + (0..<size).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"
        },
        Case(name: "keys of an inner object", code: .limitKeys, limit: 12, set: { $0.keys = $1 }) { size in
            "{\"in\":{" + (0..<size).map { "\"k\($0)\":[\($0)]" }.joined(separator: ",") + "}}"
        },
    ]

    private func options(_ item: Case, _ format: RecordFormat) -> ReadOptions {
        var options = ReadOptions()
        options.onError = .quarantine
        options.format = format
        item.set(&options.limits, item.limit)
        return options
    }

    @Test("A record at its limit is accepted, and one just beyond it is rejected", arguments: cases, [1, 7, 1000])
    func atTheBorders(_ item: Case, _ piece: Int) {
        for (delta, isAccepted) in [(-1, true), (0, true), (1, false)] {
            let record = item.record(item.limit + delta)
            let text = "[0,\(record),2]"
            let reading = Reading([PieceSource(Array(text.utf8), every: piece)], options(item, .array))
            #expect(reading.failure == nil)
            #expect(
                reading.records == (isAccepted ? ["0", record, "2"] : ["0", "2"]), "\(item.name) \(delta): \(reading)")
            #expect(reading.rejects.map(\.error.code) == (isAccepted ? [] : [item.code]))
            #expect(reading.rejects.map(\.raw) == (isAccepted ? [] : [Array(record.utf8)]))
            #expect(reading.rejects.first?.record == (isAccepted ? nil : 2))
        }
    }

    @Test("Limits apply to NDJSON and to concatenated values", arguments: cases, [RecordFormat.ndjson, .concat])
    func inOtherFormats(_ item: Case, _ format: RecordFormat) {
        // Here no array is around the record.
        let offset = item.code == .limitDepth ? 1 : 0
        for (delta, isAccepted) in [(-1, true), (0, true), (1, false)] {
            let record = item.record(item.limit + delta + offset)
            let reading = Reading([MemorySource("0\n\(record)\n2\n".utf8)], options(item, format))
            #expect(
                reading.records == (isAccepted ? ["0", record, "2"] : ["0", "2"]), "\(item.name) \(delta): \(reading)")
            #expect(reading.rejects.map(\.error.code) == (isAccepted ? [] : [item.code]))
        }
    }

    @Test("Limits apply to the members of an object of records", arguments: cases)
    func inAnObjectOfRecords(_ item: Case) {
        var options = options(item, .json)
        options.paths = [.members]
        for (delta, isAccepted) in [(-1, true), (0, true), (1, false)] {
            let record = item.record(item.limit + delta)
            let reading = Reading([MemorySource("{\"a\":0,\"b\":\(record),\"c\":2}".utf8)], options)
            #expect(reading.records.count == (isAccepted ? 3 : 2), "\(item.name) \(delta): \(reading)")
            #expect(reading.rejects.map(\.error.code) == (isAccepted ? [] : [item.code]))
        }
    }

    @Test("A reject keeps no more raw bytes than the limit")
    func rawBytesAreCapped() {
        var options = ReadOptions()
        options.onError = .quarantine
        options.limits.rejectedBytes = 10
        options.limits.string = 100
        let long = String(repeating: "x", count: 500_000)
        let reading = Reading([MemorySource("[1,\"\(long)\",3]".utf8)], options)
        #expect(reading.records == ["1", "3"])
        #expect(reading.rejects.map(\.length) == [500_002])
        #expect(reading.rejects.map(\.raw) == [Array("\"xxxxxxxxx".utf8)])
    }

    @Test("A long value outside of the records is an error")
    func somethingLongBetweenTheRecordsEndsTheRun() {
        var options = ReadOptions()
        options.limits.string = 1000
        let long = String(repeating: "x", count: 500_000)
        for piece in [1000, 100_000] {
            let text = Array("{\"meta\":\"\(long)\",\"rows\":[1]}".utf8)
            options.paths = [".rows[]"]
            let reading = Reading([PieceSource(text, every: piece)], options)
            #expect(reading.failure?.code == .limitString)
            #expect(reading.failure?.position?.byte == 8)
        }
    }

    @Test("A source beyond the total limit is an error")
    func theWholeTextCanBeLimited() {
        let options = ReadOptions { $0.limits.total = 10 }
        #expect(Reading("[1,2,3,45]", options).failure == nil)
        #expect(Reading("[1,2,3,456]", options).failure?.code == .limitTotal)
    }

    @Test("An element after more than four billion others has its index")
    func largeIndex() throws {
        let options = ReadOptions { $0.chunkRecords = 1 }
        let source = MemorySource("[1,2,3,4,5]".utf8)
        var checkpoint = try #require(try RecordReader(from: source, options: options).next()).checkpoint
        checkpoint.steps = [.index(1 << 32 - 3)]
        let places = Reading([source], options, from: checkpoint).places
        #expect(places.map { $0.suffix(13) } == (-2...1).map { "(\(1 << 32 + $0))]" })
    }

    @Test("Limits and buffers of any size read the same")
    func extremeSizes() {
        var options = ReadOptions()
        options.onError = .quarantine
        for size in [1 << 32, 1 << 62, Int.max] {
            options.limits.recovery = size
            options.bufferBytes = size
            let reading = Reading("[1,{\"a\":2},{\"a\":x},{\"a\":4}]", options)
            #expect(reading.records == ["1", "{\"a\":2}", "{\"a\":4}"] && reading.failure == nil, "\(size)")
        }
    }

    @Test("The depth limit also applies to values outside of the paths")
    func depthCountsOutsideOfThePaths() {
        var options = ReadOptions()
        options.limits.depth = 4
        options.paths = [".rows[]"]
        #expect(Reading("{\"other\":[[[]]],\"rows\":[1]}", options).records == ["1"])
        #expect(Reading("{\"other\":[[[[]]]],\"rows\":[1]}", options).failure?.code == .limitDepth)
    }
}
