/// Finds out from the first bytes of a source how its values and records are laid out.
struct ShapeDetector {
    /// How long more bytes are waited for.
    enum Patience {
        /// Until the sample is large.
        case full
        /// The source makes a pause: nothing is decided that more bytes could turn.
        case pause
        /// There will be no more.
        case none
    }

    /// What the reader was told.
    struct Wish: Sendable {
        var format = RecordFormat.auto
        /// The paths, if they were given.
        var paths: [RecordPath]?
    }

    /// How many bytes are looked at before the detector makes do with what it has seen.
    static let largestSample = 1 << 20

    let sample: UnsafeRawBufferPointer
    /// Whether the sample is the whole text.
    let isFinal: Bool
    /// How long more bytes are waited for.
    let patience: Patience
    let name: String
    let wish: Wish

    private var isPatient: Bool { !isFinal && patience != .none && sample.count < ShapeDetector.largestSample }

    /// The shape, or nil if more bytes are needed.
    ///
    /// - Throws: a `JSONError` if several places could hold the records.
    func detect() throws -> RecordShape? {
        func shape(_ framing: RecordShape.Framing, _ path: RecordPath) -> RecordShape {
            RecordShape(framing: framing, paths: wish.paths ?? [path], isDetected: false)
        }
        switch wish.format.kind {
        case .array: return shape(.text, .elements)
        case .object: return shape(.text, .root)
        case .ndjson: return shape(.lines, .root)
        case .concat: return shape(.gluedValues, .root)
        case .json:
            if wish.paths != nil { return shape(.text, .root) }
            return try place(framing: .text)
        case .auto:
            guard let framing = try patience == .pause ? framingAtPause() : framing() else { return nil }
            if let paths = wish.paths { return RecordShape(framing: framing, paths: paths, isDetected: true) }
            return try place(framing: framing)
        }
    }

    // MARK: Framing

    private var first: Int? { sample.firstIndex { !$0.isJSONBlank } }

    /// How values follow one another, or nil if more bytes are needed.
    private func framing() -> RecordShape.Framing? {
        guard let first else { return isPatient ? nil : .lines }
        var tokenizer = Tokenizer(sample, at: first, isFinal: isFinal, limits: ReadLimits())
        do {
            while tokenizer.expectation != .nothing {
                guard try tokenizer.next() != nil else { return framingOfUnfinished(first) }
            }
        } catch {
            return error.code == .syntaxTruncated ? framingOfUnfinished(first) : framingOfDamaged(first)
        }
        return framing(behind: tokenizer.position, first: first)
    }

    /// The first value goes on behind the sample.
    private func framingOfUnfinished(_ first: Int) -> RecordShape.Framing? {
        let isArray = sample[first] == UInt8(ascii: "[")
        if isPatient, !(isArray && sample.count >= 64 << 10) { return nil }
        if isArray { return .text }
        // One object that is larger than the sample: if it holds records, it is a text of its own; if not, it may be
        // the first of several.
        return hasLinesName ? .lines : holdsRecords ? .text : .values
    }

    private var holdsRecords: Bool {
        guard let survey = ObjectSurvey(sample, isFinal: false) else { return false }
        return !survey.arrays.isEmpty || survey.isUniform
    }

    /// The first value is not JSON: guess what it was meant to be.
    private func framingOfDamaged(_ first: Int) -> RecordShape.Framing? {
        if sample[first] == UInt8(ascii: "[") { return .text }
        if hasLinesName { return .lines }
        // NDJSON whose first line is damaged, or an array whose first bracket is: the lines behind it tell.
        let lines = sample[first...].split(separator: UInt8(ascii: "\n")).dropFirst().prefix(8).filter { line in
            line.first { !$0.isJSONBlank } == UInt8(ascii: "{")
        }
        let ends = lines.compactMap { line in line.last { !$0.isJSONBlank } }
        guard !ends.isEmpty, ends.allSatisfy({ $0 == UInt8(ascii: "}") }) else { return .text }
        // A text that only happens to be broken into lines has none that stands for itself.
        return lines.contains(where: isValue) ? .lines : .text
    }

    /// Whether a line is one whole value.
    private func isValue(_ line: UnsafeRawBufferPointer.SubSequence) -> Bool {
        var tokenizer = Tokenizer(UnsafeRawBufferPointer(rebasing: line), isFinal: true, limits: ReadLimits())
        do {
            while try tokenizer.next() != nil {}
            return true
        } catch {
            return false
        }
    }

