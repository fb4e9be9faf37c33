import CTributaryYajl

/// The callbacks of yajl, whose context pointer is a `ParserCore`.
enum YajlCallbacks {
    static func fill(_ table: UnsafeMutablePointer<yajl_callbacks>) {
        table.pointee = yajl_callbacks(
            yajl_null: { context in
                let core = parserCore(context)
                let end = core.pointee.tokenEnd
                return core.pointee.scalar(.null, offset: end - 4, length: 4)
            },
            yajl_boolean: { context, isTrue in
                let core = parserCore(context)
                let length = isTrue != 0 ? 4 : 5
                let start = core.pointee.tokenEnd - length
                return core.pointee.scalar(isTrue != 0 ? .yes : .no, offset: start, length: length)
            },
            yajl_integer: nil,
            yajl_double: nil,
            yajl_number: { context, text, length in
                let core = parserCore(context)
                guard length <= core.pointee.maxNumber else { return ParserCore.stop }
                let start = core.pointee.locateNumber(UnsafeRawPointer(text), length)
                return core.pointee.scalar(.number, offset: start, length: length)
            },
            yajl_string: { context, text, length in
                let core = parserCore(context)
                let (word, isTooLong) = core.pointee.locate(
                    text, length, .text, .escapedText, limit: core.pointee.maxString)
                guard !isTooLong else { return ParserCore.stop }
                if core.pointee.recordDepth >= 0 {
                    core.pointee.append(word)
                    return 1
                }
                return core.pointee.outsideScalar(
                    word.kind, offset: word.offset, length: word.length, start: word.offset - 1)
            },
            yajl_start_map: { context in
                let core = parserCore(context)
                return core.pointee.recordDepth >= 0
                    ? core.pointee.recordStart(.object) : core.pointee.outsideStart(isObject: true)
            },
            yajl_map_key: { context, text, length in
                let core = parserCore(context)
                if core.pointee.recordDepth >= 0 {
                    let (word, isTooLong) = core.pointee.locate(
                        text, length, .key, .escapedKey, limit: core.pointee.maxKey)
                    guard !isTooLong else { return ParserCore.stop }
                    core.pointee.append(word)
                    return 1
                }
                // The key of a record is stored as one of its values.
                let (word, isTooLong) = core.pointee.locate(
                    text, length, .text, .escapedText, limit: core.pointee.maxKey)
                guard !isTooLong else { return ParserCore.stop }
                return core.pointee.outsideKey(UnsafeRawBufferPointer(start: text, count: length), word: word)
            },
            yajl_end_map: { context in
                let core = parserCore(context)
                return core.pointee.recordDepth >= 0 ? core.pointee.recordEnd() : core.pointee.outsideEnd()
            },
            yajl_start_array: { context in
                let core = parserCore(context)
                return core.pointee.recordDepth >= 0
                    ? core.pointee.recordStart(.array) : core.pointee.outsideStart(isObject: false)
            },
            yajl_end_array: { context in
                let core = parserCore(context)
                return core.pointee.recordDepth >= 0 ? core.pointee.recordEnd() : core.pointee.outsideEnd()
            })
    }
}

@inline(__always)
private func parserCore(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<ParserCore> {
    // yajl passes the pointer that was given to `yajl_alloc`.
    context.unsafelyUnwrapped.assumingMemoryBound(to: ParserCore.self)
}

// Methods that change nothing are `mutating` too, because otherwise each call would copy the whole core.
extension ParserCore {
    @inline(__always)
    mutating func scalar(_ kind: TapeWord.Kind, offset: Int, length: Int) -> Int32 {
        guard recordDepth >= 0 else { return outsideScalar(kind, offset: offset, length: length, start: offset) }
        append(TapeWord(kind, offset: offset, length: length))
        return 1
    }

    /// Finds the bytes of a string in the arena.
    ///
    /// yajl passes a pointer into the window, unless the string has escapes or begins in an earlier window. Then it
    /// passes a copy, and the string is found by searching backwards from its closing quote.
    @inline(__always)
    mutating func locate(
        _ text: UnsafePointer<UInt8>?, _ length: Int, _ plain: TapeWord.Kind, _ escaped: TapeWord.Kind, limit: Int
    ) -> (word: TapeWord, isTooLong: Bool) {
        let distance = UInt(bitPattern: text) &- window
        if distance < windowCount {
            return (TapeWord(plain, offset: windowOffset &+ Int(bitPattern: distance), length: length), length > limit)
        }
        return locateCopy(length, plain, escaped, limit: limit)
    }

    private mutating func locateCopy(
        _ decodedLength: Int, _ plain: TapeWord.Kind, _ escaped: TapeWord.Kind, limit: Int
    ) -> (TapeWord, Bool) {
        let end = tokenEnd - 1
        var start = end
        // The opening quote is the nearest one that an even number of backslashes precedes.
        while start > 0 {
            start = quote(before: start)
            var backslashes = 0
            while start - backslashes > 0, arena[start - backslashes - 1] == UInt8(ascii: "\\") { backslashes += 1 }
            if backslashes % 2 == 0 { break }
        }
        let length = end - start - 1
        // Every escape sequence is longer than its decoded text, so an equal length means no escapes.
        let word = TapeWord(length == decodedLength ? plain : escaped, offset: start + 1, length: length)
        return (word, length > limit)
    }

    private mutating func quote(before end: Int) -> Int {
        var index = end
        let quotes = SIMD16<UInt8>(repeating: UInt8(ascii: "\""))
        while index >= 16 {
            let block = UnsafeRawPointer(arena).loadUnaligned(fromByteOffset: index - 16, as: SIMD16<UInt8>.self)
            if any(block .== quotes) { break }
            index -= 16
        }
        while index > 0 {
            index -= 1
            if arena[index] == UInt8(ascii: "\"") { break }
        }
        return index
    }

    /// Finds the first byte of a number in the arena.
    @inline(__always)
    mutating func locateNumber(_ text: UnsafeRawPointer?, _ length: Int) -> Int {
        let distance = UInt(bitPattern: text) &- window
        return distance < windowCount ? windowOffset &+ Int(bitPattern: distance) : tokenEnd - length
    }
}
