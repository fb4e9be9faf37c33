extension Tokenizer {
    /// The end of the string that begins at `position`, or nil if more bytes are needed.
    func string(limit: Int, code: JSONError.Code, what: String) throws(Fault) -> Int? {
        var index = position + 1
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                try checkLength(index - position - 1, limit, code, what)
                return index + 1
            case UInt8(ascii: "\\"):
                guard let end = try escape(at: index) else { return try incomplete(limit, code, what) }
                index = end
            case 0..<0x20:
                throw Fault(
                    .textControl, at: index,
                    "found the control character \(Fault.found) in a string, expected it escaped")
            case 0x20..<0x80: index += 1
            default:
                guard let end = try sequence(at: index) else { return try incomplete(limit, code, what) }
                index = end
            }
        }
        return try incomplete(limit, code, what)
    }

    private func checkLength(_ length: Int, _ limit: Int, _ code: JSONError.Code, _ what: String) throws(Fault) {
        guard length > limit else { return }
        throw Fault(code, at: position, "found a \(what) of more than \(limit) bytes")
    }

    private func incomplete(_ limit: Int, _ code: JSONError.Code, _ what: String) throws(Fault) -> Int? {
        try checkLength(bytes.count - position - 1, limit, code, what)
        guard isFinal else { return nil }
        throw truncated("found the end of the text in a \(what), expected its closing quote")
    }

    private func escape(at start: Int) throws(Fault) -> Int? {
        guard start + 1 < bytes.count else { return nil }
        switch bytes[start + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return start + 2
        case UInt8(ascii: "u"): break
        default:
            throw unexpected("one of \" \\ / b f n r t u after a backslash", at: start + 1, code: .textEscape)
        }
        guard let unit = try unit(at: start) else { return nil }
        switch unit {
        case 0xDC00...0xDFFF: throw loneSurrogate(start)
        case 0xD800...0xDBFF:
            guard start + 6 < bytes.count else { return nil }
            guard bytes[start + 6] == UInt8(ascii: "\\") else { throw loneSurrogate(start) }
            guard start + 7 < bytes.count else { return nil }
            guard bytes[start + 7] == UInt8(ascii: "u") else { throw loneSurrogate(start) }
            for index in start + 8..<start + 12 {
                guard index < bytes.count else { return nil }
                guard bytes[index].hexadecimalValue != nil else { throw loneSurrogate(start) }
            }
            guard let second = try self.unit(at: start + 6) else { return nil }
            guard (0xDC00...0xDFFF).contains(second) else { throw loneSurrogate(start) }
            return start + 12
        default: return start + 6
        }
    }

    private func unit(at start: Int) throws(Fault) -> UInt32? {
        var value: UInt32 = 0
        for index in start + 2..<start + 6 {
            guard index < bytes.count else { return nil }
            guard let digit = bytes[index].hexadecimalValue else {
                throw unexpected("four hexadecimal digits after \\u", at: index, code: .textEscape)
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    private func loneSurrogate(_ start: Int) -> Fault {
        let text = Excerpt.escape(UnsafeRawBufferPointer(rebasing: bytes[start..<min(bytes.count, start + 6)]))
        return Fault(.textSurrogate, at: start, "found \(text), half of a surrogate pair, expected both halves")
    }

    private func sequence(at start: Int) throws(Fault) -> Int? {
        guard let (width, second) = bytes[start].sequenceBounds else { throw invalidUTF8(start) }
        var range = second
        for index in start + 1..<start + width {
            guard index < bytes.count else {
                if isFinal { throw invalidUTF8(start) }
                return nil
            }
            guard range.contains(bytes[index]) else { throw invalidUTF8(start) }
            range = 0x80...0xBF
        }
        return start + width
    }

    private func invalidUTF8(_ start: Int) -> Fault {
        Fault(.textUTF8, at: start, "found the byte \(Tokenizer.describe(bytes, at: start)), expected UTF-8")
    }

    /// The end of the number that begins at `position`, or nil if it may continue after the bytes.
    func number() throws(Fault) -> Int? {
        var index = position
        if bytes[index] == UInt8(ascii: "-") { index += 1 }
        guard index < bytes.count else { return try endOfNumber() }
        if bytes[index] == UInt8(ascii: "0") {
            index += 1
            if index < bytes.count, bytes[index].isDigit {
                throw unexpected("no digit after a leading zero", at: index)
            }
        } else {
            guard let end = try digits(from: index) else { return try endOfNumber() }
            index = end
        }
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            guard let end = try digits(from: index + 1) else { return try endOfNumber() }
            index = end
        }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") {
                index += 1
            }
            guard let end = try digits(from: index) else { return try endOfNumber() }
            index = end
        }
        try checkNumber(to: index)
        return index < bytes.count || isFinal ? index : nil
    }

    private func checkNumber(to end: Int) throws(Fault) {
        guard end - position > limits.number else { return }
        throw Fault(.limitNumber, at: position, "found a number of more than \(limits.number) characters")
    }

    /// The end of at least one digit, or nil at the end of the bytes.
    private func digits(from start: Int) throws(Fault) -> Int? {
        guard start < bytes.count else { return nil }
        guard bytes[start].isDigit else { throw unexpected("a digit", at: start) }
        var index = start
        while index < bytes.count, bytes[index].isDigit { index += 1 }
        return index
    }

    private func endOfNumber() throws(Fault) -> Int? {
        try checkNumber(to: bytes.count)
        guard isFinal else { return nil }
        throw truncated("found the end of the text in a number, expected a digit")
    }

    /// The end of `word`, which is expected at `position`.
    func literal(_ word: StaticString) throws(Fault) -> Int? {
        for offset in 1..<word.utf8CodeUnitCount {
            guard position + offset < bytes.count else {
                guard isFinal else { return nil }
                throw truncated("found the end of the text, expected \(word)")
            }
            guard bytes[position + offset] == word.utf8Start[offset] else {
                throw unexpected("\(word)", at: position + offset)
            }
        }
        return position + word.utf8CodeUnitCount
    }
}
