/// Infers the layout of values and records from the first bytes of a source.
struct ShapeDetector {
    /// Whether the sample still grows.
    enum SampleState {
        /// More bytes may follow soon: the detector waits until the sample is large.
        case growing
        /// The source pauses: the detector decides only what no further bytes can change.
        case paused
        /// No more bytes follow.
        case complete
    }

    /// The size of the sample at which the detector decides without waiting for more.
    static let largestSample = 1 << 20

    let sample: UnsafeRawBufferPointer
    let state: SampleState
    let name: String
    /// The options of the reader, whose format and paths may be given.
    let options: ReadOptions

    private var isFinal: Bool { state == .complete }
    private var limits: ReadLimits { options.limits.forExamining }
    private var canWait: Bool { !isFinal && sample.count < ShapeDetector.largestSample }

    /// The shape, or nil if more bytes are needed.
    func detect() throws -> RecordShape? {
        func shape(_ framing: RecordShape.Framing, _ path: RecordPath) -> RecordShape {
            RecordShape(framing: framing, paths: options.paths ?? [path], isDetected: false)
        }
        switch options.format {
        case .array: return shape(.text, .elements)
        case .object: return shape(.text, .root)
        case .ndjson: return shape(.lines, .root)
        case .concat: return shape(.gluedValues, .root)
        case .json:
            if options.paths != nil { return shape(.text, .root) }
            return try locate(framing: .text)
        case .auto:
            guard let framing = try state == .paused ? framingAtPause() : framing() else { return nil }
            if let paths = options.paths { return RecordShape(framing: framing, paths: paths, isDetected: true) }
            return try locate(framing: framing)
        }
    }

    // MARK: Framing

    private var first: Int? { sample.firstIndex { !$0.isJSONBlank } }

    /// How values follow one another, or nil if more bytes are needed.
    private func framing() -> RecordShape.Framing? {
        guard let first else { return canWait ? nil : .lines }
        // The texts of a sequence may have several lines each.
        if sample[0] == TextSequenceStream.replacement { return .values }
        var tokenizer = Tokenizer(sample, at: first, isFinal: isFinal, limits: limits)
        do {
            while tokenizer.expectation != .nothing {
                guard try tokenizer.next() != nil else { return framingOfUnfinished(first) }
            }
        } catch {
            return error.code == .syntaxTruncated ? framingOfUnfinished(first) : framingOfDamaged(first)
        }
        return framing(after: tokenizer.position, first: first)
    }

    /// The framing if the first value exceeds the sample.
    private func framingOfUnfinished(_ first: Int) -> RecordShape.Framing? {
        let isArray = sample[first] == UInt8(ascii: "[")
        if canWait, !(isArray && sample.count >= 64 << 10) { return nil }
        if isArray { return .text }
        // An object that exceeds the sample is a text of its own if it holds records; if not, it may be the first of
        // several values.
        return hasLinesName ? .lines : holdsRecords ? .text : .values
    }

    private var holdsRecords: Bool {
        guard let survey = ObjectSurvey(sample, isFinal: false, limits) else { return false }
        return !survey.arrays.isEmpty || survey.isUniform
    }

    /// The likely framing if the first value is not JSON.
    private func framingOfDamaged(_ first: Int) -> RecordShape.Framing? {
        if sample[first] == UInt8(ascii: "[") { return .text }
        if hasLinesName { return .lines }
        // Either the first line of NDJSON is damaged, or the first bracket of an array: the next lines decide.
        let lines = sample[first...].split(separator: UInt8(ascii: "\n")).dropFirst().prefix(8).filter { line in
            line.first { !$0.isJSONBlank } == UInt8(ascii: "{")
        }
        let ends = lines.compactMap { line in line.last { !$0.isJSONBlank } }
        guard !ends.isEmpty, ends.allSatisfy({ $0 == UInt8(ascii: "}") }) else { return .text }
        // A single text that is broken into lines has no line that is a value by itself.
        return lines.contains(where: isValue) ? .lines : .text
    }

    private func isValue(_ line: UnsafeRawBufferPointer.SubSequence) -> Bool {
        var tokenizer = Tokenizer(UnsafeRawBufferPointer(rebasing: line), isFinal: true, limits: limits)
        return tokenizer.firstFault() == nil
    }

