/// The first lines of a request, as they came.
struct RequestHead: Sendable {
    /// The method, such as `GET`.
    var method: String
    /// The path and the query, with their escapes.
    var target: [UInt8]
    /// The names and values of the headers, in their order.
    var headers: [(name: String, value: String)]

    /// The values of a header, whose name is in lower case.
    func values(_ name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name }.map(\.value)
    }

    /// Whether bytes follow the head.
    var hasBody: Bool {
        !values("transfer-encoding").isEmpty || values("content-length").contains { $0 != "0" }
    }

    /// The values of all cookies with a name.
    func cookies(_ name: String) -> [Substring] {
        values("cookie").flatMap { $0.split(separator: ";") }.compactMap { cookie in
            let parts = cookie.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let found = parts[0].drop { $0 == " " }
            return parts.count == 2 && found.utf8.elementsEqual(name.utf8) ? parts[1] : nil
        }
    }
}
