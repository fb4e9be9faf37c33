/// Finds, in one pass over the raw bytes, what yajl accepts although RFC 8259 forbids it.
///
/// yajl accepts form feeds and vertical tabs as blanks, overlong UTF-8, encoded surrogates, and code points above
/// U+10FFFF, and it replaces half of an escaped surrogate pair by `?`. The bytes alone show all of this, without the
/// grammar, so the thread that reads ahead can check for it while yajl parses earlier bytes. Most text is plain ASCII
/// without a backslash, which is checked sixteen bytes at a time.
struct ByteCheck {
    /// The state between two bytes.
    private enum State {
        case plain
        /// In a UTF-8 sequence: the number of missing continuation bytes, and the range of the next one.
        case sequence(start: Int, remaining: Int, low: UInt8, high: UInt8)
        case escape(start: Int)
        /// In a `\u` escape: the number of missing hexadecimal digits.
        case unit(start: Int, remaining: Int, value: UInt32)
        /// After the first half of a surrogate pair.
        case pairBackslash(start: Int)
        case pairLetter(start: Int, backslash: Int)
        case pairUnit(start: Int, backslash: Int, remaining: Int, value: UInt32)
    }

    private var state = State.plain

    /// The result for one buffer.
    struct Finding {
        /// Offsets of invalid bytes, in ascending order.
        var invalidOffsets: [Int] = []

        /// Adds the offset of an invalid byte; of adjacent ones only the first is kept.
        mutating func add(_ offset: Int) {
            defer { latest = offset }
            if latest + 1 != offset || invalidOffsets.isEmpty { invalidOffsets.append(offset) }
        }

        private var latest = -2
        var lineFeeds = 0
    }

