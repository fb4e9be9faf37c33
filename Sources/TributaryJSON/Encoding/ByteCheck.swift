/// Finds, in one pass over the raw bytes, what yajl lets through although RFC 8259 does not.
///
/// yajl takes form feed and vertical tab for blanks, accepts overlong UTF-8, surrogates and numbers above U+10FFFF,
/// and replaces the lone half of an escaped surrogate pair by `?`. All of that shows in the bytes alone, without
/// knowing the grammar, so the thread that reads ahead can look for it while yajl is busy with earlier bytes. Most
/// text is plain ASCII without a backslash and passes eight bytes at a time.
struct ByteCheck {
    /// Where in a text the next byte stands, as far as this check must know.
    private enum State {
        case plain
        /// Continuation bytes still to come, and the range that the next one must lie in.
        case sequence(start: Int, remaining: Int, low: UInt8, high: UInt8)
        case escape(start: Int)
        /// Hexadecimal digits of `\u` still to come.
        case unit(start: Int, remaining: Int, value: UInt32)
        /// Behind the first half of a pair.
        case pairBackslash(start: Int)
        case pairLetter(start: Int, backslash: Int)
        case pairUnit(start: Int, backslash: Int, remaining: Int, value: UInt32)
    }

    private var state = State.plain

    /// What a buffer holds.
    struct Finding {
        /// Offsets of bytes that must not stand where they stand, in ascending order.
        var violations: [Int] = []
        var lineFeeds = 0
    }

    /// Checks the bytes that follow those of the last call; `offset` is that of the first one in its text.
    mutating func check(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Finding {
        var finding = Finding()
        finding.lineFeeds = LineFeeds.count(in: bytes)
        var index = 0
        let end = bytes.count
        while index < end {
            if case .plain = state {
                index = ByteCheck.firstSuspect(in: bytes, from: index)
                guard index < end else { break }
            }
            index += step(bytes[index], at: offset + index, into: &finding) ? 1 : 0
        }
        return finding
    }

    /// What the end of the text leaves unfinished.
    mutating func finish() -> Int? {
        defer { state = .plain }
        switch state {
        case .sequence(let start, _, _, _): return start
        default: return nil
        }
    }

    /// Takes one byte; false if it must be looked at again in the new state.
    private mutating func step(_ byte: UInt8, at offset: Int, into finding: inout Finding) -> Bool {
        switch state {
        case .plain:
            stepPlain(byte, at: offset, into: &finding)
            return true
        case .sequence(let start, let remaining, let low, let high):
            guard (low...high).contains(byte) else {
                finding.violations.append(start)
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
            finding.violations.append(start)
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
        case 0x0B, 0x0C: finding.violations.append(offset)
        case 0..<0x80: break
        case 0xC2...0xDF: state = .sequence(start: offset, remaining: 1, low: 0x80, high: 0xBF)
        case 0xE0: state = .sequence(start: offset, remaining: 2, low: 0xA0, high: 0xBF)
        case 0xED: state = .sequence(start: offset, remaining: 2, low: 0x80, high: 0x9F)
        case 0xE1...0xEF: state = .sequence(start: offset, remaining: 2, low: 0x80, high: 0xBF)
        case 0xF0: state = .sequence(start: offset, remaining: 3, low: 0x90, high: 0xBF)
        case 0xF1...0xF3: state = .sequence(start: offset, remaining: 3, low: 0x80, high: 0xBF)
        case 0xF4: state = .sequence(start: offset, remaining: 3, low: 0x80, high: 0x8F)
        default: finding.violations.append(offset)
        }
    }

    private mutating func stepUnit(
        _ byte: UInt8, start: Int, remaining: Int, value: UInt32, into finding: inout Finding
    ) -> Bool {
        // What is no digit, yajl and the tokenizer refuse by themselves.
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
            finding.violations.append(start)
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
            // Another first half: it may have its own partner.
            finding.violations.append(start)
            state = .pairBackslash(start: backslash)
        default:
            finding.violations.append(start)
            state = .plain
        }
        return true
    }

    private mutating func brokenPair(_ start: Int, into finding: inout Finding) -> Bool {
        finding.violations.append(start)
        state = .plain
        return false
    }

    /// The index of the first byte from `index` on that is not ASCII, a backslash, a vertical tab or a form feed.
    @inline(__always)
    private static func firstSuspect(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        while index + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            // The high bit of each byte that is equal to the pattern; bytes above a match may be marked by the
            // borrow, which costs a second look and nothing else.
            let slash = word ^ (ones &* 0x5C)
            let tab = word ^ (ones &* 0x0B)
            let feed = word ^ (ones &* 0x0C)
            let hits =
                word | ((slash &- ones) & ~slash) | ((tab &- ones) & ~tab) | ((feed &- ones) & ~feed)
            if hits & highs != 0 { break }
            index += 8
        }
        while index < bytes.count {
            let byte = bytes[index]
            if byte >= 0x80 || byte == 0x5C || byte == 0x0B || byte == 0x0C { return index }
            index += 1
        }
        return index
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