    /// The framing after a first value that ends at `end`, decided by the bytes that follow.
    private func framing(after end: Int, first: Int) -> RecordShape.Framing? {
        let isArray = sample[first] == UInt8(ascii: "[")
        let gap = sample[end...].prefix { $0.isJSONBlank }
        guard gap.endIndex < sample.count else {
            if canWait { return nil }
            if hasLinesName { return .lines }
            if isFinal { return .text }
            // A slow source has delivered one value so far.
            return isArray
                ? .text : gap.contains(UInt8(ascii: "\n")) && !isOnSeveralLines(first..<end) ? .lines : .values
        }
        let next = sample[gap.endIndex]
        if isArrayOfObjects(first), !hasLinesName { return .text }
        // The first bracket of an array is missing.
        if next == UInt8(ascii: ",") { return .text }
        // An array on a line of its own may be one of several lines.
        let isLine = gap.contains(UInt8(ascii: "\n")) && !isOnSeveralLines(first..<end)
        if isArray, next != UInt8(ascii: "["), !(isLine && next == UInt8(ascii: "{")) { return .text }
        if isArray, gap.isEmpty { return .text }
        return isLine ? .lines : .values
    }

    /// How values follow one another, if that is certain while the source pauses; else nil.
    private func framingAtPause() throws -> RecordShape.Framing? {
        guard let first else { return nil }
        if isArrayOfObjects(first), !hasLinesName { return .text }
        var tokenizer = Tokenizer(sample, at: first, isFinal: false, limits: limits)
        while tokenizer.expectation != .nothing {
            guard let token = try? tokenizer.next(), token.range.upperBound > first else { return nil }
        }
        let end = tokenizer.position
        guard sample[end...].prefix(while: \.isJSONBlank).contains(UInt8(ascii: "\n")) else { return nil }
        // A single object may hold the records; the first of several objects is a record.
        if options.paths == nil, sample[first] == UInt8(ascii: "{") {
            let whole = ShapeDetector(sample: sample, state: .complete, name: name, options: options)
            guard try whole.locate(framing: .text)?.paths == [.root] else { return nil }
        }
        return isOnSeveralLines(first..<end) ? .values : .lines
    }

    /// Whether an array of objects begins at `first`, unlike a line of NDJSON that is a row of a table.
    private func isArrayOfObjects(_ first: Int) -> Bool {
        sample[first] == UInt8(ascii: "[")
            && sample[(first + 1)...].first(where: { !$0.isJSONBlank }) == UInt8(ascii: "{")
    }

    private func isOnSeveralLines(_ range: Range<Int>) -> Bool { sample[range].contains(UInt8(ascii: "\n")) }

    /// Whether the name has an extension of NDJSON.
    private var hasLinesName: Bool {
        var name = name.lowercased()
        for ending in [".gz", ".zst", ".bz2", ".xz"] where name.hasSuffix(ending) { name.removeLast(ending.count) }
        return [".ndjson", ".jsonl", ".ldjson", ".jsonlines"].contains { name.hasSuffix($0) }
    }

    // MARK: Path

    /// The shape with the inferred path of the records.
    private func locate(framing: RecordShape.Framing) throws -> RecordShape? {
        func found(_ path: RecordPath) -> RecordShape { RecordShape(framing: framing, paths: [path], isDetected: true) }
        guard framing == .text, let first else { return found(.root) }
        switch sample[first] {
        case UInt8(ascii: "["): return found(.elements)
        case UInt8(ascii: "{"): break
        // Anything else may be an array whose first bracket is missing.
        default: return found(isScalarText(first) ? .root : .elements)
        }
        guard let survey = ObjectSurvey(sample, isFinal: isFinal, limits) else { return found(.elements) }
        if !survey.isComplete, canWait { return nil }
        if survey.isFollowedByComma { return found(.elements) }
        if options.findsAllPlaces, !survey.isUniform || !survey.arrays.isEmpty {
            return RecordShape(framing: framing, paths: survey.arrays + [RecordPath.unmatchable], isDetected: true)
        }
        switch survey.arrays.count {
        case 0: return found(survey.isUniform ? .members : .root)
        case 1: return found(survey.isMostlyRecords ? survey.arrays[0] : .root)
        default:
            var paths: [String] = []
            for path in survey.arrays.map(\.description) where !paths.contains(path) { paths.append(path) }
            throw JSONError(
                .shapeAmbiguous,
                "\(Excerpt.escape(name)) has several arrays of records: \(paths.shortList)",
                hint: "name one of these paths, or . for the whole text as one record")
        }
    }

    private func isScalarText(_ first: Int) -> Bool {
        var tokenizer = Tokenizer(sample, at: first, isFinal: isFinal, limits: limits)
        return (try? tokenizer.next()) != nil
    }
}
