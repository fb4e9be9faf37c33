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
        Array(text.utf8).withUnsafeBytes { JSONText.parts(of: $0) }
    }

    private static func parts(of bytes: UnsafeRawBufferPointer) -> [(key: JSONText?, value: JSONText)]? {
        var scanner = JSONScanner(bytes: bytes)
        func part(_ range: Range<Int>) -> JSONText {
            JSONText(trusting: String(decoding: bytes[range], as: UTF8.self))
        }
        var parts: [(JSONText?, JSONText)] = []
        do throws(JSONTextError) {
            try scanner.skipElements(until: bytes[0] == UInt8(ascii: "{") ? "}" : "]") { key, value in
                parts.append((key.map(part), part(value)))
            }
        } catch {
            return nil
        }
        return parts
    }
}
