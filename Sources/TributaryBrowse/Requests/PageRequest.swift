/// What a browser asks for.
package struct PageRequest: Sendable {
    /// The parts of the path, without escapes: `["e", "Book", "42"]` for `/e/Book/42`.
    package var path: [String]
    /// The names and values after the question mark, without escapes, in their order.
    package var query: [(name: String, value: String)]
    /// Whether the server ends, and needs no answer.
    package var isStopped: @Sendable () -> Bool = { false }

    /// A request for a path.
    package init(_ path: [String], _ query: [(name: String, value: String)] = []) {
        (self.path, self.query) = (path, query)
    }

    /// The first value with a name; nil if there is none, or only an empty one, as an empty field of a form sends it.
    func value(_ name: String) -> String? { query.first { $0.name == name && !$0.value.isEmpty }?.value }

    /// The address of the page, with other values: nil removes a name.
    func address(changing changes: KeyValuePairs<String, String?>) -> String {
        var kept = query.filter { item in !item.value.isEmpty && !changes.contains { $0.key == item.name } }
        for (name, value) in changes { if let value { kept.append((name, value)) } }
        return PageRequest.address(path, kept)
    }

    /// The address of a path and a query, with escapes.
    static func address(_ path: [String], _ query: [(name: String, value: String)] = []) -> String {
        let names = "/" + path.map(escaped).joined(separator: "/")
        guard !query.isEmpty else { return names }
        return names + "?" + query.map { "\(escaped($0.name))=\(escaped($0.value))" }.joined(separator: "&")
    }

    /// Text as a part of an address: all but letters, digits and `-._~` as bytes in hexadecimal.
    static func escaped(_ text: String) -> String {
        // A part of a path that is "." or ".." would lead to another.
        if text == "." || text == ".." { return text.replacing(".", with: "%2E") }
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += byte < 16 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return result
    }
}
