extension RecordParser {
    /// The fault that a callback has reported.
    var ruleViolation: Tokenizer.Fault? {
        let offset = core.pointee.ruleViolationOffset
        func fault(_ code: JSONError.Code, _ reason: String) -> Tokenizer.Fault {
            Tokenizer.Fault(code, at: offset, reason)
        }
        switch core.pointee.ruleViolation {
        case .none: return nil
        case .recordTooLong: return recordTooLong(at: offset)
        case .keyNameTaken:
            return fault(
                .shapeKeyName, "found a record with a member \(options.keyName), which is the name for its own key")
        case .secondValue:
            return fault(.syntaxTrailing, "found \(Tokenizer.Fault.found), expected nothing more")
        case .wrongRoot:
            let expected = core.pointee.rootRule == .array ? "an array" : "an object"
            return fault(
                .shapeMissing, "found \(Tokenizer.Fault.found), expected \(expected) as the path says")
        // The tokenizer reports that the line ends too early.
        case .lineBreak: return nil
        case .gluedValues: return fault(.syntaxGlued, "found two values with no blank between them")
        }
    }

    /// The fault `known`, or the fault that the tokenizer finds, with the path to it.
    func locate(_ known: Tokenizer.Fault?) -> (Tokenizer.Fault, [PathStep]) {
        if let known { return (known, currentSteps) }
        var tokenizer = makeTokenizer()
        let fault = tokenizer.firstFault() ?? yajlFault(at: min(fed, count))
        return (fault, path(of: tokenizer))
    }

    /// The fault to report if the tokenizer finds none.
    func yajlFault(at offset: Int) -> Tokenizer.Fault {
        Tokenizer.Fault(.syntaxUnexpected, at: offset, "found text that is not JSON")
    }

    /// A tokenizer at the first byte of the current record, or after the latest token outside of records.
    func makeTokenizer() -> Tokenizer {
        if core.pointee.recordDepth >= 0 {
            return Tokenizer(
                bytes, at: Int(core.pointee.entry.raw), outerDepth: core.pointee.recordDepth, isFinal: isFinal,
                limits: options.limits)
        }
        let frames = (0..<core.pointee.depth).map { level in
            let frame = core.pointee.frames[level]
            return Tokenizer.Frame(isObject: frame.isObject, index: frame.index - 1)
        }
        let isBetweenValues = frames.isEmpty && shape.framing != .text
        return Tokenizer(
            bytes, at: core.pointee.anchor, expecting: isBetweenValues ? .value : core.pointee.expectation,
            inside: frames, isFinal: isFinal, limits: options.limits)
    }

    func path(of tokenizer: Tokenizer) -> [PathStep] {
        if core.pointee.recordDepth >= 0 { return currentSteps + tokenizer.steps(outermost: 0) }
        // For containers in which the tokenizer has not advanced, the parser knows the keys.
        let outer = currentSteps
        var common = 0
        while common < min(core.pointee.depth, tokenizer.depth), common < outer.count,
            tokenizer.frames[common].index == core.pointee.frames[common].index - 1, common < tokenizer.depth - 1
        {
            common += 1
        }
        let inner = tokenizer.steps(outermost: common)
        if inner.isEmpty, common < outer.count, tokenizer.expectation == .colon || tokenizer.expectation == .value,
            case .key = outer[common], common == tokenizer.depth - 1,
            tokenizer.frames[common].index == core.pointee.frames[common].index - 1
        {
            return Array(outer[...common])
        }
        return Array(outer[..<common]) + inner
    }

    /// Makes an error for a fault, with position, path, excerpt and hint.
    func makeError(_ fault: Tokenizer.Fault, record: Int?, steps: [PathStep]) -> JSONError {
        var error = JSONError(fault.code, fault.reason, hint: hint(for: fault), position: position(fault.offset))
        error.record = record
        error.path = steps.jsonPath
        // The excerpt ends with the character at the fault, however many bytes follow in the arena.
        let place = max(prefix, min(fault.offset, count))
        let showsCharacter = place < count && fault.code != .syntaxTruncated
        let end = showsCharacter ? min(count, place + Tokenizer.width(of: bytes[place])) : place
        error.excerpt = Excerpt.around(
            place - prefix, in: UnsafeRawBufferPointer(rebasing: bytes[prefix..<end]), before: RecordParser.contextBytes
        )
        if error.excerpt?.isEmpty == true { error.excerpt = nil }
        return error
    }

    /// The number of bytes before a fault that an error shows.
    static var contextBytes: Int { FeedPlace.contextBytes }

    func position(_ offset: Int) -> SourcePosition {
        let end = min(max(offset, prefix), count)
        // Faults are often close together, so lines are counted from the latest one.
        let isAfterLast = lastPlace.offset >= base + prefix && lastPlace.offset <= base + end
        var place = isAfterLast ? lastPlace : (offset: base + prefix, line: line, lineStart: lineStart)
        let between = UnsafeRawBufferPointer(rebasing: bytes[place.offset - base..<end])
        let feeds = LineFeeds.count(in: between)
        if feeds > 0, let last = between.lastIndex(of: UInt8(ascii: "\n")) {
            place.line += feeds
            place.lineStart = place.offset + last + 1
        }
        place.offset = base + end
        lastPlace = place
        let column = base + offset - place.lineStart + 1
        return SourcePosition(file: sourceName, byte: base + offset, line: place.line, column: column)
    }

    private func hint(for fault: Tokenizer.Fault) -> String? {
        switch fault.code {
        case .syntaxGlued where shape.framing != .gluedValues: "if that is intended, read it with the format concat"
        case .syntaxTrailing where shape.framing == .lines:
            "a line holds one value; if several are intended, read it with the format concat"
        case .syntaxTrailing where !routes.paths.isEmpty:
            "if several values are intended, read it with the format concat"
        case .limitDepth, .limitString, .limitKey, .limitNumber, .limitRecord:
            "raise the \(fault.code.rawValue.dropFirst("limit.".count)) limit to permit it"
        case .limitKeys: "raise the limit of keys to permit it"
        case .shapeKeyName: "choose another name for the key of records"
        default: nil
        }
    }
}

extension Tokenizer {
    /// The steps through the open containers, from the one at `outermost` on.
    func steps(outermost: Int) -> [PathStep] {
        guard outermost < frames.count else { return [] }
        return frames[outermost...].indices.compactMap { level in
            let frame = frames[level]
            let isInnermost = level == frames.count - 1
            if frame.isObject {
                if isInnermost, expectation != .colon, expectation != .value { return nil }
                guard let key = frame.key else { return isInnermost ? nil : .key("") }
                return .key(text(in: key))
            }
            guard isInnermost else { return .index(frame.index) }
            return expectation == .value || expectation == .elementOrEnd ? .index(frame.index + 1) : nil
        }
    }
}
