/// Searches for the border after a damaged part, at which reading can continue.
///
/// The brackets and quotes of the part indicate its end if they are intact. If not, each position that looks like the
/// start of another record is tried. Either way the border must be verified: complete items from there on, and the text
/// after them, must be JSON that fits into the open containers. Hence an array inside a damaged record is not mistaken
/// for the records themselves.
struct BorderSearch {
    struct Border {
        /// The position at which reading continues.
        var offset: Int
        let expectation: Tokenizer.Expectation
    }

    enum Outcome {
        case found(Border)
        case needsMore
        case none
    }

    let bytes: UnsafeRawBufferPointer
    let damage: Damage
    /// The containers around the damaged part, outermost first.
    let frames: [Tokenizer.Frame]
    var samples: RecordSamples
    let limits: ReadLimits
    let isFinal: Bool
    /// The bytes that may still be read to verify borders: a share of the source, which bounds the cost of hostile text.
    var budget: Int
    /// The number of valid bytes after a border that suffice.
    static let lookahead = 64 << 10

    mutating func run() -> Outcome {
        let outcome = search()
        if case .found(let border) = outcome, !isEndOfContainer(border) { return outcome }
        // The records after the damage may look different from the few records before it, so search without samples.
        let farEnough = damage.start + 2 * BorderSearch.lookahead + 16 * samples.longest
        guard !samples.isEmpty, isFinal || bytes.count > farEnough else { return outcome }
        samples = RecordSamples()
        if case .found(let border) = search() { return .found(border) }
        return outcome
    }

    private mutating func search() -> Outcome {
        var isOpen = false
        if let border = damage.firstTry {
            switch verify(border) {
            case .good: return .found(border)
            case .needsMore where !isFinal: return .needsMore
            case .needsMore: isOpen = true
            case .bad: break
            }
        }
        var structural: Border?
        switch structuralBorder() {
        case .found(let border): structural = border
        case .needsMore: isOpen = true
        case .none: break
        }
        if let structural, !samples.hasWhole, !isEndOfContainer(structural) { return .found(structural) }
        for usesFirstKeys in samples.firstKeys.isEmpty ? [false] : [true, false] {
            // Unpaired quotes may carry the scan of brackets past many records, so an earlier border that is verified
            // well is preferred.
            switch likelyBorder(usesFirstKeys: usesFirstKeys, before: structural?.offset ?? bytes.count) {
            case .found(let border): return .found(border)
            case .needsMore: isOpen = true
            case .none: break
            }
            if isOpen, !isFinal { return .needsMore }
            if let structural { return .found(structural) }
        }
        return isFinal ? .none : .needsMore
    }

    // MARK: By structure

    private mutating func structuralBorder() -> Outcome {
        var scan = StructureScan(damage.unit, at: damage.start, inside: damage.inner)
        for attempt in 0..<64 {
            switch scan.run(bytes) {
            case .lost: return .none
            case .needsMore: return .needsMore
            case .end(let end):
                let border = Border(offset: end, expectation: damage.isValue ? .value : .commaOrEnd)
                // The next damage ends the first attempt, so its cost is bounded by itself.
                let isAlignedWithBrackets = end - damage.start <= 4 * max(samples.longest, 64)
                switch verify(border, isAlignedWithBrackets: isAlignedWithBrackets, isFree: attempt == 0) {
                case .good: return .found(border)
                case .needsMore: return .needsMore
                case .bad: if isLikeAllOthers(end) { return .found(border) }
                }
                // The container around ends here, so no border by structure can follow.
                guard end < bytes.count, bytes[end] == UInt8(ascii: ",") else { return .none }
                scan.position = end + 1
            }
        }
        return .none
    }

    /// Whether apparently every record is damaged.
    ///
    /// No record has been valid so far, and the next items have the same first key as this one and intact brackets.
    private func isLikeAllOthers(_ end: Int) -> Bool {
        guard damage.isRecord, case .item = damage.unit, damage.inner.isEmpty, !samples.hasWhole,
            let head = firstKey(at: damage.start)
        else { return false }
        var end = end
        for _ in 0..<3 {
            guard end < bytes.count else { return isFinal }
            guard bytes[end] == UInt8(ascii: ",") else { return "]}".utf8.contains(bytes[end]) }
            guard firstKey(at: end + 1) == head else { return false }
            var scan = StructureScan(damage.unit, at: end + 1)
            guard case .end(let next) = scan.run(bytes) else { return false }
            end = next
        }
        return true
    }

    private func firstKey(at offset: Int) -> [UInt8]? {
        guard let brace = bytes[offset...].firstIndex(where: { !$0.isJSONBlank }), bytes[brace] == UInt8(ascii: "{"),
            let quote = bytes[(brace + 1)...].firstIndex(where: { !$0.isJSONBlank }),
            bytes[quote] == UInt8(ascii: "\""),
            let end = bytes[(quote + 1)...].firstIndex(of: UInt8(ascii: "\""))
        else { return nil }
        return Array(bytes[quote...end])
    }

    /// Whether the border is the end of the container, so that other items before it would be lost.
    private func isEndOfContainer(_ border: Border) -> Bool {
        guard case .item = damage.unit, border.offset < bytes.count, bytes[border.offset] != UInt8(ascii: ",") else {
            return false
        }
        var scan = StructureScan(damage.unit, at: damage.start, inside: damage.inner)
        guard case .end(let first) = scan.run(bytes) else { return true }
        return first < border.offset
    }

    // MARK: By similarity

    private mutating func likelyBorder(usesFirstKeys: Bool, before end: Int) -> Outcome {
        let isObject = frames.last?.isObject ?? false
        let firstKeys = samples.firstKeys
        var index = damage.start
        while index < end {
            defer { index += 1 }
            guard mayPrecedeItem(bytes[index]) else { continue }
            guard let start = bytes[(index + 1)...].firstIndex(where: { !$0.isJSONBlank }) else { break }
            // Any of the blanks before the item would lead to the same border.
            let comma = index
            index = start - 1
            guard isObject ? bytes[start] == UInt8(ascii: "\"") : canOpen(bytes[start]) else { continue }
            if usesFirstKeys, !isObject, !hasKnownFirstKey(start, firstKeys) { continue }
            guard samples.canFollow(RecordSamples.gap(before: start, in: bytes).blanks) else { continue }
            let border =
                damage.isValue
                ? Border(offset: start, expectation: .value) : Border(offset: comma, expectation: .commaOrEnd)
            switch verify(border, isInsideDamagedBrackets: end < bytes.count) {
            case .good: return .found(border)
            case .needsMore: return .needsMore
            case .bad: break
            }
        }
        return isFinal || end < bytes.count ? .none : .needsMore
    }

    /// Whether an item may follow `byte`: a comma, or between concatenated values a blank or a closing bracket.
    private func mayPrecedeItem(_ byte: UInt8) -> Bool {
        damage.isValue ? byte.isJSONBlank || "}]".utf8.contains(byte) : byte == UInt8(ascii: ",")
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

    // MARK: Verification

    private mutating func verify(
        _ border: Border, isAlignedWithBrackets: Bool = false, isInsideDamagedBrackets: Bool = false,
        isFree: Bool = false
    ) -> BorderProof.Verdict {
        guard isFree || budget > 0 else { return .bad }
        var proof = BorderProof(
            search: self, border: border, isAlignedWithBrackets: isAlignedWithBrackets,
            isInsideDamagedBrackets: isInsideDamagedBrackets)
        let verdict = proof.run()
        budget -= proof.length
        return verdict
    }
}
