/// The contents of an array or an object.
extension JSONText {
    /// The elements of an array, in order; nil for any other value.
    public var elements: [JSONText]? {
        guard text.utf8.first == UInt8(ascii: "[") else { return nil }
        return parts?.map(\.value)
    }

    /// The members of an object, in the order of the text; nil for any other value.
    public var members: [(key: String, value: JSONText)]? {
        guard text.utf8.first == UInt8(ascii: "{") else { return nil }
        return parts?.compactMap { part in part.key?.string.map { ($0, part.value) } }
    }

    /// The member with a key; the last one if there are several.
    public subscript(key: String) -> JSONText? {
        members?.last { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }

    /// The element at an index, from 0.
    public subscript(index: Int) -> JSONText? {
        guard let elements, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// The parts of an array or an object; nil if the text is not valid JSON.
    private var parts: [(key: JSONText?, value: JSONText)]? {
        var scanner = JSONScanner(bytes: Array(text.utf8))
        let isObject = scanner.accept("{")
        guard isObject || scanner.accept("[") else { return nil }
        var parts: [(JSONText?, JSONText)] = []
        scanner.skipBlanks()
        if scanner.accept(isObject ? "}" : "]") { return parts }
        do throws(JSONTextError) {
            repeat {
                var key: JSONText?
                if isObject { key = try scanner.key() }
                parts.append((key, try scanner.value()))
                scanner.skipBlanks()
            } while scanner.accept(",")
        } catch {
            return nil
        }
        return scanner.accept(isObject ? "}" : "]") ? parts : nil
    }
}

extension JSONScanner {
    /// Reads the next key and skips the colon.
    fileprivate mutating func key() throws(JSONTextError) -> JSONText {
        skipBlanks()
        let start = offset
        var inner = self
        try skipKey()
        try inner.skipString()
        return JSONText(trusting: String(decoding: bytes[start..<inner.offset], as: UTF8.self))
    }

    /// Reads the next value.
    fileprivate mutating func value() throws(JSONTextError) -> JSONText {
        skipBlanks()
        let start = offset
        try skipValue(depth: 2)
        return JSONText(trusting: String(decoding: bytes[start..<offset], as: UTF8.self))
    }
}
