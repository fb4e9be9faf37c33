/// The path and the query of a request, without escapes.
struct RequestTarget {
    /// The parts of the path.
    let path: [String]
    /// The names and values of the query.
    let query: [(name: String, value: String)]

    /// Reads `/e/Book?where=a+%3D+1`; nil unless it starts with a slash and its escapes give UTF-8.
    ///
    /// A slash or U+0000 that is escaped is a part of a name, and `..` is a name like any other: no name is a file.
    init?(_ target: [UInt8]) {
        guard target.first == UInt8(ascii: "/") else { return nil }
        let parts = target.dropFirst().split(
            separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        var path: [String] = []
        if !parts[0].isEmpty {
            for part in parts[0].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
                guard let name = RequestTarget.text(part) else { return nil }
                path.append(name)
            }
        }
        var query: [(name: String, value: String)] = []
        for item in (parts.count == 2 ? parts[1] : []).split(separator: UInt8(ascii: "&")) {
            let sides = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = RequestTarget.text(sides[0], isQuery: true),
                let value = RequestTarget.text(sides.count == 2 ? sides[1] : [], isQuery: true)
            else { return nil }
            query.append((name, value))
        }
        (self.path, self.query) = (path, query)
    }

    /// The text of bytes with escapes; nil if an escape has no two digits, or the bytes are not UTF-8.
    private static func text(_ escaped: some Collection<UInt8>, isQuery: Bool = false) -> String? {
        var bytes: [UInt8] = []
        var rest = escaped[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
                guard digits.count == 2 else { return nil }
                rest = rest.dropFirst(2)
                bytes.append(UInt8(digits[0] << 4 | digits[1]))
            case UInt8(ascii: "+") where isQuery: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
