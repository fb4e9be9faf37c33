import Testing
import TributaryJSON
import TributaryTestSupport

/// The borders that the scan finds, compared with those of a slow tokenizer.
@Suite struct RangePlanTests {
    /// The checkpoints after the elements of the array at `begin`, by a loop over all bytes of a valid text.
    private static func elementEnds(_ text: HostileArray) -> [(comma: Int, place: String)] {
        var ends: [(comma: Int, place: String)] = []
        var (depth, line, lineStart, index) = (0, 1, 0, 0)
        var (isInString, isEscaped) = (false, false)
        var last = (byte: 0, line: 1, lineStart: 0)
        for (offset, byte) in text.bytes.enumerated() {
            let isBlank = [0x20, 0x09, 0x0A, 0x0D].contains(byte)
            let isOuter = !isInString && depth == text.depth && offset > text.begin
            if isOuter, byte == UInt8(ascii: ",") {
                ends.append((offset, "\(last.byte) \(last.line) \(last.lineStart) #\(index + 1) [\(index)]"))
                index += 1
            }
            if isEscaped {
                isEscaped = false
            } else if isInString, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            } else if !isInString, "[{".utf8.contains(byte) {
                depth += 1
            } else if !isInString, "]}".utf8.contains(byte) {
                if depth == text.depth, offset > text.begin { return ends }
                depth -= 1
            }
            if byte == UInt8(ascii: "\n") { (line, lineStart) = (line + 1, offset + 1) }
            if !isBlank { last = (offset + 1, line, lineStart) }
        }
        return ends
    }

    private static func place(_ checkpoint: Checkpoint) -> String {
        var index = "?"
        if case .index(let last) = checkpoint.steps.last { index = "\(last)" }
        return "\(checkpoint.byte) \(checkpoint.line) \(checkpoint.lineStart) #\(checkpoint.record) [\(index)]"
    }

    /// For each grid point after the first record: the first element whose comma is at or after it.
    private static func expected(_ text: HostileArray, size: Int) -> [String] {
        let ends = elementEnds(text)
        guard let first = ends.first, let origin = first.place.split(separator: " ").first.flatMap({ Int($0) })
        else { return [] }
        var found: [String] = []
        for begin in stride(from: origin + size, to: text.bytes.count, by: size) {
            guard let end = ends.first(where: { $0.comma >= begin }), end.comma < begin + size else { continue }
            found.append(end.place)
        }
        return found
    }

    @Test("Every border in 1000 hostile arrays is the one of a slow tokenizer, in any form of the scan")
    func bordersAreExact() throws {
        let folder = try TemporaryFolder()
        var random = SeededGenerator.sampled(10_500)
        var borders = 0
        for round in 0..<1000 {
            let text = HostileArray(&random)
            #expect(ReferenceTokenizer.firstFault(in: text.bytes) == nil, "seed \(random.seed), round \(round)")
            let source = FileSource(try folder.write(text.bytes, to: "text.json"))
            var options = ReadOptions()
            (options.format, options.paths) = (.json, [text.path])
            options.bufferBytes = random.pick([64, 128, 320, 1 << 16])
            // The sizes make from 1 to 39 pieces of most texts.
            let size = max(64, (text.bytes.count / (1 + random.below(39)) + 63) / 64 * 64)
            var planner = RangePlanner(source, options: options, size: size)
            if random.once(in: 2) { planner.usesPortableScan = true }
            let outcome = try planner.plan()
            let ranges = if case .divided(let ranges) = outcome { ranges } else { [] as [RecordRange] }
            let place =
                "seed \(random.seed), round \(round), size \(size), \(String(decoding: text.bytes, as: UTF8.self))"
            guard text.count > 0 else {
                #expect(outcome == .undivided(reason: "it has no records"), "\(place)")
                continue
            }
            #expect(!ranges.isEmpty, "\(place)")
            #expect(ranges.dropFirst().map { Self.place($0.start) } == Self.expected(text, size: size), "\(place)")
            #expect(ranges.dropLast().map(\.stop) == ranges.dropFirst().map(\.start), "\(place)")
            #expect(ranges.map(\.number) == Array(ranges.indices) && ranges.last?.stop == nil, "\(place)")
            borders += ranges.count - 1
        }
        #expect(borders > 5000)
    }

    @Test(
        "A file that cannot be divided is left to one reader, with the reason",
        arguments: [
            ("{\"a\":1}", "its layout is a single record"),
            ("{\"x\":{\"i\":1},\"y\":{\"i\":2}}", "its layout is an object of records"),
            ("[]", "it has no records"), ("[x", "its first record cannot be read"),
            ("1 2", "its layout is concatenated records"),
        ])
    func otherLayouts(_ text: String, _ reason: String) throws {
        let folder = try TemporaryFolder()
        let source = FileSource(try folder.write(text.utf8, to: "text.json"))
        #expect(try RangePlanner(source, options: ReadOptions(), size: 64).plan() == .undivided(reason: reason))
    }

    @Test("Options that change the text, or that tolerate damage, leave a file to one reader")
    func otherOptions() throws {
        let folder = try TemporaryFolder()
        let source = FileSource(try folder.write("[{\"a\":[1],\"b\":[2]}]".utf8, to: "text.json"))
        func outcome(_ source: FileSource, _ change: (inout ReadOptions) -> Void) throws -> RangePlanner.Outcome {
            var options = ReadOptions()
            change(&options)
            return try RangePlanner(source, options: options, size: 64).plan()
        }
        guard case .divided(let ranges) = try outcome(source, { _ in }) else {
            Issue.record("it is not divided")
            return
        }
        #expect(ranges.count == 1)
        for change: (inout ReadOptions) -> Void in [
            { $0.conversion.encoding = "latin1" }, { $0.conversion.nonFinite = .null }, { $0.onError = .skip },
            { $0.paths = ["[].a[]", "[].b[]"] }, { $0.paths = ["[].a[]"] }, { $0.paths = ["[0]"] },
            { $0.paths = ["/0"] },
        ] {
            guard case .undivided = try outcome(source, change) else {
                Issue.record("it is divided")
                continue
            }
        }
        let wide = FileSource(try folder.write([0xFF, 0xFE] + "[1,2]".utf8.flatMap { [$0, 0] }, to: "wide.json"))
        #expect(try outcome(wide) { _ in } == .undivided(reason: "it is converted to UTF-8 JSON"))
        #expect(try outcome(FileSource("/dev/null")) { _ in } == .undivided(reason: "it is not a regular file"))
    }
}
