/// A request that a `LoopbackServer` has received.
public struct LoopbackRequest: Sendable {
    /// The path and the query.
    public let path: String
    /// The headers by their names in lower case.
    public let headers: [String: String]

    init?(_ head: String) {
        let lines = head.replacing("\r\n", with: "\n").split(separator: "\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count > 1 else { return nil }
        path = String(words[1])
        let pairs = lines.dropFirst().compactMap { line -> (String, String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (line[..<colon].lowercased(), String(line[line.index(after: colon)...].drop { $0 == " " }))
        }
        headers = Dictionary(pairs) { first, _ in first }
    }

    /// The first byte of a header `Range`.
    public var start: Int? {
        guard let range = headers["range"], range.hasPrefix("bytes="), range.hasSuffix("-") else { return nil }
        return Int(range.dropFirst(6).dropLast())
    }
}
