import CTributaryStructure

/// Finds, in one pass over the raw bytes, what yajl accepts although RFC 8259 forbids it.
///
/// yajl accepts form feeds and vertical tabs as blanks, overlong UTF-8, encoded surrogates, and code points above
/// U+10FFFF, and it replaces half of an escaped surrogate pair by `?`. The bytes alone show all of this, without the
/// grammar. Most text is plain ASCII without a backslash, which is checked 64 bytes at a time.
struct ByteCheck {
    /// The state between two bytes.
    private enum State {
        case plain
        /// In a UTF-8 sequence: the number of missing continuation bytes, and the range of the next one.
        case sequence(start: Int, remaining: Int, low: UInt8, high: UInt8)
        /// After a backslash at `start`; `half` is the first half of a surrogate pair right before it.
        case escape(start: Int, half: Int?)
        /// In a `\u` escape: the number of missing hexadecimal digits.
        case unit(start: Int, half: Int?, remaining: Int, value: UInt32)
        /// After the first half of a surrogate pair.
        case half(start: Int)
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
        case .escape(let start, let half):
            if byte == UInt8(ascii: "u") {
                state = .unit(start: start, half: half, remaining: 4, value: 0)
                return true
            }
            if let half { finding.add(half) }
            state = .plain
            return byte < 0x80
        case .unit(let start, let half, let remaining, let value):
            return stepUnit(byte, start: start, half: half, remaining: remaining, value: value, into: &finding)
        case .half(let start):
            guard byte == UInt8(ascii: "\\") else {
                finding.add(start)
                state = .plain
                return false
            }
            state = .escape(start: offset, half: start)
            return true
        }
    }

    private mutating func stepPlain(_ byte: UInt8, at offset: Int, into finding: inout Finding) {
        switch byte {
        case UInt8(ascii: "\\"): state = .escape(start: offset, half: nil)
        case 0x0B, 0x0C: finding.add(offset)
        case 0..<0x80: break
        default:
            guard let (width, second) = byte.sequenceBounds else { return finding.add(offset) }
            state = .sequence(
                start: offset, remaining: width - 1, low: second.lowerBound, high: second.upperBound)
        }
    }

    private mutating func stepUnit(
        _ byte: UInt8, start: Int, half: Int?, remaining: Int, value: UInt32, into finding: inout Finding
    ) -> Bool {
        let digit = byte.hexadecimalValue
        let value = value << 4 | UInt32(digit ?? 0)
        if digit != nil, remaining > 1 {
            state = .unit(start: start, half: half, remaining: remaining - 1, value: value)
            return true
        }
        // yajl and the tokenizer reject an invalid digit by themselves.
        let isSecondHalf = digit != nil && (0xDC00...0xDFFF).contains(value)
        if let half, !isSecondHalf { finding.add(half) }
        if half == nil, isSecondHalf { finding.add(start) }
        // After a first half, another one may have its own second half.
        state = digit != nil && (0xD800...0xDBFF).contains(value) ? .half(start: start) : .plain
        return digit != nil
    }

    /// The index of the first byte from `start` on that is not ASCII, a backslash, a vertical tab or a form feed.
    @inline(__always)
    private static func firstSuspect(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        // Suspects are often close together, as in text that is not English.
        let first = bytes[start]
        guard first < 0x80, first != 0x5C, first != 0x0B, first != 0x0C, let base = bytes.baseAddress else {
            return start
        }
        let next = start + 1
        return next
            + tributary_first_suspect(
                (base + next).assumingMemoryBound(to: UInt8.self), bytes.count - next, LineFeeds.isPortable)
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
    /// The length of the UTF-8 character that begins with this byte, and the bounds of its second byte, which exclude
    /// overlong forms, surrogates, and code points above U+10FFFF; nil for other bytes, ASCII among them.
    @inline(__always)
    var sequenceBounds: (width: Int, second: ClosedRange<UInt8>)? {
        switch self {
        case 0xC2...0xDF: (2, 0x80...0xBF)
        case 0xE0: (3, 0xA0...0xBF)
        case 0xED: (3, 0x80...0x9F)
        case 0xE1...0xEF: (3, 0x80...0xBF)
        case 0xF0: (4, 0x90...0xBF)
        case 0xF1...0xF3: (4, 0x80...0xBF)
        case 0xF4: (4, 0x80...0x8F)
        default: nil
        }
    }

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
