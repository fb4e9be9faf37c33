import TributaryPlatform

/// Handles the text between records: follows the containers along the paths.
extension ParserCore {
    /// Handles a scalar outside of any record; `start` is the offset of its first byte.
    mutating func outsideScalar(_ kind: TapeWord.Kind, offset: Int, length: Int, start: Int) -> Int32 {
        guard beginValue(at: start) else { return ParserCore.stop }
        if depth == 0, rootRule != .any { return stop(because: .wrongRoot, at: start) }
        let end = tokenEnd
        if next.route >= 0 {
            beginRecord(next.route, at: start, isObject: false)
            append(TapeWord(kind, offset: offset, length: length))
            return endRecord(at: end)
        }
        if !surveysPlaces, leavesPath { report(.scalar, depth: depth, contents: 0) }
        return endValue(at: end) ? 1 : ParserCore.stop
    }

    /// Whether the next value, which is not a record, is the first on its path that no record path leads to.
    private var leavesPath: Bool {
        mutating get {
            // Recovery from damage may have left the container that was counted.
            if depth < outsideDepth { outsideDepth = -1 }
            return outsideDepth < 0 && depth > 0 && next.positions == 0 && frames[depth - 1].positions != 0
        }
    }

    /// Reports a value in the innermost of `depth` containers, which is outside of all record paths.
    private mutating func report(_ kind: OutsideValues.Kind, depth: Int, contents: Int) {
        let frames = UnsafeBufferPointer(start: frames, count: depth)
        var values = OutsideValues(path: "", kind: kind)
        values.count = 1
        if kind != .scalar {
            (values.contents, values.objects, values.innerObjects) = (contents, outsideObjects, outsideInnerObjects)
        }
        let (keyBytes, after) = (keyBytes, entryCount)
        owner._withUnsafeGuaranteedRef { $0.outside.add(values, frames, keyBytes: keyBytes, after: after) }
    }

    mutating func outsideStart(isObject: Bool) -> Int32 {
        let end = tokenEnd
        guard beginValue(at: end - 1) else { return ParserCore.stop }
        if depth == 0, rootRule != .any, (rootRule == .object) != isObject {
            return stop(because: .wrongRoot, at: end - 1)
        }
        let route = isObject ? next.route : next.arrayRoute
        if route >= 0 {
            beginRecord(route, at: end - 1, isObject: isObject)
            if isObject, entry.flags.contains(.isKeyed) {
                // The start word of the keyed record is also the start word of the object.
                guard depth < maxDepth else { return ParserCore.stop }
                depth += 1
                opens[depth] = Int(entry.tape)
                return 1
            }
            return recordStart(isObject ? .object : .array)
        }
        guard depth < maxDepth else { return ParserCore.stop }
        if surveysPlaces { surveyStart(isObject: isObject) }
        let leavesPath = !surveysPlaces && leavesPath
        if isObject, outsideDepth > 0, depth >= outsideDepth, !frames[depth - 1].isObject {
            if depth == outsideDepth { outsideObjects &+= 1 } else { outsideInnerObjects &+= 1 }
        }
        push(isObject: isObject)
        if leavesPath { (outsideDepth, outsideObjects, outsideInnerObjects) = (depth, 0, 0) }
        anchor = end
        expectation = isObject ? .keyOrEnd : .elementOrEnd
        eventCount &+= 1
        return 1
    }

    /// Adds a container to the places of records.
    private mutating func surveyStart(isObject: Bool) {
        let depth = depth
        let frame = depth > 0 ? frames[depth - 1] : nil
        let key = frame.flatMap { frame in
            frame.isObject ? UnsafeBufferPointer(start: keyBytes + frame.keyStart, count: frame.keyCount) : nil
        }
        owner._withUnsafeGuaranteedRef { $0.places.enter(isObject: isObject, depth: depth, key: key) }
    }

