/// What is inside of an array or an object.
extension JSONText {
    /// The elements of an array, in order.
    public var elements: [JSONText]? {
        guard text.utf8.first == UInt8(ascii: "[") else { return nil }
        return parts?.map(\.value)
    }

    /// The members of an object, in the order in which they are written.
    public var members: [(key: String, value: JSONText)]? {
        guard text.utf8.first == UInt8(ascii: "{") else { return nil }
        return parts?.compactMap { part in part.key?.string.map { ($0, part.value) } }
    }

    /// The member of a key; of several the last.
    public subscript(key: String) -> JSONText? {
        members?.last { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }

    /// The element at an index, from 0.
    public subscript(index: Int) -> JSONText? {
        guard let elements, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// The parts of an array or an object; nil if the text is no JSON.
    private var parts: [(key: JSONText?, value: JSONText)]? {
        var scanner = JSONScanner(Array(text.utf8))
        let isObject = scanner.take("{")
        guard isObject || scanner.take("[") else { return nil }
        var parts: [(JSONText?, JSONText)] = []
        scanner.skipBlanks()
        if scanner.take(isObject ? "}" : "]") { return parts }
        do throws(JSONTextError) {
            repeat {
                var key: JSONText?
                if isObject { key = try scanner.key() }
                parts.append((key, try scanner.value()))
                scanner.skipBlanks()
            } while scanner.take(",")
        } catch {
            return nil
        }
        return scanner.take(isObject ? "}" : "]") ? parts : nil
    }
}

extension JSONScanner {
    /// The key that comes next; the colon is passed.
    fileprivate mutating func key() throws(JSONTextError) -> JSONText {
        skipBlanks()
        let start = place
        var inner = self
        try skipKey()
        try inner.skipString()
        return JSONText(trusting: String(decoding: bytes[start..<inner.place], as: UTF8.self))
    }

    /// The value that comes next.
    fileprivate mutating func value() throws(JSONTextError) -> JSONText {
        skipBlanks()
        let start = place
        try skipValue(depth: 2)
        return JSONText(trusting: String(decoding: bytes[start..<place], as: UTF8.self))
    }
}
