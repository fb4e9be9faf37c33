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
    /// Reads the next line; false when more bytes are needed.
    func feedLine() throws -> Bool {
        guard let end = endOfLine() else {
            searched = count
            guard count - lineBegin <= core.pointee.maxRecord + ReadLimits.lineSlack else {
                let start = bytes[lineBegin...].firstIndex { !$0.isJSONBlank } ?? lineBegin
                try handleFault(recordTooLong(at: start))
                return true
            }
            guard isFinal else { return false }
            guard lineBegin < count else {
                mode = .finished
                return true
            }
            try readLine(to: count)
            return true
        }
        try readLine(to: end)
        return true
    }

    /// The offset behind the line feed of the line in hand.
    private func endOfLine() -> Int? {
        guard searched < count, let found = memchr(block.bytes + searched, 0x0A, count - searched) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(block.bytes) + 1
    }

    /// Reads the line from `lineBegin` to `end`.
    private func readLine(to end: Int) throws {
        let entryCount = core.pointee.entryCount
        let tapeCount = core.pointee.tapeCount
        let number = core.pointee.number
        core.pointee.valueCount = 0
        core.pointee.anchor = lineBegin
        core.pointee.expectation = .value
        var isGood = violations.first.map { $0 - base >= end } ?? true
        if isGood {
            isGood = feedWindow(lineBegin, end - lineBegin, at: UnsafePointer(block.bytes + lineBegin)) == yajl_status_ok
        }
        if isGood, bytes[end - 1] != 0x0A { isGood = feedFinalBlank() == yajl_status_ok }
        let isBlank = core.pointee.valueCount == 0
        isGood = isGood && core.pointee.depth == 0 && core.pointee.recordDepth < 0
        if isGood, core.pointee.valueCount == 1 || isBlank && bytes[lineBegin..<end].allSatisfy(\.isJSONBlank) {
            finishLine(at: end)
            return
        }
        // What the line has given so far goes with it.
        core.pointee.entryCount = entryCount
        core.pointee.tapeCount = tapeCount
        core.pointee.number = number
        try rejectLine(to: end)
    }

    func finishLine(at end: Int) {
        lineBegin = end
        searched = end
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
                steps = path(of: tokenizer)
            }
        }
        let start = bytes[lineBegin..<end].firstIndex { !$0.isJSONBlank } ?? lineBegin
        var last = end
        while last > start, bytes[last - 1].isJSONBlank { last -= 1 }
        let error = makeError(fault ?? yajlFault(at: start), record: firstNumber + core.pointee.number + 1, steps: steps)
        try reject(error, from: start, to: last, isRecord: true)
        settledByReject = (base + end, [])
        leaveAllContainers()
        arm(expecting: .value)
        passViolations(before: end)
        finishLine(at: end)
    }

    /// Stands at the top of the text again.
    func leaveAllContainers() {
        core.pointee.depth = 0
        core.pointee.keyBytesCount = 0
        core.pointee.recordDepth = -1
        core.pointee.next = core.pointee.describe(routes.start)
        core.pointee.contextIsStale = true
    }
}

extension ReadLimits {
    /// Blanks that a line may have around a record of the largest size.
    static let lineSlack = 64 << 10
}
