/// Decides which requests reach the site: those of the browser that was given the token, and of no other page.
struct PageGate: Sendable {
    /// What is done with a request.
    enum Verdict {
        /// The site answers it.
        case admitted(PageRequest)
        /// The server answers it, and closes the connection.
        case answered(ServerAnswer)
    }

    private let token: AccessToken
    /// The name of the cookie, since browsers give the cookies of a host to each of its ports.
    private let cookie: String
    private let hosts: [String]

    /// The gate of a server on a port.
    init(port: UInt16, token: AccessToken) {
        self.token = token
        cookie = "tributary_\(port)"
        // Browsers leave the port of HTTP out.
        hosts = ["127.0.0.1", "localhost"].map { port == 80 ? $0 : "\($0):\(port)" }
    }

    /// Checks the head of a request.
    func verdict(_ head: RequestHead) -> Verdict {
        // A name of another host may lead here, too: its pages would count as ours.
        guard let host = head.values("host").first, head.values("host").count == 1, PageGate.has(hosts, host) else {
            return PageGate.refusal(
                421, "Wrong address", "Open this page by the address that 'tributary browse' has printed.")
        }
        guard ["GET", "HEAD"].contains(head.method) else {
            return PageGate.refusal(
                405, "Only reading is possible", "This server answers only GET and HEAD.", [("Allow", "GET, HEAD")])
        }
        guard !head.hasBody else {
            return PageGate.refusal(413, "No data is accepted", "This server takes only requests without a body.")
        }
        guard head.values("origin").allSatisfy({ PageGate.has(["http://\(host)"], $0) }) else { return foreign }
        guard let target = RequestTarget(head.target) else {
            return PageGate.refusal(
                400, "The address is not valid", "An escape (%XX) in it is wrong, or its text is not UTF-8.")
        }
        // Browsers say whether a page of another site, or of another port of this host, makes the request.
        let sites = head.values("sec-fetch-site")
        let isForeign = !sites.allSatisfy { PageGate.has(["none", "same-origin"], $0) }
        if let exchange = exchange(head, target, host, isForeign: isForeign) { return exchange }
        guard !isForeign else { return foreign }
        guard head.cookies(cookie).contains(where: { token.matches($0) }) else { return stranger }
        return .admitted(PageRequest(target.path, target.query))
    }

    /// Gives a browser the cookie for the token, and leads it to the same address without the token; nil without one.
    private func exchange(
        _ head: RequestHead, _ target: RequestTarget, _ host: String, isForeign: Bool
    ) -> Verdict? {
        let tokens = target.query.filter { $0.name == "token" }
        guard !tokens.isEmpty else { return nil }
        guard tokens.allSatisfy({ token.matches($0.value) }) else { return stranger }
        let query = target.query.filter { $0.name != "token" }
        // With the host, since browsers take a path that starts with two slashes for another host.
        let address = "http://\(host)" + PageRequest.address(target.path, query)
        let cookie = [("Set-Cookie", "\(cookie)=\(token.text); HttpOnly; SameSite=Strict; Path=/")]
        guard isForeign else { return .answered(ServerAnswer(PageAnswer(to: address), cookie)) }
        // A link elsewhere, as in the file of `--open`, may open the page, but nothing may load it.
        guard head.values("sec-fetch-mode") == ["navigate"], head.values("sec-fetch-dest") == ["document"] else {
            return foreign
        }
        // A strict cookie is not sent after a redirection that began elsewhere, but from a page of our own.
        return .answered(ServerAnswer(PageGate.page(200, PageGate.enter, ["address": .text(address)]), cookie))
    }

    private var foreign: Verdict {
        PageGate.refusal(
            403, "The page of another site asks for this one",
            "Open the address that 'tributary browse' has printed in a new tab.")
    }

    private var stranger: Verdict {
        PageGate.refusal(
            403, "This page needs its token",
            "Open the whole address that 'tributary browse' has printed, with ?token= and what follows.")
    }

    // MARK: Answers

    private static let refused = Template(String(decoding: PackageResources.refused_html, as: UTF8.self))
    private static let enter = Template(String(decoding: PackageResources.enter_html, as: UTF8.self))

    private static func page(_ status: Int, _ template: Template, _ values: PageValues) -> PageAnswer {
        PageAnswer(status, .html, Array(template.text(values).utf8))
    }

    private static func refusal(
        _ status: Int, _ title: String, _ reason: String, _ headers: [(name: String, value: String)] = []
    ) -> Verdict {
        .answered(ServerAnswer(page(status, refused, ["title": .text(title), "reason": .text(reason)]), headers))
    }

    /// Whether a text is one of some, byte by byte.
    private static func has(_ texts: [String], _ text: String) -> Bool {
        texts.contains { $0.utf8.elementsEqual(text.utf8) }
    }
}