    mutating func outsideEnd() -> Int32 {
        if depth == outsideDepth {
            let frame = frames[depth - 1]
            report(frame.isObject ? .object : .array, depth: depth - 1, contents: frame.index)
            outsideDepth = -1
        }
        if surveysPlaces, !frames[depth - 1].isObject {
            let (depth, count) = (depth - 1, frames[depth - 1].index)
            owner._withUnsafeGuaranteedRef { $0.places.leaveArray(depth: depth, count: count) }
        }
        pop()
        closedEnd = tokenEnd
        return endValue(at: tokenEnd) ? 1 : ParserCore.stop
    }

    mutating func outsideKey(_ key: UnsafeRawBufferPointer, word: TapeWord) -> Int32 {
        // The limit does not apply to an object on a path, whose members may be the records.
        let frame = frames[depth - 1]
        if frame.positions == 0, frame.index >= maxKeys { return ParserCore.stop }
        if depth == outsideDepth + 1, frame.index == 0, frames[depth - 2].isObject { countObjectsWithSameFirstKey(key) }
        if surveysPlaces {
            let (depth, isFirst) = (depth, frame.index == 0)
            let isMember = depth > 1 && frames[depth - 2].isObject
            owner._withUnsafeGuaranteedRef { $0.places.add(key, depth: depth, isFirst: isFirst, isMember: isMember) }
        }
        anchor = tokenEnd
        expectation = .colon
        eventCount &+= 1
        setKey(key)
        recordKey = word
        recordKeyStart = word.offset - 1
        return 1
    }

    /// Counts an object among the members of an outer one, if its first key is that of the first of them.
    private mutating func countObjectsWithSameFirstKey(_ key: UnsafeRawBufferPointer) {
        var digest = ByteDigest()
        digest.update(key)
        if outsideObjects == 0 { outsideFirstKey = digest.value }
        if digest.value == outsideFirstKey { outsideObjects &+= 1 }
    }

    /// Makes `key` the latest one of the innermost container.
    mutating func setKey(_ key: UnsafeRawBufferPointer) {
        let frame = frames + (depth - 1)
        frame.pointee.index += 1
        keyBytesCount = frame.pointee.keyStart
        if keyBytesCount + key.count > keyBytesCapacity { growKeyBytes(by: key.count) }
        if let base = key.baseAddress {
            UnsafeMutableRawPointer(keyBytes + keyBytesCount).copyMemory(from: base, byteCount: key.count)
        }
        keyBytesCount += key.count
        frame.pointee.keyCount = key.count
        guard frame.pointee.positions != 0 else { return }
        let positions = owner._withUnsafeGuaranteedRef { $0.routes.member(key, of: frame.pointee.positions) }
        setNext(describe(positions))
        contextIsStale = true
    }

    private mutating func growKeyBytes(by count: Int) {
        keyBytesCapacity = keyBytesCapacity * 2 + count
        keyBytes.grow(to: keyBytesCapacity, keeping: keyBytesCount)
    }

    mutating func describe(_ positions: Routes.Positions) -> Next {
        positions == 0 ? .nothing : owner._withUnsafeGuaranteedRef { $0.routes.next(at: positions) }
    }

    mutating func setNext(_ value: Next) {
        next = value
        if depth > 0 { frames[depth - 1].next = value }
    }

    /// Enters a container that is not a record.
    mutating func push(isObject: Bool) {
        let positions = next.positions
        let spread =
            positions == 0 || isObject ? nil : owner._withUnsafeGuaranteedRef { $0.routes.spreadRoute(at: positions) }
        frames[depth] = Frame(isObject: isObject, positions: positions, keyStart: keyBytesCount)
        depth += 1
        hasOpenedRoot = true
        contextIsStale = true
        if let spread {
            setNext(Next(positions: 0, route: Int32(spread), arrayRoute: Int32(spread)))
        } else if isObject || positions == 0 {
            setNext(.nothing)
            if owner._withUnsafeGuaranteedRef({ $0.routes.wantsMembers(positions) }) { hasMetPath = true }
        } else {
            frames[depth - 1].isUniform = owner._withUnsafeGuaranteedRef { $0.routes.treatsElementsAlike(positions) }
            setNextElement()
        }
        if next.route >= 0 { hasMetPath = true }
    }

