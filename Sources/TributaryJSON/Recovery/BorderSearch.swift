/// Looks behind a damaged part for the place where reading can go on.
///
/// The brackets and quotes of the part itself tell its end, if they are whole. If they are not, anything that looks
/// like the start of another record is tried. Either way the place must prove itself: from there on a whole item,
/// and what follows it, must be JSON that fits into the open containers. That is what keeps an array inside a
/// damaged record from being taken for the records themselves.
struct BorderSearch {
    struct Border {
        /// Where reading goes on.
        let offset: Int
        let expectation: Tokenizer.Expectation
    }

    enum Outcome {
        case found(Border)
        case needsMore
        case none
    }

    private enum Verdict { case good, bad, needsMore }

    let bytes: UnsafeRawBufferPointer
    let damage: Damage
    /// The containers around the part, outermost first.
    let frames: [Tokenizer.Frame]
    /// The containers inside those that are open where the part begins.
    let inner: [Bool]
    let samples: RecordSamples
    let limits: ReadLimits
    let isFinal: Bool
    /// How many bytes must be sound behind a border, if there are so many.
    let lookahead: Int

    /// How many items must be sound behind a border.
    private static let soundItems = 8

    func run() -> Outcome {
        var isOpen = false
        var structural: Border?
        switch structuralBorder() {
        case .found(let border):
            // Quotes that do not pair may carry the scan over many records.
            if samples.isEmpty || border.offset - damage.start <= 4 * max(samples.longest, 1024) { return .found(border) }
            structural = border
        case .needsMore: isOpen = true
        case .none: break
        }
        for usesFirstKeys in samples.firstKeys.isEmpty ? [false] : [true, false] {
            switch likelyBorder(usesFirstKeys: usesFirstKeys) {
            case .found(let border):
                if let structural, structural.offset < border.offset { return .found(structural) }
                return .found(border)
            case .needsMore: isOpen = true
            case .none: break
            }
            if let structural { return .found(structural) }
            // Without the help of first keys only when nothing else is to be hoped for.
            if isOpen && !isFinal { return .needsMore }
        }
        return isFinal ? .none : .needsMore
    }

    // MARK: By structure

    private func structuralBorder() -> Outcome {
        var scan = StructureScan(damage.unit, at: damage.start, inside: inner)
        var tries = 0
        while tries < 64 {
            switch scan.run(bytes) {
            case .lost: return .none
            case .needsMore: return .needsMore
            case .end(let end):
                let border = Border(offset: end, expectation: damage.isValue ? .value : .commaOrEnd)
                switch verify(border) {
                case .good: return .found(border)
                case .needsMore: return .needsMore
                case .bad: break
                }
                // A closing bracket that belongs to the container around: nothing more can follow by structure.
                guard end < bytes.count, bytes[end] == UInt8(ascii: ",") else { return .none }
                scan.position = end + 1
                tries += 1
            }
        }
        return .none
    }

    // MARK: By likeness

    private func likelyBorder(usesFirstKeys: Bool) -> Outcome {
        let isObject = frames.last?.isObject ?? false
        let firstKeys = samples.firstKeys
        var index = damage.start
        var isOpen = false
        while index < bytes.count {
            defer { index += 1 }
            // Behind a comma, or at the start of a line where values stand one behind the other.
            guard bytes[index] == (damage.isValue ? UInt8(ascii: "\n") : UInt8(ascii: ",")) else { continue }
            guard let start = bytes[(index + 1)...].firstIndex(where: { !$0.isJSONBlank }) else { break }
            guard isObject ? bytes[start] == UInt8(ascii: "\"") : canOpen(bytes[start]) else { continue }
            if usesFirstKeys, !isObject, !hasKnownFirstKey(start, firstKeys) { continue }
            guard samples.canFollow(RecordSamples.gap(before: start, in: bytes).blanks) else { continue }
            let border = Border(offset: start, expectation: isObject ? .key : .value)
            switch verify(border) {
            case .good: return .found(border)
            case .needsMore: isOpen = true
            case .bad: break
            }
            if isOpen { return .needsMore }
        }
        return isFinal ? .none : .needsMore
    }

    private func canOpen(_ byte: UInt8) -> Bool {
        samples.isEmpty ? byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") : samples.canOpen(byte)
    }

    private func hasKnownFirstKey(_ start: Int, _ firstKeys: Set<[UInt8]>) -> Bool {
        guard bytes[start] == UInt8(ascii: "{") else { return true }
        guard let quote = bytes[(start + 1)...].firstIndex(where: { !$0.isJSONBlank }) else { return false }
        return firstKeys.contains { key in
            key.count <= bytes.count - quote && bytes[quote..<quote + key.count].elementsEqual(key)
        }
    }

    // MARK: Proof

    /// Reads on from `border` as a strict tokenizer would.
    private func verify(_ border: Border) -> Verdict {
        var tokenizer = Tokenizer(
            bytes, at: border.offset, expecting: border.expectation, inside: frames, isFinal: isFinal, limits: limits)
        let level = frames.count
        var items = 0
        var tokens = 0
        var hasLeft = false
        var keys: [[UInt8]] = []
        do {
            while let token = try tokenizer.next() {
                tokens += 1
                hasLeft = hasLeft || tokenizer.depth < level
                if tokens == 1, holdsRecords, !hasLeft, !canBegin(token) { return .bad }
                if tokenizer.position - border.offset >= lookahead { return .good }
                // The keys of the first item, or of the value of the first member.
                if items == 0, token.kind == .key, tokenizer.depth == level + 1 { keys.append(Array(bytes[token.range])) }
                guard tokenizer.depth == level, token.kind != .key else { continue }
                items += 1
                if items == 1, holdsRecords, bytes[token.range.lowerBound] == UInt8(ascii: "}"), !samples.resemble(keys) {
                    return .bad
                }
                if damage.isValue { return .good }
                if items >= BorderSearch.soundItems, !keys.isEmpty { return .good }
            }
        } catch {
            // Another damage further on does not speak against this border, but a misfit of the containers does.
            if hasLeft || (items == 1 && tokenizer.depth == level && tokenizer.expectation == .commaOrEnd) { return .bad }
            return items > 0 || (error.code == .syntaxTruncated && tokens > 0) ? .good : .bad
        }
        return isFinal ? .good : .needsMore
    }

    /// Whether the items are the records, not what leads to them.
    private var holdsRecords: Bool { damage.isRecord && !samples.isEmpty }

    /// Whether a record can begin with `token`; a member begins with its key, whatever that is.
    private func canBegin(_ token: Tokenizer.Token) -> Bool {
        token.kind == .key || samples.canOpen(bytes[token.range.lowerBound])
    }
}

extension Damage {
    /// Whether the part is a value at the top.
    var isValue: Bool {
        if case .value = unit { true } else { false }
    }
}
