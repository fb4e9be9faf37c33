import CTributaryYajl

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// NDJSON: each line is a text of its own, so that a broken one cannot spoil its neighbours.
extension RecordParser {
    /// Reads all lines that have come in whole, or the rest at the end; false when more bytes are needed.
    ///
    /// They are fed at once. The callbacks see to it that each value stands on one line and alone there; where that
    /// fails, what was read before that line stands, and the line is dealt with by itself.
    func feedLines() throws -> Bool {
        let isSound = violations.first.map { $0 - base >= count } ?? true
        guard let end = endOfLines(isSound: isSound) else { return try waitForLine() }
        guard end > lineBegin else {
            // The byte check has found fault with this line.
            try rejectLine(to: endOfLine(from: lineBegin) ?? count)
            return true
        }
        core.pointee.beginLines(at: lineBegin)
        var status = feedWindow(lineBegin, end - lineBegin, at: UnsafePointer(block.bytes + lineBegin))
        if status == yajl_status_ok, bytes[end - 1] != 0x0A { status = feedFinalBlank() }
        if status == yajl_status_ok, core.pointee.depth == 0, core.pointee.recordDepth < 0,
            onlyBlanks(from: core.pointee.anchor, to: end)
        {
            finishLine(at: end)
            return true
        }
        // What the damaged line has given so far goes with it.
        lineBegin = core.pointee.returnToLine(before: end)
        try rejectLine(to: endOfLine(from: lineBegin) ?? count)
        return true
    }

    /// Up to where whole and sound lines reach, or nil if there is no whole line yet.
    private func endOfLines(isSound: Bool) -> Int? {
        var end = count
        if !isSound, let first = violations.first {
            end = max(lineBegin, min(count, first - base))
            let hasWholeLine = endOfLine(from: end) != nil || isFinal
            while end > lineBegin, bytes[end - 1] != 0x0A { end -= 1 }
            return end > lineBegin || hasWholeLine ? end : nil
        }
        if isFinal { return end > lineBegin ? end : nil }
        // Each byte is looked at once, however many lines are dealt with one by one.
        while end > max(lineBegin, searched), bytes[end - 1] != 0x0A { end -= 1 }
        if end > max(lineBegin, searched) { lastFeed = end }
        searched = count
        return lastFeed > lineBegin ? lastFeed : nil
    }

    /// No line is whole: it may be too long, or the source may be at its end.
    private func waitForLine() throws -> Bool {
        guard count - lineBegin <= core.pointee.maxRecord + ReadLimits.lineSlack else {
            let start = bytes[lineBegin...].firstIndex { !$0.isJSONBlank } ?? lineBegin
            try handleFault(recordTooLong(at: start))
            return true
        }
        guard isFinal else { return false }
        mode = .finished
        return true
    }

    /// The offset behind the line feed of the line that `offset` lies in.
    private func endOfLine(from offset: Int) -> Int? {
        guard offset < count, let found = memchr(block.bytes + offset, 0x0A, count - offset) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(block.bytes) + 1
    }

    private func onlyBlanks(from start: Int, to end: Int) -> Bool {
        bytes[min(start, end)..<end].allSatisfy(\.isJSONBlank)
    }

    func finishLine(at end: Int) {
        lineBegin = end
        searched = max(searched, end)
        fed = end
        core.pointee.anchor = end
    }

    /// Cuts the line out and makes ready for the next one.
    private func rejectLine(to end: Int) throws {
        var tokenizer = Tokenizer(
            UnsafeRawBufferPointer(rebasing: bytes[..<end]), at: lineBegin, isFinal: true, limits: plan.limits)
        var fault = objection
        var steps: [PathStep] = []
        do {
            while try tokenizer.next() != nil {}
        } catch let found {
            // A failure of our own, as a record that is too long, stands unless the text itself is wrong before it.
            if fault.map({ found.offset < $0.offset || $0.code == .syntaxTrailing }) ?? true {
                fault = found
                steps = tokenizer.steps(outermost: 0)
            }
        }
        let start = bytes[lineBegin..<end].firstIndex { !$0.isJSONBlank } ?? lineBegin
        var last = end
        while last > start, bytes[last - 1].isJSONBlank { last -= 1 }
        // What is missing is missing on this line, not at the start of the next one.
        if let found = fault, found.code == .syntaxTruncated { fault?.offset = min(found.offset, last) }
        let error = makeError(
            (fault ?? yajlFault(at: start)).describingFound(in: bytes),
            record: routes.paths.isEmpty ? nil : firstNumber + core.pointee.number + 1, steps: steps)
        leaveAllContainers()
        try reject(error, from: start, to: last, isRecord: true)
        settledByReject = SettledPlace(offset: base + end, steps: [], isBehindText: false)
        arm(expecting: .value)
        passViolations(before: end)
        finishLine(at: end)
    }

    /// Stands at the top of the text again.
    func leaveAllContainers() {
        core.pointee.depth = 0
        core.pointee.keyBytesCount = 0
        core.pointee.recordDepth = -1
        core.pointee.next = core.pointee.rootNext
        core.pointee.contextIsStale = true
    }
}

extension ReadLimits {
    /// Blanks that a line may have around a record of the largest size.
    static let lineSlack = 64 << 10
}
