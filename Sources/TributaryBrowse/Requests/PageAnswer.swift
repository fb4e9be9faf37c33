/// What the server sends.
package struct PageAnswer: Sendable {
    /// What the bytes are.
    package enum Kind: String, Sendable {
        case html = "text/html; charset=utf-8"
        case css = "text/css; charset=utf-8"
        case script = "text/javascript; charset=utf-8"
        case text = "text/plain; charset=utf-8"
        case svg = "image/svg+xml"
        case json = "application/json"
    }

    /// The status of HTTP, such as 200 or 404.
    package var status: Int
    /// What the bytes are.
    package var kind: Kind
    /// The bytes.
    package var body: [UInt8]
    /// Where the browser shall go instead, for a status of 303.
    package var location: String?

    /// An answer with bytes.
    package init(_ status: Int = 200, _ kind: Kind, _ body: [UInt8]) {
        (self.status, self.kind, self.body) = (status, kind, body)
    }

    /// An answer that leads to another address of this page.
    package init(to location: String) {
        self.init(303, .text, [])
        self.location = location
    }
}