    /// The first value ends before `end`; what follows tells.
    private func framing(behind end: Int, first: Int) -> RecordShape.Framing? {
        let isArray = sample[first] == UInt8(ascii: "[")
        let gap = sample[end...].prefix { $0.isJSONBlank }
        guard gap.endIndex < sample.count else {
            if isPatient { return nil }
            if hasLinesName { return .lines }
            if isFinal { return .text }
            // A slow source has sent one value so far.
            return isArray
                ? .text : gap.contains(UInt8(ascii: "\n")) && !isOnSeveralLines(first..<end) ? .lines : .values
        }
        let next = sample[gap.endIndex]
        if isArrayOfObjects(first), !hasLinesName { return .text }
        // An array that has lost its first bracket.
        if next == UInt8(ascii: ",") { return .text }
        // A line that is an array of something else may stand among others.
        let isLine = gap.contains(UInt8(ascii: "\n")) && !isOnSeveralLines(first..<end)
        if isArray, next != UInt8(ascii: "["), !(isLine && next == UInt8(ascii: "{")) { return .text }
        if isArray, gap.isEmpty { return .text }
        return isLine ? .lines : .values
    }

    /// How values follow one another, as far as that is certain while the source makes a pause.
    private func framingAtPause() throws -> RecordShape.Framing? {
        guard let first else { return nil }
        if isArrayOfObjects(first), !hasLinesName { return .text }
        var tokenizer = Tokenizer(sample, at: first, isFinal: false, limits: ReadLimits())
        while tokenizer.expectation != .nothing {
            guard let token = try? tokenizer.next(), token.range.upperBound > first else { return nil }
        }
        let end = tokenizer.position
        guard sample[end...].prefix(while: \.isJSONBlank).contains(UInt8(ascii: "\n")) else { return nil }
        // Alone, it may hold the records; followed by others, it is one.
        if wish.paths == nil, sample[first] == UInt8(ascii: "{") {
            let whole = ShapeDetector(sample: sample, isFinal: true, patience: .none, name: name, wish: wish)
            guard try whole.place(framing: .text)?.paths == [.root] else { return nil }
        }
        return isOnSeveralLines(first..<end) ? .values : .lines
    }

    /// Whether an array begins at `first` with an object: not a row of a table, as lines can be.
    private func isArrayOfObjects(_ first: Int) -> Bool {
        sample[first] == UInt8(ascii: "[")
            && sample[(first + 1)...].first(where: { !$0.isJSONBlank }) == UInt8(ascii: "{")
    }

    private func isOnSeveralLines(_ range: Range<Int>) -> Bool { sample[range].contains(UInt8(ascii: "\n")) }

    /// Whether the name says that each line is a value.
    private var hasLinesName: Bool {
        var name = name.lowercased()
        for ending in [".gz", ".zst", ".bz2", ".xz"] where name.hasSuffix(ending) { name.removeLast(ending.count) }
        return [".ndjson", ".jsonl", ".ldjson", ".jsonlines"].contains { name.hasSuffix($0) }
    }

    // MARK: Place

    /// Where the records are in a text, or in each of several values.
    private func place(framing: RecordShape.Framing) throws -> RecordShape? {
        func found(_ path: RecordPath) -> RecordShape { RecordShape(framing: framing, paths: [path], isDetected: true) }
        guard framing == .text, let first else { return found(.root) }
        switch sample[first] {
        case UInt8(ascii: "["): return found(.elements)
        case UInt8(ascii: "{"): break
        // What is neither may be an array that has lost its first bracket.
        default: return found(isScalarText(first) ? .root : .elements)
        }
        guard let survey = ObjectSurvey(sample, isFinal: isFinal) else { return found(.elements) }
        if !survey.isComplete, isPatient { return nil }
        if survey.isFollowedByComma { return found(.elements) }
        switch survey.arrays.count {
        case 0: return found(survey.isUniform ? .members : .root)
        case 1: return found(survey.isMostlyRecords ? survey.arrays[0] : .root)
        default:
            var places: [String] = []
            for place in survey.arrays.map(\.description) where !places.contains(place) { places.append(place) }
            throw JSONError(
                .shapeAmbiguous,
                "\(Excerpt.escape(name)) has several arrays of records: \(places.joined(separator: ", "))",
                hint: "name one of these paths, or . for the whole text as one record")
        }
    }

    private func isScalarText(_ first: Int) -> Bool {
        var tokenizer = Tokenizer(sample, at: first, isFinal: isFinal, limits: ReadLimits())
        return (try? tokenizer.next()) != nil
    }
}
