/// How large the parts of a JSON text are, and whether it has escapes that it does not need.
package struct JSONExtent: Sendable {
    /// The levels of arrays and objects.
    package internal(set) var depth = 0
    /// The members of all objects.
    package internal(set) var members = 0
    /// The bytes of the longest key, with its escapes.
    package internal(set) var key = 0
    /// The bytes of the longest string that is no key, with its escapes.
    package internal(set) var string = 0
    /// The characters of the longest number.
    package internal(set) var number = 0
    /// Whether there are escapes that JSON does not require, or that it also has in a shorter form.
    package internal(set) var hasOptionalEscapes = false

    /// Whether four hex digits are those of a control character without a shorter escape, in lower case.
    static func areRequired(_ digits: Slice<UnsafeRawBufferPointer>) -> Bool {
        let text = String(decoding: digits, as: UTF8.self)
        guard let code = UInt16(text, radix: 16), code < 0x20 else { return false }
        return ![8, 9, 10, 12, 13].contains(code) && text == text.lowercased()
    }
}
