/// Looks behind a damaged part for the place where reading can go on.
///
/// The brackets and quotes of the part itself tell its end, if they are whole. If they are not, anything that looks
/// like the start of another record is tried. Either way the place must prove itself: from there on whole items, and
/// what follows them, must be JSON that fits into the open containers. That is what keeps an array inside a damaged
/// record from being taken for the records themselves.
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

    let bytes: UnsafeRawBufferPointer
    let damage: Damage
    /// The containers around the part, outermost first.
    let frames: [Tokenizer.Frame]
    /// The containers inside those that are open where the part begins.
    let inner: [Bool]
    var samples: RecordSamples
    let limits: ReadLimits
    let isFinal: Bool
    /// How many bytes must be sound behind a border, if there are so many.
    let lookahead: Int

    func run() -> Outcome {
        let outcome = search()
        if case .found(let border) = outcome, !isLastResort(border) { return outcome }
        // The few records seen so far may mislead: those behind the damage may look different.
        let farEnough = damage.start + 2 * lookahead + 16 * samples.longest
        guard !samples.isEmpty, isFinal || bytes.count > farEnough else { return outcome }
        var unprejudiced = self
        unprejudiced.samples = RecordSamples()
        if case .found(let border) = unprejudiced.search() { return .found(border) }
        return outcome
    }

    private func search() -> Outcome {
        var isOpen = false
        for border in damage.firstTries {
            switch verify(border) {
            case .good: return .found(border)
            case .needsMore: isOpen = true
            case .bad: break
            }
        }
        if isOpen, !isFinal { return .needsMore }
        var structural: Border?
        switch structuralBorder() {
        case .found(let border): structural = border
        case .needsMore: isOpen = true
        case .none: break
        }
        if let structural, !samples.hasWhole, !isLastResort(structural) { return .found(structural) }
        for usesFirstKeys in samples.firstKeys.isEmpty ? [false] : [true, false] {
            // Quotes that do not pair may carry the scan of brackets over many records: one that comes earlier and
            // proves itself well is the right one.
            switch likelyBorder(usesFirstKeys: usesFirstKeys, before: structural?.offset ?? bytes.count) {
            case .found(let border): return .found(border)
            case .needsMore: isOpen = true
            case .none: break
            }
            if isOpen, !isFinal, structural != nil { return .needsMore }
            if let structural { return .found(structural) }
            // Without the help of first keys only when nothing else is to be hoped for.
            if isOpen && !isFinal { return .needsMore }
        }
        return isFinal ? .none : .needsMore
    }

    // MARK: By structure

    private func structuralBorder() -> Outcome {
        var scan = StructureScan(damage.unit, at: damage.start, inside: inner)
        for _ in 0..<64 {
            switch scan.run(bytes) {
            case .lost: return .none
            case .needsMore: return .needsMore
            case .end(let end):
                let border = Border(offset: end, expectation: damage.isValue ? .value : .commaOrEnd)
                switch verify(border, trustsStart: end - damage.start <= 4 * max(samples.longest, 64)) {
                case .good: return .found(border)
                case .needsMore: return .needsMore
                case .bad: break
                }
                // A closing bracket that belongs to the container around: nothing more can follow by structure.
                guard end < bytes.count, bytes[end] == UInt8(ascii: ",") else { return .none }
                scan.position = end + 1
            }
        }
        return .none
    }

    /// Whether the border is the end of the container, behind what may be other items.
    private func isLastResort(_ border: Border) -> Bool {
        guard case .item = damage.unit, border.offset < bytes.count, bytes[border.offset] != UInt8(ascii: ",") else {
            return false
        }
        var scan = StructureScan(damage.unit, at: damage.start, inside: inner)
        guard case .end(let first) = scan.run(bytes) else { return true }
        return first < border.offset
    }

    // MARK: By likeness

    private func likelyBorder(usesFirstKeys: Bool, before end: Int) -> Outcome {
        let isObject = frames.last?.isObject ?? false
        let firstKeys = samples.firstKeys
        var index = damage.start
        while index < end {
            defer { index += 1 }
            // Behind a comma, or at the start of a line where values stand one behind the other.
            guard bytes[index] == (damage.isValue ? UInt8(ascii: "\n") : UInt8(ascii: ",")) else { continue }
            guard let start = bytes[(index + 1)...].firstIndex(where: { !$0.isJSONBlank }) else { break }
            guard isObject ? bytes[start] == UInt8(ascii: "\"") : canOpen(bytes[start]) else { continue }
            if usesFirstKeys, !isObject, !hasKnownFirstKey(start, firstKeys) { continue }
            guard samples.canFollow(RecordSamples.gap(before: start, in: bytes).blanks) else { continue }
            let border =
                damage.isValue
                ? Border(offset: start, expectation: .value) : Border(offset: index, expectation: .commaOrEnd)
            switch verify(border, isAgainstStructure: end < bytes.count) {
            case .good: return .found(border)
            case .needsMore: return .needsMore
            case .bad: break
            }
        }
        return isFinal || end < bytes.count ? .none : .needsMore
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

    private func verify(_ border: Border, trustsStart: Bool = false, isAgainstStructure: Bool = false)
        -> BorderProof.Verdict
    {
        var proof = BorderProof(
            search: self, border: border, trustsStart: trustsStart, isAgainstStructure: isAgainstStructure)
        return proof.run()
    }
}

extension Damage {
    /// Whether the part is a value at the top.
    var isValue: Bool {
        if case .value = unit { true } else { false }
    }
}
