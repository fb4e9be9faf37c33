/// Dividing a text among parsers.
extension RecordParser {
    /// Where the text can be divided, as far as the bytes so far show.
    var division: Division.Answer? {
        guard stop == nil, !core.pointee.surveysPlaces else { return .undivided }
        guard case .feeding = mode else { return nil }
        if shape.framing == .lines {
            let division = Division(kind: .lines, shape: shape, steps: [])
            return .place(Division.Place(division: division, offset: base + count, depth: 0))
        }
        let isInRecord = core.pointee.recordDepth >= 0
        let depth = isInRecord ? core.pointee.recordDepth : core.pointee.depth
        let offset = base + (isInRecord ? Int(core.pointee.entry.raw) : core.pointee.anchor)
        if shape.framing != .text {
            let division = Division(kind: .values, shape: shape, steps: [])
            return .place(Division.Place(division: division, offset: offset, depth: depth))
        }
        guard routes.paths.isEmpty || routes.repeatsItems else { return .undivided }
        guard let level = (0..<depth).first(where: isDivisible) ?? levelOfLongObject(depth) else { return nil }
        var steps = steps(
            UnsafeBufferPointer(start: core.pointee.frames, count: level), keyBytes: core.pointee.keyBytes,
            withInnermost: true)
        steps.append(core.pointee.frames[level].isObject ? .key("") : .index(-1))
        let division = Division(kind: .items, shape: shape, steps: steps)
        return .place(Division.Place(division: division, offset: offset, depth: depth - level - 1))
    }

    /// Whether all items of an open container are alike to the paths.
    private func isDivisible(_ level: Int) -> Bool {
        let frame = core.pointee.frames[level]
        if routes.paths.isEmpty { return !frame.isObject }
        guard frame.positions != 0 else { return false }
        return frame.isObject ? routes.hasAnyMembers(frame.positions) : frame.isUniform
    }

    /// Without paths, the first open object that has many members so far.
    private func levelOfLongObject(_ depth: Int) -> Int? {
        guard routes.paths.isEmpty else { return nil }
        return (0..<depth).first { core.pointee.frames[$0].index >= 64 }
    }

    /// Whether the container at the border, where parsing began, has ended.
    var hasLeftContainer: Bool { core.pointee.leastDepth < core.pointee.borderDepth }

    /// Whether records followed the end of that container, whose places do not depend on what is before the border.
    var hasRecordsBehindContainer: Bool { core.pointee.hasRecordsBehindContainer }

    /// Parses all bytes so far, also those that are held back.
    func parseAll() throws {
        stalled = 0
        try advance()
    }

    /// Whether another parser could continue here, between two items.
    func isAtBorder(of division: Division) -> Bool {
        guard case .feeding = mode, core.pointee.recordDepth < 0 else { return false }
        switch division.kind {
        case .lines: return lineBegin == count
        case .values:
            return core.pointee.depth == 0 && fed == count && onlyBlanks(from: core.pointee.anchor, to: count)
                && !isLastRecordUnlikeOthers
        case .items: break
        }
        guard fed == count, core.pointee.depth == division.depth, !isLastRecordUnlikeOthers else { return false }
        moveAnchor()
        let expected = division.holdsMembers ? Tokenizer.Expectation.key : .value
        guard core.pointee.anchor == count, core.pointee.expectation == expected else { return false }
        let frame = core.pointee.frames[division.depth - 1]
        guard frame.isObject == division.holdsMembers,
            currentSteps.prefix(division.depth - 1).elementsEqual(division.steps.dropLast())
        else { return false }
        return !mayHaveClosedTooEarly
    }

    /// Whether the latest item was an array on the path, which a fault after it may have closed too early.
    private var mayHaveClosedTooEarly: Bool {
        let depth = core.pointee.depth
        guard core.pointee.closedEnd >= prefix, core.pointee.closedEnd <= count else { return false }
        guard core.pointee.frames[depth].positions != 0, !core.pointee.frames[depth].isObject else { return false }
        return bytes[core.pointee.closedEnd..<count].allSatisfy { $0.isJSONBlank || $0 == UInt8(ascii: ",") }
    }

    /// The place at the end of the bytes, which is a border and whose records are published.
    func place(in division: Division) -> FeedPlace {
        let lastFeed = lineFeeds > 0 ? bytes[prefix..<count].lastIndex(of: UInt8(ascii: "\n")) : nil
        let counts = (0..<division.depth).map { core.pointee.frames[$0].index }
        return FeedPlace(
            record: firstNumber + core.pointee.number, counts: counts, line: line + lineFeeds,
            lineStart: lastFeed.map { base + $0 + 1 } ?? lineStart, samples: samples, verifiedBytes: verifiedBytes,
            hasMetPath: hasMetPath, outside: outside.total, end: resumePoint,
            context: Array(bytes[max(prefix, count - RecordParser.contextBytes)..<count]))
    }
}
