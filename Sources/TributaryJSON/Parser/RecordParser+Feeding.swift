import CTributaryYajl

extension RecordParser {
    /// Parses the next bytes of the source.
    func consume(_ input: UnsafeRawBufferPointer, lineFeeds: Int, invalidOffsets: [Int]) throws {
        if case .finished = mode { return }
        append(input, lineFeeds: lineFeeds, invalidOffsets: invalidOffsets)
        try advance()
        try publishIfFull()
    }

    /// Parses the bytes held back and publishes the records, because the source is slow or ends.
    func flush() throws {
        stalled = 0
        try advance()
        if core.pointee.entryCount > 0 || !rejects.isEmpty { try publish() }
    }

    func finish(invalidOffset: Int?) throws {
        if let invalidOffset { invalidOffsets.append(invalidOffset) }
        // A range ends with a whole line, so an incomplete one is not a record.
        isFinal = stop == nil || shape.framing != .lines
        try flush()
        if let stop { try checkEnd(stop) }
    }

    /// Checks that a range ends where the next one begins, after the same number of records and lines.
    ///
    /// All records have been published, so the latest chunk ends with the last one.
    private func checkEnd(_ stop: Checkpoint) throws {
        let end = position(count)
        guard base + count == stop.byte, resumePoint.offset == stop.byte, resumePoint.steps == stop.steps,
            firstNumber == stop.record, end.line == stop.line, end.byte - end.column + 1 == stop.lineStart
        else {
            let record = firstNumber == stop.record ? "a record" : "record \(stop.record), but read \(firstNumber)"
            throw JSONError(
                .rangeBorder, "expected a part of the file to end here with \(record)",
                hint: "the file is damaged; read it as a whole to learn where", position: end)
        }
    }

    private func append(_ input: UnsafeRawBufferPointer, lineFeeds: Int, invalidOffsets: [Int]) {
        let needed = count + input.count
        if needed > block.capacity {
            block.reserve(needed, keeping: count)
            core.pointee.arena = block.bytes
        }
        if let start = input.baseAddress {
            UnsafeMutableRawPointer(block.bytes + count).copyMemory(from: start, byteCount: input.count)
        }
        count = needed
        self.lineFeeds += lineFeeds
        self.invalidOffsets.append(contentsOf: invalidOffsets)
    }

    /// The number of rejects after which a chunk is published.
    private static let maxRejects = 1000

    /// Continues as far as the bytes allow.
    func advance() throws {
        while true {
            switch mode {
            case .finished: return
            case .reporting(let fault, let steps):
                guard isComplete(fault) else { return }
                mode = .feeding
                try report(fault, steps)
            case .seeking(let damage):
                guard try seek(damage) else { return }
            case .dropping(var damage, var scan):
                guard try drop(&damage, &scan) else { return }
            case .feeding:
                if rejects.count >= RecordParser.maxRejects { try publish() }
                guard try shape.framing == .lines ? feedLines() : feed() else { return }
            }
        }
    }

    /// The offset in the arena of the first invalid byte, which yajl must not parse, or the end of the arena.
    private var feedLimit: Int {
        guard let first = invalidOffsets.first else { return count }
        return min(count, max(prefix, first - base))
    }

    /// Drops the offsets of invalid bytes before `offset` of the arena, which are in a rejected part.
    func dropInvalidOffsets(before offset: Int) {
        invalidOffsets = invalidOffsets.drop { $0 - base < offset }
    }

    /// One step of parsing a text or concatenated values; false if more bytes are needed.
    private func feed() throws -> Bool {
        if shape.framing == .text, core.pointee.depth == 0, core.pointee.valueCount > 0, core.pointee.recordDepth < 0 {
            return try finishText()
        }
        let feedLimit = feedLimit
        if fed < feedLimit {
            guard isFinal || feedLimit < count || feedLimit - fed >= stalled else { return false }
            try feedYajl(to: feedLimit)
            return true
        }
        if let invalidOffset = invalidOffsets.first.map({ $0 - base }), invalidOffset < count {
            // The error must name the whole invalid sequence, so the longest one is awaited.
            guard isFinal || count - invalidOffset >= Tokenizer.longestSequence else { return false }
            try handleFault()
            return true
        }
        if try checkUnfinished() { return true }
        guard isFinal else { return false }
        try finishValues()
        return true
    }

