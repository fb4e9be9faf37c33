import TributaryJSON

/// What is done with an answer.
enum AnswerVerdict {
    /// The body continues the source, after some bytes that were read before.
    case accepted(skipping: Int)
    /// The source has ended where reading resumes.
    case ended
    /// The server cannot answer now.
    case later(String)
    case refused(JSONError)

    /// Judges an answer to a request from `position` on; `first` is the first answer of the source, if there was one.
    init(_ head: AnswerHead, at position: Int, after first: AnswerHead?, name: String) {
        let shown = Excerpt.escape(name)
        func changed(_ reason: String) -> AnswerVerdict {
            .refused(
                JSONError(
                    .sourceChanged, "the source has changed while it was read: \(reason)",
                    hint: "what was committed before stays",
                    position: SourcePosition(file: name, byte: position, line: 0, column: 0)))
        }
        func failed(_ reason: String, _ hint: String) -> AnswerVerdict {
            .refused(JSONError(first == nil ? .sourceOpen : .sourceRead, "\(shown): \(reason)", hint: hint))
        }
        func difference(_ head: AnswerHead, _ length: Int?) -> String? {
            guard let first else { return nil }
            if head.version != first.version {
                let versions = [first.version, head.version].map { $0.map(Excerpt.escape) ?? "no version" }
                return "it was \(versions[0]), and is \(versions[1])"
            }
            if let old = first.length, let length, old != length { return "it had \(old) bytes, and has \(length)" }
            return nil
        }
        switch head.status {
        case 200:
            guard ["", "identity", "gzip", "x-gzip", "zstd"].contains(head.encoding) else {
                self = failed(
                    "the server sends it with the encoding \(Excerpt.escape(head.encoding)), which was not asked for",
                    "download it first, as with: curl -LO --compressed ADDRESS")
                return
            }
            self = difference(head, head.length).map(changed) ?? .accepted(skipping: position)
        case 206:
            guard let span = head.span, span.start == position, let total = span.total, position > 0,
                head.length == nil || head.length == span.count
            else {
                self = failed(
                    "the server sends other bytes than those from \(position) on",
                    "download it first, as with: curl -LO ADDRESS")
                return
            }
            // After If-Range such an answer has the same version, which it need not repeat.
            let isSame = head.version == nil || head.version == first?.version
            self = difference(isSame ? first ?? head : head, total).map(changed) ?? .accepted(skipping: 0)
        case 416 where first != nil && position > 0:
            let total = head.span?.total
            self =
                total == position && (head.version == nil || head.version == first?.version)
                ? .ended : changed(total.map { "it has \($0) bytes now" } ?? "it is shorter now")
        case 408, 425, 429, 500...: self = .later("the server answered \(head.status)")
        case 401, 403:
            self = failed(
                "the server answered \(head.status)",
                "if it needs a password, write it into ~/.netrc, or set TRIBUTARY_HTTP_AUTHORIZATION, as to 'Bearer TOKEN'"
            )
        case 407:
            self = failed("the proxy needs a password", "write it into the address of the proxy, as in https_proxy")
        default: self = failed("the server answered \(head.status)", "check the address")
        }
    }
}
