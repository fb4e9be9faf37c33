/// An answer with all its headers.
struct ServerAnswer: Sendable {
    /// The status of HTTP.
    let status: Int
    /// The bytes.
    let body: [UInt8]
    /// The names and values of the headers; that of the length is added when it is sent.
    let headers: [(name: String, value: String)]

    /// What every answer says: nothing is loaded from elsewhere, embedded, kept, or guessed.
    private static let protection = [
        (
            "Content-Security-Policy",
            """
            default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; \
            form-action 'self'; base-uri 'none'; frame-ancestors 'none'
            """
        ),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cache-Control", "no-store"),
    ]

    /// An answer of the site or the server, with more headers.
    init(_ answer: PageAnswer, _ more: [(name: String, value: String)] = []) {
        (status, body) = (answer.status, answer.body)
        let location = answer.location.map { [("Location", $0)] } ?? []
        headers = ServerAnswer.protection + [("Content-Type", answer.kind.rawValue)] + location + more
    }
}