    /// Checks the bytes that follow those of the last call; `offset` is the offset of the first one in its text.
    mutating func check(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Finding {
        var finding = Finding()
        finding.lineFeeds = LineFeeds.count(in: bytes)
        var index = 0
        let end = bytes.count
        while index < end {
            if case .plain = state {
                index = ByteCheck.firstSuspect(in: bytes, from: index)
                guard index < end else { break }
                let length = ByteCheck.simpleSequence(in: bytes, at: index)
                if length > 0 {
                    index += length
                    continue
                }
            }
            index += step(bytes[index], at: offset + index, into: &finding) ? 1 : 0
        }
        return finding
    }

    /// The start of a UTF-8 sequence that the end of the text truncates, or nil.
    mutating func finish() -> Int? {
        defer { state = .plain }
        guard case .sequence(let start, _, _, _) = state else { return nil }
        return start
    }

    /// Processes one byte; false if it must be processed again in the new state.
    private mutating func step(_ byte: UInt8, at offset: Int, into finding: inout Finding) -> Bool {
        switch state {
        case .plain:
            stepPlain(byte, at: offset, into: &finding)
            return true
        case .sequence(let start, let remaining, let low, let high):
            guard (low...high).contains(byte) else {
                finding.add(start)
                state = .plain
                return false
            }
            state = remaining == 1 ? .plain : .sequence(start: start, remaining: remaining - 1, low: 0x80, high: 0xBF)
            return true
        case .escape(let start):
            state = byte == UInt8(ascii: "u") ? .unit(start: start, remaining: 4, value: 0) : .plain
            return byte < 0x80
        case .unit(let start, let remaining, let value):
            return stepUnit(byte, start: start, remaining: remaining, value: value, into: &finding)
        case .pairBackslash(let start):
            guard byte == UInt8(ascii: "\\") else { return brokenPair(start, into: &finding) }
            state = .pairLetter(start: start, backslash: offset)
            return true
        case .pairLetter(let start, let backslash):
            if byte == UInt8(ascii: "u") {
                state = .pairUnit(start: start, backslash: backslash, remaining: 4, value: 0)
                return true
            }
            finding.add(start)
            state = .plain
            return byte < 0x80
        case .pairUnit(let start, let backslash, let remaining, let value):
            return stepPair(
                byte, start: start, backslash: backslash, remaining: remaining, value: value, into: &finding)
        }
    }

    private mutating func stepPlain(_ byte: UInt8, at offset: Int, into finding: inout Finding) {
        switch byte {
        case UInt8(ascii: "\\"): state = .escape(start: offset)
        case 0x0B, 0x0C: finding.add(offset)
        case 0..<0x80: break
        case 0xC2...0xDF: state = .sequence(start: offset, remaining: 1, low: 0x80, high: 0xBF)
        case 0xE0: state = .sequence(start: offset, remaining: 2, low: 0xA0, high: 0xBF)
        case 0xED: state = .sequence(start: offset, remaining: 2, low: 0x80, high: 0x9F)
        case 0xE1...0xEF: state = .sequence(start: offset, remaining: 2, low: 0x80, high: 0xBF)
        case 0xF0: state = .sequence(start: offset, remaining: 3, low: 0x90, high: 0xBF)
        case 0xF1...0xF3: state = .sequence(start: offset, remaining: 3, low: 0x80, high: 0xBF)
        case 0xF4: state = .sequence(start: offset, remaining: 3, low: 0x80, high: 0x8F)
        default: finding.add(offset)
        }
    }

    private mutating func stepUnit(
        _ byte: UInt8, start: Int, remaining: Int, value: UInt32, into finding: inout Finding
    ) -> Bool {
        // yajl and the tokenizer reject an invalid digit by themselves.
        guard let digit = byte.hexadecimalValue else {
            state = .plain
            return false
        }
        let value = value << 4 | UInt32(digit)
        guard remaining == 1 else {
            state = .unit(start: start, remaining: remaining - 1, value: value)
            return true
        }
        switch value {
        case 0xD800...0xDBFF: state = .pairBackslash(start: start)
        case 0xDC00...0xDFFF:
            finding.add(start)
            state = .plain
        default: state = .plain
        }
        return true
    }

    private mutating func stepPair(
        _ byte: UInt8, start: Int, backslash: Int, remaining: Int, value: UInt32, into finding: inout Finding
    ) -> Bool {
        guard let digit = byte.hexadecimalValue else { return brokenPair(start, into: &finding) }
        let value = value << 4 | UInt32(digit)
        guard remaining == 1 else {
            state = .pairUnit(start: start, backslash: backslash, remaining: remaining - 1, value: value)
            return true
        }
        switch value {
        case 0xDC00...0xDFFF: state = .plain
        case 0xD800...0xDBFF:
            // Another first half, which may have its own second half.
            finding.add(start)
            state = .pairBackslash(start: backslash)
        default:
            finding.add(start)
            state = .plain
        }
        return true
    }

    private mutating func brokenPair(_ start: Int, into finding: inout Finding) -> Bool {
        finding.add(start)
        state = .plain
        return false
    }

    /// The index of the first byte from `start` on that is not ASCII, a backslash, a vertical tab or a form feed.
    @inline(__always)
    private static func firstSuspect(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        let low = SIMD16<UInt8>(repeating: 0x7F)
        while index + 16 <= bytes.count {
            let block = bytes.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
            // `slash` and `blank` are zero at a backslash, or at a vertical tab or form feed; `others` has the high bit
            // of each other byte. Sums compute it, because vectors are compared byte by byte.
            let slash = block ^ SIMD16(repeating: 0x5C)
            let blank = (block &- SIMD16(repeating: 0x0B)) & SIMD16(repeating: 0xFE)
            let others = (slash | ((slash & low) &+ low)) & (blank | ((blank & low) &+ low))
            let halves = unsafeBitCast((block | ~others) & ~low, to: SIMD2<UInt64>.self)
            if halves[0] != 0 { return index + UInt64(littleEndian: halves[0]).trailingZeroBitCount / 8 }
            if halves[1] != 0 { return index + 8 + UInt64(littleEndian: halves[1]).trailingZeroBitCount / 8 }
            index += 16
        }
        while index < bytes.count {
            let byte = bytes[index]
            if byte >= 0x80 || byte == 0x5C || byte == 0x0B || byte == 0x0C { return index }
            index += 1
        }
        return index
    }

    /// The length of a simple escape, or of a character of two or three bytes, at `index`; 0 for anything else.
    @inline(__always)
    private static func simpleSequence(in bytes: UnsafeRawBufferPointer, at index: Int) -> Int {
        guard index + 3 <= bytes.count else { return 0 }
        let second = bytes[index + 1]
        switch bytes[index] {
        case UInt8(ascii: "\\"): return second != UInt8(ascii: "u") && second < 0x80 ? 2 : 0
        case 0xC2...0xDF: return second & 0xC0 == 0x80 ? 2 : 0
        case 0xE1...0xEC, 0xEE, 0xEF: return second & 0xC0 == 0x80 && bytes[index + 2] & 0xC0 == 0x80 ? 3 : 0
        default: return 0
        }
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit.
    @inline(__always)
    var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
