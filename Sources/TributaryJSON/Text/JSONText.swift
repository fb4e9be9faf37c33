import TributaryPlatform

/// Decodes and compares strings as they are written in the source.
enum JSONText {
    /// The UTF-8 bytes that `raw`, the valid content of a JSON string, stands for.
    static func decode(_ raw: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: raw.count) { result, count in
            count = decode(raw, into: result)
        }
    }

    /// Decodes into `result`, which must have room for `raw.count` bytes; returns the number of bytes written.
    static func decode(_ raw: UnsafeBufferPointer<UInt8>, into result: UnsafeMutableBufferPointer<UInt8>) -> Int {
        guard let source = raw.baseAddress, let target = result.baseAddress else { return 0 }
        var count = 0
        var index = 0
        while index < raw.count {
            // The bytes before the next backslash are copied unchanged.
            let rest = raw.count - index
            let slash = memchr(source + index, Int32(UInt8(ascii: "\\")), rest)
            let plain = slash.map { UnsafeRawPointer($0) - UnsafeRawPointer(source + index) } ?? rest
            memcpy(target + count, source + index, plain)
            count += plain
            index += plain
            if index == raw.count { break }
            let letter = raw[index + 1]
            index += 2
            if letter == UInt8(ascii: "u") {
                for unit in UTF8.encode(scalar(raw, &index)).unsafelyUnwrapped {
                    result[count] = unit
                    count += 1
                }
            } else {
                result[count] = simpleEscape(letter)
                count += 1
            }
        }
        return count
    }

    /// The character of an escape `\u` whose digits begin at `index`, which is moved after it.
    static func scalar(_ raw: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Unicode.Scalar {
        var value = unit(raw, at: index)
        index += 4
        if (0xD800...0xDBFF).contains(value) {
            value = 0x10000 + (value - 0xD800) << 10 + (unit(raw, at: index + 2) - 0xDC00)
            index += 6
        }
        // The reader has checked the text, so every value is a Unicode scalar.
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }

    private static func simpleEscape(_ letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "n"): UInt8(ascii: "\n")
        case UInt8(ascii: "t"): UInt8(ascii: "\t")
        case UInt8(ascii: "r"): UInt8(ascii: "\r")
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        default: letter
        }
    }

    private static func unit(_ raw: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 << 4 | UInt32(raw[index + $1].hexadecimalValue ?? 0) }
    }

    /// Whether two words of text or keys have the same decoded text.
    static func equal(_ one: TapeWord, _ two: TapeWord, in arena: UnsafeMutablePointer<UInt8>) -> Bool {
        func content(_ word: TapeWord) -> [UInt8] {
            let raw = UnsafeBufferPointer(start: arena + word.offset, count: word.length)
            return word.kind == .escapedKey || word.kind == .escapedText ? decode(raw) : Array(raw)
        }
        return content(one) == content(two)
    }

    @inline(__always)
    static func equal(_ word: TapeWord, _ name: UnsafeBufferPointer<UInt8>, in arena: UnsafeMutablePointer<UInt8>)
        -> Bool
    {
        let raw = UnsafeBufferPointer(start: arena + word.offset, count: word.length)
        if word.kind == .escapedKey || word.kind == .escapedText {
            return raw.count >= name.count && decode(raw).elementsEqual(name)
        }
        guard raw.count == name.count else { return false }
        for index in 0..<name.count where raw[index] != name[index] { return false }
        return true
    }
}
