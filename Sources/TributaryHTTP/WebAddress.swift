/// An address with `http` or `https`, divided into its parts.
package struct WebAddress: Sendable {
    /// The address as it was given.
    package let text: String
    private let scheme: Substring
    private let userInfo: Substring?
    /// The host, and the port if there is one.
    private let host: Substring
    private let path: Substring
    private let query: Substring

    /// Whether a text is an address by its scheme.
    package static func isAddress(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        return start == "https://" || start.hasPrefix("http://")
    }

    /// The parts of an address; nil if the text is none.
    package init?(_ text: String) {
        guard WebAddress.isAddress(text) else { return nil }
        self.text = text
        scheme = text.prefix { $0 != ":" }
        let rest = text.dropFirst(scheme.count + 3).prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        // What is before the last @ is hidden, however it is divided.
        let at = authority.lastIndex(of: "@")
        userInfo = at.map { authority[..<$0] }
        host = at.map { authority[authority.index(after: $0)...] } ?? authority
        let target = rest[authority.endIndex...]
        path = target.prefix { $0 != "?" }
        query = target.dropFirst(path.count + 1)
    }

    /// The address for messages and the journal: without user, password and query.
    ///
    /// Addresses with different queries have different names, since a hash stands for the query. What signs a query
    /// does not count, so that the same file has the same name with the next signature.
    package var shown: String {
        // What looks like a port may be a password with a / or #, after which the host comes.
        let port = host.hasPrefix("[") ? host.drop { $0 != "]" }.dropFirst() : host.drop { $0 != ":" }
        guard port.isEmpty || port.count > 1 && port.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber }) else {
            return "\(scheme.lowercased())://…"
        }
        let parameters = query.split(separator: "&").filter { !WebAddress.isSignature($0) }
        return "\(scheme.lowercased())://\(host)\(path)"
            + (query.isEmpty
                ? "" : "?…" + (parameters.isEmpty ? "" : WebAddress.hash(parameters.joined(separator: "&"))))
    }

    /// Whether the query is the one of a shown address, which is none.
    package var isShortened: Bool { query.hasPrefix("…") || path.hasPrefix("…") || host.isEmpty || host == "…" }

    /// Whether others can see a password on the command line.
    package var hasPassword: Bool { userInfo?.contains(":") ?? false }

    /// Scheme, host and port, which decide whether a header with a password may be sent.
    package var origin: String { "\(scheme)://\(host)".lowercased() }

    var isSecure: Bool { scheme.lowercased() == "https" }

    /// The last part of the path, as `users.json.gz`; nil if there is none.
    package var file: String? {
        guard let last = path.split(separator: "/").last.map(String.init) else { return nil }
        return WebAddress.decoded(last).split(separator: "/").last.map(String.init)
    }

    /// A word of a command line as it may be shown.
    package static func shown(_ word: String) -> String { WebAddress(word)?.shown ?? word }

    /// Parameters that change with each signature of Amazon, Google and Azure.
    private static func isSignature(_ parameter: Substring) -> Bool {
        let name = parameter.prefix { $0 != "=" }.lowercased()
        let names = [
            "signature", "expires", "awsaccesskeyid", "googleaccessid", "key-pair-id", "policy", "se", "sig", "st",
        ]
        return name.hasPrefix("x-amz-") || name.hasPrefix("x-goog-") || names.contains(name)
    }

    /// 32 bits of FNV-1a, which tell nothing about a long secret.
    private static func hash(_ text: String) -> String {
        let value = text.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// A text with its `%20`.
    private static func decoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
