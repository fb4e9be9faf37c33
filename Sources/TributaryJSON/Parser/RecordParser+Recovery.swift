extension RecordParser {
    /// Handles text that yajl, the byte check or a limit has rejected.
    func handleFault(_ known: Tokenizer.Fault? = nil) throws {
        if core.pointee.recordDepth < 0 { moveAnchor() }
        let (fault, steps) = locate(known ?? ruleViolation)
        if isComplete(fault) {
            try report(fault, steps)
        } else {
            mode = .reporting(fault, steps)
        }
    }

    func isComplete(_ fault: Tokenizer.Fault) -> Bool {
        guard fault.offset < count, !isFinal else { return true }
        return fault.offset + Tokenizer.width(of: bytes[fault.offset]) <= count
    }

    /// Makes an error of a fault, and starts to skip the damaged part if the policy permits.
    func report(_ found: Tokenizer.Fault, _ steps: [PathStep]) throws {
        let isInRecord = core.pointee.recordDepth >= 0
        let strayBracket = options.onError == .stop ? nil : strayBracket(found)
        let fault = found.describingFound(in: bytes)
        let unit = unit(of: fault)
        let replacesLastRecord = options.onError != .stop && strayBracket == nil && invalidatesLastRecord(found)
        if (strayBracket != nil && !isInRecord) || replacesLastRecord { removeLastRecord() }
        // Between concatenated values, the parts of a record without its bracket were read as values.
        while replacesLastRecord, shape.framing != .text, isLastRecordUnlikeOthers { removeLastRecord() }
        let isRecord = isInRecord || strayBracket != nil || expectsRecord(fault)
        var start = isInRecord || awaitsKeyedRecord ? recordStart : core.pointee.anchor
        if fault.code == .syntaxTrailing, shape.framing == .text { start = max(prefix, core.pointee.valueEnd - 1) }
        if case .line = unit { start = fault.offset }
        if let strayBracket { start = strayBracket }
        if replacesLastRecord { start = Int(core.pointee.entries[core.pointee.entryCount].raw) }
        let error = makeError(
            fault, record: isRecord ? firstNumber + core.pointee.number + 1 : nil, steps: steps)
        if isInRecord { core.pointee.tapeCount = Int(core.pointee.entry.tape) }
        guard options.onError != .stop, let unit else {
            core.pointee.recordDepth = -1
            mode = .finished
            try publish()
            throw error
        }
        var damage = Damage(error: error, unit: unit, isRecord: isRecord, start: start, offset: fault.offset)
        damage.firstTry =
            strayBracket.map { BorderSearch.Border(offset: $0 + 1, expectation: .value) } ?? firstTry(fault)
        let depths = leave(unit)
        core.pointee.recordDepth = -1
        switch (fault.code.isLimit && strayBracket == nil, unit) {
        case (true, _), (_, .line), (_, .rest):
            // The text is valid JSON, so its end can be found without keeping its bytes.
            mode = .dropping(damage, StructureScan(unit, at: start, inside: isInRecord ? [] : depths))
        default:
            damage.inner = isInRecord ? [] : depths
            mode = .seeking(damage)
        }
    }

    /// The border to try first: after the end of an array, or before its start, a record may follow at once.
    private func firstTry(_ fault: Tokenizer.Fault) -> BorderSearch.Border? {
        guard shape.framing == .text, fault.offset < count, core.pointee.recordDepth < 0 else { return nil }
        let byte = bytes[fault.offset]
        let isAtBorder = fault.code == .syntaxTrailing || fault.code == .shapeMissing || hasClosedTooEarly(fault)
        let lacksComma =
            fault.code == .syntaxUnexpected && core.pointee.expectation == .commaOrEnd && "{[".utf8.contains(byte)
        guard isAtBorder || lacksComma else { return nil }
        let isComma = byte == UInt8(ascii: ",")
        return BorderSearch.Border(offset: fault.offset, expectation: isComma ? .commaOrEnd : .value)
    }

    private var recordStart: Int {
        awaitsKeyedRecord || core.pointee.entry.flags.contains(.isKeyed)
            ? core.pointee.recordKeyStart : Int(core.pointee.entry.raw)
    }

    /// Whether the key of a record has been read, but its value has not.
    var awaitsKeyedRecord: Bool {
        guard core.pointee.recordDepth < 0, core.pointee.depth > 0, core.pointee.next.route >= 0 else { return false }
        return core.pointee.frames[core.pointee.depth - 1].isObject
    }

    /// The unit that the damaged part is; nil if nothing can follow it.
    private func unit(of fault: Tokenizer.Fault) -> Damage.Unit? {
        if shape.framing == .lines { return .line }
        if fault.code == .syntaxTrailing, shape.framing == .text {
            guard core.pointee.hasOpenedRoot, core.pointee.frames[0].positions != 0 else {
                return routes.paths.isEmpty ? nil : .rest
            }
            return .item(depth: 1)
        }
        if hasClosedTooEarly(fault) { return .item(depth: core.pointee.depth + 1) }
        // The first bracket is missing or damaged, but the paths require its kind.
        if shape.framing == .text, core.pointee.depth == 0, core.pointee.recordDepth < 0, core.pointee.rootRule != .any
        {
            return .item(depth: 1)
        }
        var depth = core.pointee.recordDepth >= 0 ? core.pointee.recordDepth : core.pointee.depth
        while depth > 0 {
            let frame = core.pointee.frames[depth - 1]
            if frame.positions != 0 { return .item(depth: depth) }
            depth -= 1
        }
        return shape.framing == .text ? nil : .value
    }

    /// Whether the bracket before the fault has closed the array of records too early, since a record follows.
    private func hasClosedTooEarly(_ fault: Tokenizer.Fault) -> Bool {
        let depth = core.pointee.depth
        guard shape.framing == .text, fault.code == .syntaxUnexpected, core.pointee.recordDepth < 0, depth > 0,
            fault.offset < count, core.pointee.closedEnd >= prefix, core.pointee.closedEnd <= fault.offset,
            core.pointee.frames[depth].positions != 0, !core.pointee.frames[depth].isObject
        else { return false }
        let between = bytes[core.pointee.closedEnd..<fault.offset].filter { !$0.isJSONBlank }
        guard between.isEmpty || between == [UInt8(ascii: ",")] else { return false }
        return knownSamples().canOpen(bytes[fault.offset])
    }

    private func expectsRecord(_ fault: Tokenizer.Fault) -> Bool {
        guard fault.code != .syntaxTrailing, fault.code != .syntaxTruncated else { return false }
        if core.pointee.next.route >= 0 || core.pointee.next.arrayRoute >= 0 { return true }
        guard core.pointee.depth > 0, core.pointee.expectation != .commaOrEnd else { return false }
        let frame = core.pointee.frames[core.pointee.depth - 1]
        return frame.isObject && routes.wantsMembers(frame.positions)
    }

    /// Leaves the containers inside `unit`; returns for each whether it is an object, outermost first.
    private func leave(_ unit: Damage.Unit) -> [Bool] {
        let target = if case .item(let depth) = unit { depth } else { 0 }
        var left: [Bool] = []
        if core.pointee.recordDepth >= 0 { core.pointee.depth = core.pointee.recordDepth }
        if core.pointee.depth < target {
            if core.pointee.valueCount == 0 {
                core.pointee.next = core.pointee.rootNext
                core.pointee.push(isObject: core.pointee.rootRule == .object)
            } else {
                // The outermost container was closed too early, but its frame is still valid.
                core.pointee.depth = target
                core.pointee.next = core.pointee.frames[target - 1].next
            }
        }
        while core.pointee.depth > target {
            left.append(core.pointee.frames[core.pointee.depth - 1].isObject)
            core.pointee.pop()
        }
        if target == 0 { leaveAllContainers() }
        return left.reversed()
    }

    // MARK: Searching for the next item

    /// Searches for the end of the damaged part; false if more bytes are needed.
    func seek(_ damage: Damage) throws -> Bool {
        guard isFinal || count >= damage.retryAt else { return false }
        let depth = core.pointee.depth
        let frames = (0..<depth).map { level in
            Tokenizer.Frame(isObject: core.pointee.frames[level].isObject)
        }
        var known = knownSamples()
        if damage.isRecord { known.addHead(at: damage.start, of: bytes) }
        let available = count - damage.start
        let budget = 2 << 20 + 8 * (base + damage.start) - verifiedBytes
        var search = BorderSearch(
            bytes: bytes, damage: damage, frames: frames, samples: known, limits: options.limits, isFinal: isFinal,
            budget: budget)
        let outcome = search.run()
        // A search that is repeated with more bytes counts once, so that the pieces of a source make no difference.
        if case .needsMore = outcome {} else { verifiedBytes += budget - search.budget }
        switch outcome {
        case .found(let border):
            try resume(damage, at: border.offset, expecting: border.expectation)
            return true
        case .needsMore where available <= options.limits.recovery:
            var damage = damage
            damage.retryAt = damage.start + available * 2
            mode = .seeking(damage)
            return false
        case .none where isFinal && available <= options.limits.recovery:
            try reject(damage.error, from: damage.start, to: count, isRecord: damage.isRecord)
            // Nothing follows, so a checkpoint here is after the whole text.
            resumePointAfterReject = ResumePoint(offset: base + count, isBehindText: true, verifiedBytes: verifiedBytes)
            mode = .finished
            return true
        default:
            try reject(damage.error, from: damage.start, to: count, isRecord: damage.isRecord)
            mode = .finished
            let place = damage.error.position
            try publish()
            var error = JSONError(
                .recoveryLost, "found no further record in the \(available) bytes after a damaged one",
                hint: "fix the source there, or raise the recovery limit", position: place)
            error.record = damage.error.record
            throw error
        }
    }

    /// Drops the rest of a part that exceeds a limit; false if more bytes are needed.
    func drop(_ damage: inout Damage, _ scan: inout StructureScan) throws -> Bool {
        let from = scan.position
        let outcome = scan.run(bytes)
        let missing = options.limits.rejectedBytes - damage.head.count
        if missing > 0 {
            let begin = max(prefix, damage.head.isEmpty ? min(damage.start, from) : from)
            damage.head += bytes[begin..<scan.position].prefix(missing)
        }
        fed = scan.position
        switch outcome {
        case .needsMore:
            dropInvalidOffsets(before: scan.position)
            mode = .dropping(damage, scan)
            guard isFinal else { return false }
            try reject(damage.error, from: damage.start, to: count, isRecord: damage.isRecord, head: damage.head)
            mode = .finished
            return true
        case .lost(let offset):
            // The rest is damaged too, so the next record is searched for as after any other damage.
            try reject(
                damage.error, from: damage.start, to: offset, isRecord: damage.isRecord, head: damage.head)
            mode = .seeking(
                Damage(error: damage.error, unit: damage.unit, isRecord: false, start: offset, offset: offset))
            return true
        case .end(let end):
            try resume(damage, at: end, expecting: damage.isItem ? .commaOrEnd : .value)
            return true
        }
    }

    /// Rejects the damaged part and continues at `offset`, after it.
    private func resume(_ damage: Damage, at offset: Int, expecting expectation: Tokenizer.Expectation) throws {
        let isRecord = damage.isRecord && offset > damage.start
        try reject(damage.error, from: damage.start, to: offset, isRecord: isRecord, head: damage.head)
        restartYajl(expecting: expectation)
        if damage.isItem { core.pointee.endValue(at: offset) }
        core.pointee.expectation = expectation
        core.pointee.anchor = offset
        core.pointee.valueCount = 0
        fed = offset
        dropInvalidOffsets(before: offset)
        mode = .feeding
        if shape.framing == .lines { finishLine(at: offset) }
    }

    func reject(_ error: JSONError, from start: Int, to end: Int, isRecord: Bool, head: [UInt8] = []) throws {
        if options.onError == .stop {
            mode = .finished
            try publish()
            throw error
        }
        resumePointAfterReject = ResumePoint(offset: base + end, steps: currentSteps, verifiedBytes: verifiedBytes)
        var raw: [UInt8] = []
        if options.onError == .quarantine {
            raw = head.isEmpty ? Array(bytes[max(start, prefix)..<end].prefix(options.limits.rejectedBytes)) : head
        }
        let reject = Reject(error: error, offset: base + start, length: end - start, raw: raw)
        rejects.append((core.pointee.entryCount, reject, verifiedBytes))
        if isRecord { core.pointee.number += 1 }
    }
}

extension JSONError.Code {
    /// Whether the text is valid JSON that exceeds a limit or violates a rule of the reader.
    var isLimit: Bool { rawValue.hasPrefix("limit.") || self == .shapeKeyName }
}