    /// Leaves a container that is not a record.
    mutating func pop() {
        depth -= 1
        leastDepth = min(leastDepth, depth)
        keyBytesCount = frames[depth].keyStart
        next = depth > 0 ? frames[depth - 1].next : rootNext
        contextIsStale = true
    }

    mutating func setNextElement() {
        let frame = frames[depth - 1]
        setNext(
            describe(owner._withUnsafeGuaranteedRef { $0.routes.element(frame.index, of: frame.positions) }))
    }

    /// Begins a value outside of records; false if a top-level value is not separated from the one before it.
    @inline(__always)
    private mutating func beginValue(at start: Int) -> Bool {
        depth > 0 || beginTopValue(at: start)
    }

    private mutating func beginTopValue(at start: Int) -> Bool {
        valueStart = start
        if valueRule == .line { return beginLine(at: start) }
        guard valueCount > 0 else { return true }
        switch valueRule {
        case .one:
            _ = stop(because: .secondValue, at: start)
            return false
        case .separated where start == valueEnd, .glued where start == valueEnd && !isDelimited(start):
            _ = stop(because: .gluedValues, at: start)
            return false
        default: return true
        }
    }

    // MARK: Lines

    /// Prepares for lines, the first of which begins at `begin`.
    mutating func beginLines(at begin: Int) {
        valueCount = 0
        valueEnd = begin
        anchor = begin
        expectation = .value
        line = Line(begin: begin, entryCount: entryCount, tapeCount: tapeCount, number: number)
    }

    /// Begins a top-level value of NDJSON, which must be on a later line than the one before it.
    private mutating func beginLine(at start: Int) -> Bool {
        var begin = start
        while begin > valueEnd, arena[begin - 1] != UInt8(ascii: "\n") { begin -= 1 }
        guard begin > valueEnd || valueCount == 0 else {
            _ = stop(because: .secondValue, at: start)
            return false
        }
        line = Line(begin: begin, entryCount: entryCount, tapeCount: tapeCount, number: number)
        return true
    }

    /// After a fault: discards the records of the damaged line, and returns the offset at which that line begins.
    mutating func returnToLine(before end: Int) -> Int {
        var begin = line.begin
        if depth == 0, recordDepth < 0, ruleViolation == .none {
            // The value of the current line is complete; if the rest of the line is blank, a later line is damaged.
            var next = max(valueEnd, begin)
            while next < end, arena[next].isJSONBlank {
                next += 1
                if arena[next - 1] == UInt8(ascii: "\n") { begin = next }
            }
        }
        if begin == line.begin {
            entryCount = line.entryCount
            tapeCount = line.tapeCount
            number = line.number
        }
        return begin
    }

    /// Whether the top-level value that ends at `end` is on one line.
    private mutating func isOnOneLine(_ end: Int) -> Bool {
        memchr(arena + valueStart, 0x0A, end - valueStart) == nil
    }

    /// Whether the byte before `start`, or the byte at `start`, is a bracket or a quote.
    private mutating func isDelimited(_ start: Int) -> Bool {
        let delimiters: [UInt8] = [0x22, 0x5B, 0x5D, 0x7B, 0x7D]
        return delimiters.contains(arena[start - 1]) || delimiters.contains(arena[start])
    }

    /// Ends a value outside of records, or a record; false if yajl must stop.
    @discardableResult
    mutating func endValue(at end: Int) -> Bool {
        anchor = end
        eventCount &+= 1
        guard depth > 0 else {
            valueCount &+= 1
            valueEnd = end
            expectation = .nothing
            return valueRule != .line || isOnOneLine(end) || stop(because: .lineBreak, at: end) != ParserCore.stop
        }
        expectation = .commaOrEnd
        let frame = frames + (depth - 1)
        if frame.pointee.isObject {
            setNext(.nothing)
        } else {
            frame.pointee.index += 1
            if !frame.pointee.isUniform { setNextElement() }
        }
        return true
    }
}