    private func feedYajl(to end: Int) throws {
        let start = fed
        let events = core.pointee.eventCount
        let words = core.pointee.tapeCount
        let status = feedWindow(start, end - start, at: UnsafePointer(block.bytes + start))
        if shape.framing == .text, core.pointee.depth == 0, core.pointee.valueCount > 0, core.pointee.recordDepth < 0 {
            fed = core.pointee.valueEnd
            return
        }
        fed = end
        guard status == yajl_status_ok else { return try handleFault() }
        let isUnchanged = core.pointee.eventCount == events && core.pointee.tapeCount == words
        // Blanks are not part of a token, which yajl would have to parse again.
        stalled = isUnchanged && !bytes[start..<end].allSatisfy(\.isJSONBlank) ? stalled + end - start : 0
    }

    /// Lets yajl parse `length` bytes at `address`, which represent the bytes at `offset` of the arena.
    func feedWindow(_ offset: Int, _ length: Int, at address: UnsafePointer<UInt8>) -> yajl_status {
        core.pointee.window = UInt(bitPattern: address)
        core.pointee.windowCount = UInt(length)
        core.pointee.windowOffset = offset
        return yajl_parse(core.pointee.handle, address, length)
    }

    /// Ends a token that only the end of the text can end, such as a number that is the whole text.
    func feedFinalBlank() -> yajl_status {
        withUnsafePointer(to: UInt8(ascii: "\n")) { feedWindow(count, 1, at: $0) }
    }

    /// Checks that only blanks follow the value of a text.
    private func finishText() throws -> Bool {
        let end = core.pointee.valueEnd
        var index = max(fed, end)
        while index < count, bytes[index].isJSONBlank { index += 1 }
        fed = index
        core.pointee.anchor = index
        guard index < count else {
            if isFinal { mode = .finished }
            return isFinal
        }
        try handleFault(
            Tokenizer.Fault(
                .syntaxTrailing, at: index,
                "found \(Tokenizer.Fault.found) after the end of the text, expected nothing"))
        return true
    }

    /// Handles the end of the source after all bytes have been parsed.
    private func finishValues() throws {
        let status = feedFinalBlank()
        // Whether a range ends with a record is checked later.
        if stop != nil { return mode = .finished }
        if status == yajl_status_ok, core.pointee.depth == 0, core.pointee.recordDepth < 0 {
            let isText = shape.framing == .text
            if core.pointee.valueCount > 0 || !isText, onlyBlanks(from: core.pointee.anchor, to: count) {
                mode = .finished
                return
            }
        }
        try handleFault()
    }

    func onlyBlanks(from start: Int, to end: Int) -> Bool {
        bytes[min(max(start, prefix), end)..<end].allSatisfy(\.isJSONBlank)
    }

    /// Rejects an unfinished record, or an unfinished token outside of records, that exceeds its limit, if there is one.
    private func checkUnfinished() throws -> Bool {
        if core.pointee.recordDepth >= 0 {
            let start = Int(core.pointee.entry.raw)
            guard count - start > core.pointee.maxRecord else { return false }
            try handleFault(recordTooLong(at: start))
            return true
        }
        guard count - core.pointee.anchor > max(options.limits.string, options.limits.key, options.limits.number) else {
            return false
        }
        moveAnchor()
        var tokenizer = makeTokenizer()
        guard let fault = tokenizer.firstFault() else { return false }
        // The token is a scalar record, such as a string beyond the record limit, or not a record at all.
        try handleFault(fault)
        return true
    }

    func recordTooLong(at start: Int) -> Tokenizer.Fault {
        Tokenizer.Fault(.limitRecord, at: start, "found a record of more than \(core.pointee.maxRecord) bytes")
    }

    /// Moves the anchor over blanks and punctuation, so that they need not be kept.
    func moveAnchor() {
        var index = core.pointee.anchor
        var expectation = core.pointee.expectation
        let isObject = core.pointee.depth > 0 && core.pointee.frames[core.pointee.depth - 1].isObject
        loop: while index < fed {
            switch (bytes[index], expectation) {
            case (UInt8(ascii: ","), .commaOrEnd): expectation = isObject ? .key : .value
            case (UInt8(ascii: ":"), .colon): expectation = .value
            case (let byte, _) where byte.isJSONBlank: break
            default: break loop
            }
            index += 1
        }
        core.pointee.anchor = index
        core.pointee.expectation = expectation
    }
}
