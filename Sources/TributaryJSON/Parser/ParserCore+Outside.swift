import CTributaryYajl

/// Between the records: following the containers along the paths.
extension ParserCore {
    /// A scalar outside of any record; `start` is its first byte.
    mutating func outsideScalar(_ kind: TapeWord.Kind, offset: Int, length: Int, start: Int) -> Int32 {
        guard beginValue(at: start) else { return ParserCore.stop }
        let end = tokenEnd
        if next.route >= 0 {
            beginRecord(next.route, at: start, isObject: false)
            append(TapeWord(kind, offset: offset, length: length))
            return endRecord(at: end)
        }
        endValue(at: end)
        return 1
    }

    mutating func outsideStart(isObject: Bool) -> Int32 {
        let end = tokenEnd
        guard beginValue(at: end - 1) else { return ParserCore.stop }
        let route = isObject ? next.route : next.arrayRoute
        if route >= 0 {
            beginRecord(route, at: end - 1, isObject: isObject)
            if isObject, entry.flags.contains(.isKeyed) {
                // The synthetic start word serves the object itself.
                guard depth < maxDepth else { return ParserCore.stop }
                depth += 1
                opens[depth] = Int(entry.tape)
                return 1
            }
            return recordStart(isObject ? .object : .array)
        }
        guard depth < maxDepth else { return ParserCore.stop }
        push(isObject: isObject)
        anchor = end
        expectation = isObject ? .keyOrEnd : .elementOrEnd
        eventCount &+= 1
        return 1
    }

    mutating func outsideEnd() -> Int32 {
        pop()
        endValue(at: tokenEnd)
        return 1
    }

    /// A key outside of any record. `start` is the offset of its first byte behind the quote.
    mutating func outsideKey(_ key: UnsafeRawBufferPointer, word: TapeWord, start: Int, isTooLong: Bool) -> Int32 {
        guard !isTooLong else { return ParserCore.stop }
        anchor = tokenEnd
        expectation = .colon
        eventCount &+= 1
        setKey(key)
        recordKey = word
        recordKeyStart = start - 1
        return 1
    }

    /// Notes `key` as the latest one of the innermost container.
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
        let capacity = keyBytesCapacity * 2 + count
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: keyBytes, count: keyBytesCount)
        keyBytes.deallocate()
        keyBytes = larger
        keyBytesCapacity = capacity
    }

    mutating func describe(_ positions: Routes.Positions) -> Next {
        guard positions != 0 else { return .nothing }
        return owner._withUnsafeGuaranteedRef { parser in
            Next(
                positions: positions,
                route: Int32(parser.routes.record(at: positions, isArray: false) ?? -1),
                arrayRoute: Int32(parser.routes.record(at: positions, isArray: true) ?? -1))
        }
    }

    mutating func setNext(_ value: Next) {
        next = value
        if depth > 0 { frames[depth - 1].next = value }
    }

    /// Enters a container that is no record.
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
        } else {
            frames[depth - 1].isUniform = owner._withUnsafeGuaranteedRef { $0.routes.treatsElementsAlike(positions) }
            setNextElement()
        }
    }

    /// Leaves a container that is no record.
    mutating func pop() {
        depth -= 1
        keyBytesCount = frames[depth].keyStart
        next = depth > 0 ? frames[depth - 1].next : .nothing
        contextIsStale = true
    }

    mutating func setNextElement() {
        let frame = frames[depth - 1]
        setNext(
            describe(owner._withUnsafeGuaranteedRef { $0.routes.element(frame.index, of: frame.positions) }))
    }

    /// Before each value outside of records: top-level values must be divided.
    private mutating func beginValue(at start: Int) -> Bool {
        guard depth == 0, valueCount > 0 else { return true }
        switch valueRule {
        case .one:
            _ = object(.secondValue, at: start)
            return false
        case .separated where start == valueEnd, .glued where start == valueEnd && !isDelimited(start):
            _ = object(.gluedValues, at: start)
            return false
        default: return true
        }
    }

    /// Whether a bracket or a quote stands on one side of the border before `start`.
    private mutating func isDelimited(_ start: Int) -> Bool {
        let delimiters: [UInt8] = [0x22, 0x5B, 0x5D, 0x7B, 0x7D]
        return delimiters.contains(arena[start - 1]) || delimiters.contains(arena[start])
    }

    /// After each value outside of records, and after each record.
    mutating func endValue(at end: Int) {
        anchor = end
        eventCount &+= 1
        guard depth > 0 else {
            valueCount &+= 1
            valueEnd = end
            expectation = .nothing
            return
        }
        expectation = .commaOrEnd
        let frame = frames + (depth - 1)
        if frame.pointee.isObject {
            setNext(.nothing)
        } else {
            frame.pointee.index += 1
            if !frame.pointee.isUniform { setNextElement() }
        }
    }
}
