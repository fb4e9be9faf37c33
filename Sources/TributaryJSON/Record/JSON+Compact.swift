extension JSON {
    /// Appends the value without blanks between its tokens; strings and numbers are copied unchanged.
    public func appendCompact(to output: inout [UInt8]) {
        guard word >= 0 else { return }
        if isKeyedRoot { appendKeyed(to: &output) } else { append(from: word, to: &output) }
    }

    /// Calls `body` with the bytes that `appendCompact` appends, without escapes that JSON does not require; `scratch` is
    /// memory to reuse.
    ///
    /// Most values have neither blanks nor escapes in the source, and are not copied.
    package func withCompactBytes(_ scratch: inout [UInt8], _ body: (UnsafeRawBufferPointer) -> Void) {
        guard word >= 0 else { return body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        let range = rawRange
        if !isKeyedRoot, compactLength(from: word) == range.count {
            let raw = UnsafeRawBufferPointer(rebasing: storage.bytes[range])
            if !PlainEscapes.isNeeded(raw) { return body(raw) }
        }
        scratch.removeAll(keepingCapacity: true)
        appendCompact(to: &scratch)
        if scratch.withUnsafeBytes(PlainEscapes.isNeeded) { PlainEscapes.replace(in: &scratch) }
        scratch.withUnsafeBytes(body)
    }

    /// Whether the value is a record that is a member of an object of records.
    private var isKeyedRoot: Bool {
        let entry = storage.entry(record)
        return word == Int(entry.tape) && entry.flags.contains(.isKeyed)
    }

    /// The value without blanks between its tokens, as text.
    public var compactText: String {
        // Most values have no blanks in the source either.
        if word >= 0, !isKeyedRoot, compactLength(from: word) == rawRange.count { return rawText }
        var bytes: [UInt8] = []
        appendCompact(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func append(from word: Int, to output: inout [UInt8]) {
        let range = JSON(storage: storage, record: record, word: word).rawRange
        let raw = UnsafeRawBufferPointer(rebasing: storage.bytes[range])
        if compactLength(from: word) == raw.count {
            output.append(contentsOf: raw)
        } else {
            raw.forEachStretch { output.append(contentsOf: UnsafeRawBufferPointer(rebasing: raw[$0])) }
        }
    }

    /// Appends a keyed record: its key, then the members of the object, or the value as a member.
    private func appendKeyed(to output: inout [UInt8]) {
        let end = word + storage.word(word).length - 1
        var next = word + 1
        output.append(UInt8(ascii: "{"))
        while next < end {
            if next > word + 1 { output.append(UInt8(ascii: ",")) }
            output.append(UInt8(ascii: "\""))
            output.append(contentsOf: storage.text(storage.word(next)))
            output.append(UInt8(ascii: "\""))
            output.append(UInt8(ascii: ":"))
            append(from: next + 1, to: &output)
            next += 1 + storage.word(next + 1).span
        }
        output.append(UInt8(ascii: "}"))
    }

    /// The length of the value from `word` on without blanks.
    private func compactLength(from word: Int) -> Int {
        let end = word + storage.word(word).span
        var length = 0
        var index = word
        // Each value counts a comma after it; in place of the last comma the closing bracket is counted.
        while index < end {
            let token = storage.word(index)
            switch token.kind {
            case .key, .escapedKey, .text, .escapedText: length += token.length + 3
            case .null, .yes, .no, .number: length += token.length + 1
            case .object, .array: length += storage.word(index + 1).kind == .end ? 2 : 1
            case .end: length += index == end - 1 ? 0 : 1
            }
            index += 1
        }
        return storage.word(word).isContainer ? length : length - 1
    }
}

extension UnsafeRawBufferPointer {
    /// Calls `body` with each range of JSON text that has no blanks between its tokens.
    package func forEachStretch(_ body: (Range<Int>) -> Void) {
        var start = 0
        var index = 0
        var inString = false
        while index < count {
            let byte = self[index]
            if inString {
                if byte == UInt8(ascii: "\\") {
                    index += 1
                } else if byte == UInt8(ascii: "\"") {
                    inString = false
                }
            } else if byte == UInt8(ascii: "\"") {
                inString = true
            } else if byte.isJSONBlank {
                if start < index { body(start..<index) }
                start = index + 1
            }
            index += 1
        }
        if start < count { body(start..<count) }
    }
}

extension JSON: CustomStringConvertible {
    /// The value without blanks between its tokens, as in ``compactText``; empty if it is absent.
    public var description: String { compactText }
}

extension Record: CustomStringConvertible {
    /// The record without blanks between its tokens.
    public var description: String { value.compactText }
}
