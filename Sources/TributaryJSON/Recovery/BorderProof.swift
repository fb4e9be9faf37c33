/// Verifies a possible border by reading on from it with the strict tokenizer.
struct BorderProof {
    enum Verdict { case good, bad, needsMore }

    /// The number of valid items that suffice.
    private static let itemsToConfirm = 8
    /// The number of valid items that suffice where the border is unlikely.
    private static let itemsToConfirmUnlikely = 64
    /// The number of valid items before other damage that suffice if no record is known.
    private static let itemsToConfirmBeforeDamage = 3
    /// The number of valid items that outweigh a mismatch of the containers after them.
    private static let itemsToConfirmDespiteMismatch = 6

    private let search: BorderSearch
    private let border: BorderSearch.Border
    /// Whether the brackets indicate this border, so that the start of an item suffices.
    private let isAlignedWithBrackets: Bool
    /// Whether the damaged part continues here by its brackets, so that an inner array may look like records.
    private let isInsideDamagedBrackets: Bool
    private var tokenizer: Tokenizer
    private var tokens = 0
    private var items = 0
    private var hasLeft = false
    /// Whether the first item has little in common with the known records, so that more items are needed.
    private var isDoubtful = false
    private var keys: [[UInt8]] = []
    private var firstKeys: [[UInt8]] = []

    init(search: BorderSearch, border: BorderSearch.Border, isAlignedWithBrackets: Bool, isInsideDamagedBrackets: Bool)
    {
        self.isInsideDamagedBrackets = isInsideDamagedBrackets
        self.search = search
        self.border = border
        self.isAlignedWithBrackets = isAlignedWithBrackets
        tokenizer = Tokenizer(
            search.bytes, at: border.offset, expecting: border.expectation, inside: search.frames,
            isFinal: search.isFinal, limits: search.limits)
    }

    private var samples: RecordSamples { search.samples }
    private var level: Int { search.frames.count }
    var length: Int { tokenizer.position - border.offset }
    /// Whether the items are records, not containers of records.
    private var holdsRecords: Bool { search.damage.isRecord }

    mutating func run() -> Verdict {
        do {
            while let token = try tokenizer.next() {
                if let verdict = visit(token) { return verdict }
            }
        } catch {
            return judge(error)
        }
        return search.isFinal ? .good : .needsMore
    }

    private mutating func visit(_ token: Tokenizer.Token) -> Verdict? {
        let bytes = search.bytes
        tokens += 1
        hasLeft = hasLeft || tokenizer.depth < level
        // The first token of a member is its key, which says nothing about the record.
        if tokens == 1, holdsRecords, !samples.isEmpty, !hasLeft, token.kind != .key,
            !samples.canOpen(bytes[token.range.lowerBound])
        {
            return .bad
        }
        if length >= BorderSearch.lookahead { return .good }
        if token.kind == .key, tokenizer.depth == level + 1, keys.count < 256 { keys.append(Array(bytes[token.range])) }
        guard tokenizer.depth == level, token.kind != .key, !hasLeft else { return nil }
        return endItem(isObject: bytes[token.range.lowerBound] == UInt8(ascii: "}"))
    }

    private mutating func endItem(isObject: Bool) -> Verdict? {
        items += 1
        defer { keys = [] }
        if holdsRecords, isObject {
            if items == 1 {
                firstKeys = keys
                if !samples.resemble(keys) {
                    guard samples.mayInclude(keys, where: isAlignedWithBrackets) else { return .bad }
                    isDoubtful = true
                }
            } else if !samples.hasWhole || isDoubtful, !isLikeFirst {
                return .bad
            }
        }
        if search.damage.isValue, !isDoubtful { return .good }
        let enough =
            isInsideDamagedBrackets || isDoubtful && !isAlignedWithBrackets
            ? BorderProof.itemsToConfirmUnlikely : BorderProof.itemsToConfirm
        return items >= enough && !firstKeys.isEmpty ? .good : nil
    }

    /// Whether the current item has the same first key as the first item, or half of its keys.
    private var isLikeFirst: Bool {
        if let key = keys.first, key == firstKeys.first { return true }
        let known = Set(firstKeys)
        return keys.count { known.contains($0) } * 2 >= min(keys.count, known.count)
    }

    /// The verdict at a fault: more damage does not disprove the border, but a mismatch of the containers does.
    private func judge(_ fault: Tokenizer.Fault) -> Verdict {
        // The border is before the damage, so the damaged part would not be skipped.
        if fault.offset == search.damage.offset, border.offset < fault.offset { return .bad }
        // At a border that the brackets indicate, several valid items outweigh a mismatch after them.
        if isAlignedWithBrackets, samples.hasWhole, items >= BorderProof.itemsToConfirmDespiteMismatch { return .good }
        if hasLeft || (items == 1 && tokenizer.depth == level && tokenizer.expectation == .commaOrEnd) { return .bad }
        let isCutOff = fault.code == .syntaxTruncated && tokens > 0
        if !samples.hasWhole, holdsRecords {
            return items >= BorderProof.itemsToConfirmBeforeDamage && !firstKeys.isEmpty || isCutOff && items > 0
                ? .good : .bad
        }
        let hasBegun = isCutOff || isAlignedWithBrackets && tokens > 1 && samples.resemble(keys)
        if isDoubtful, !isAlignedWithBrackets { return items >= BorderProof.itemsToConfirmBeforeDamage ? .good : .bad }
        return items > 0 || hasBegun ? .good : .bad
    }
}
