import CTributaryYajl
import TributaryPlatform

/// Parses NDJSON, each line as a text of its own, so that a damaged line does not affect other lines.
extension RecordParser {
    /// Parses all complete lines, or at the end the rest; false if more bytes are needed.
    ///
    /// yajl parses the lines at once. The callbacks check that each value is alone on one line; if not, the records
    /// before that line are kept, and the line is rejected.
    func feedLines() throws -> Bool {
        let isValid = invalidOffsets.first.map { $0 - base >= count } ?? true
        guard let end = endOfLines(isValid: isValid) else { return try waitForLine() }
        guard end > lineBegin else {
            // The current line has an invalid byte.
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
        // The records of the damaged line are discarded with it.
        lineBegin = core.pointee.returnToLine(before: end)
        try rejectLine(to: endOfLine(from: lineBegin) ?? count)
        return true
    }

    /// The end of the complete lines without invalid bytes, or nil if no line is complete yet.
    private func endOfLines(isValid: Bool) -> Int? {
        var end = count
        if !isValid, let first = invalidOffsets.first {
            end = max(lineBegin, min(count, first - base))
            let hasWholeLine = endOfLine(from: end) != nil || isFinal
            while end > lineBegin, bytes[end - 1] != 0x0A { end -= 1 }
            return end > lineBegin || hasWholeLine ? end : nil
        }
        if isFinal { return end > lineBegin ? end : nil }
        // Each byte is searched once, even if lines are rejected one by one.
        while end > max(lineBegin, searched), bytes[end - 1] != 0x0A { end -= 1 }
        if end > max(lineBegin, searched) { lastFeed = end }
        searched = count
        return lastFeed > lineBegin ? lastFeed : nil
    }

    /// The number of blanks that may surround the largest record on a line.
    private static let lineSlack = 64 << 10

    /// Handles an incomplete line, which may be too long, or empty at the end of the source.
    private func waitForLine() throws -> Bool {
        guard count - lineBegin <= core.pointee.maxRecord + RecordParser.lineSlack else {
            let start = bytes[lineBegin...].firstIndex { !$0.isJSONBlank } ?? lineBegin
            try handleFault(recordTooLong(at: start))
            return true
        }
        guard isFinal else { return false }
        mode = .finished
        return true
    }

    /// The offset after the line feed of the line at `offset`.
    private func endOfLine(from offset: Int) -> Int? {
        guard offset < count, let found = memchr(block.bytes + offset, 0x0A, count - offset) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(block.bytes) + 1
    }

    func finishLine(at end: Int) {
        lineBegin = end
        searched = max(searched, end)
        fed = end
        core.pointee.anchor = end
    }

    /// Rejects the current line and prepares for the next one.
    private func rejectLine(to end: Int) throws {
        var tokenizer = Tokenizer(
            UnsafeRawBufferPointer(rebasing: bytes[..<end]), at: lineBegin, isFinal: true, limits: options.limits)
        var fault = ruleViolation
        var steps: [PathStep] = []
        // A rule violation, such as a record that is too long, has precedence unless the text is invalid before it.
        if let found = tokenizer.firstFault(),
            fault.map({ found.offset < $0.offset || $0.code == .syntaxTrailing }) ?? true
        {
            fault = found
            steps = tokenizer.steps(outermost: 0)
        }
        let start = bytes[lineBegin..<end].firstIndex { !$0.isJSONBlank } ?? lineBegin
        var last = end
        while last > start, bytes[last - 1].isJSONBlank { last -= 1 }
        // The position of a truncated line is its end, not the start of the next line.
        if let found = fault, found.code == .syntaxTruncated { fault?.offset = min(found.offset, last) }
        let error = makeError(
            (fault ?? yajlFault(at: start)).describingFound(in: bytes),
            record: routes.paths.isEmpty ? nil : firstNumber + core.pointee.number + 1, steps: steps)
        leaveAllContainers()
        try reject(error, from: start, to: last, isRecord: true)
        resumePointAfterReject = ResumePoint(offset: base + end, verifiedBytes: verifiedBytes)
        restartYajl(expecting: .value)
        dropInvalidOffsets(before: end)
        finishLine(at: end)
    }

    /// Returns to the top of the text.
    func leaveAllContainers() {
        core.pointee.depth = 0
        core.pointee.keyBytesCount = 0
        core.pointee.recordDepth = -1
        core.pointee.next = core.pointee.rootNext
        core.pointee.contextIsStale = true
    }
}
