import TributaryJSON

/// Receives a source on one thread, over as many connections as it needs.
///
/// After a break the next connection asks for the bytes that are missing, of the same version. The number of breaks in a
/// row is bounded, and each one waits longer.
final class FetchRun {
    /// A connection with fewer bytes than this makes no progress.
    private static let leastBytes = 1024
    private static let maxHeadBytes = 256 << 10
    private static let longestDelay = 30.0
    /// The most seconds that a server may ask for.
    private static let longestWait = 300.0

    private let request: FetchRequest
    private let target: Fetch
    private let clock = ContinuousClock()
    /// The first answer of the source.
    private var first: AnswerHead?
    /// The bytes of the whole source, if they are known.
    private var length: Int?
    /// The offset of the next byte.
    private var position: Int
    /// The breaks in a row, and the offset of the latest one.
    private var breaks = (count: 0, position: -1)

    // The current connection.
    private var head = AnswerHead()
    private var headBytes = 0
    private var isSecure = false
    private var isAccepted = false
    private var isEnded = false
    private var skipped = 0
    private var refusal: JSONError?
    private var later: String?
    /// When the latest 1,024 bytes were complete, and how many followed.
    private var window: (start: ContinuousClock.Instant, bytes: Int)

    init(_ request: FetchRequest, from offset: Int, after first: AnswerHead?, into target: Fetch) {
        (self.request, position, self.first, self.target) = (request, offset, first, target)
        length = first?.length
        window = (clock.now, 0)
    }

    func run() {
        let transfer: CurlTransfer
        do {
            transfer = try CurlTransfer(
                request, line: { [unowned self] in self.add(line: $0) }, body: { [unowned self] in self.add($0) },
                isIdle: { [unowned self] in self.endsIdle() })
        } catch {
            return target.finish(throwing: error)
        }
        while true {
            begin()
            let ending = transfer.perform(from: position, version: first?.version)
            guard !target.isCancelled else { return }
            if request.settings.isStopped() { return target.finish(throwing: CancellationError()) }
            if let refusal { return target.finish(throwing: refusal) }
            if isEnded || isAccepted && position == length { return target.finish() }
            var reason: String
            switch ending {
            case .complete where isAccepted && length == nil && skipped == 0: return target.finish()
            case .complete:
                let all = length.map { " of \($0)" } ?? ""
                reason = isAccepted ? "it ended after \(position - skipped)\(all) bytes" : "there was no answer"
            case .stopped: reason = "there were fewer than \(FetchRun.leastBytes) bytes in \(seconds)"
            case .broken(let text): reason = text
            case .refused(let text, let hint): return target.finish(throwing: error(text, hint))
            case .unreachable(let text):
                guard first != nil else {
                    return target.finish(throwing: error(text, "check the address and the network"))
                }
                reason = text
            }
            if let later { reason = later }
            guard let delay = delay(after: reason) else { return }
            // A long wait is divided, so that a signal ends it soon.
            let end = clock.now + .seconds(delay)
            while clock.now < end {
                guard target.pause(seconds: min(0.2, delay)) else { return }
                if request.settings.isStopped() { return target.finish(throwing: CancellationError()) }
            }
        }
    }

    private var seconds: String { "\(Int(request.settings.idleTimeout.rounded(.up))) seconds" }

    private func error(_ reason: String, _ hint: String?) -> JSONError {
        JSONError(
            first == nil ? .sourceOpen : .sourceRead, "\(Excerpt.escape(request.name)): \(Excerpt.escape(reason))",
            hint: hint)
    }

    // MARK: Between connections

    private func begin() {
        (head, headBytes, isSecure) = (AnswerHead(), 0, request.address.isSecure)
        (isAccepted, isEnded, skipped) = (false, false, 0)
        (refusal, later) = (nil, nil)
        window = (clock.now, 0)
    }

    /// The seconds before the next connection; nil if there is none, and the source has ended with an error.
    private func delay(after reason: String) -> Double? {
        if position - breaks.position >= FetchRun.leastBytes { breaks.count = 0 }
        breaks = (breaks.count + 1, position)
        guard position == 0 || first?.version != nil else {
            target.finish(
                throwing: error(
                    "the connection broke after \(position) bytes: \(reason); the server tells neither an ETag nor a date, "
                        + "so it may have another file now",
                    "run the command again, or download it first, as with: curl -LO ADDRESS"))
            return nil
        }
        guard breaks.count < request.settings.maxAttempts else {
            let place = position > 0 ? " after \(position) bytes" : ""
            target.finish(
                throwing: error("\(breaks.count) connections in a row broke\(place): \(reason)", "try again later"))
            return nil
        }
        var delay = request.settings.retryDelay
        for _ in 1..<breaks.count { delay = min(delay * 2, FetchRun.longestDelay) }
        guard later != nil, let wanted = head.retryAfter.flatMap(CurlTransfer.seconds) else { return delay }
        guard wanted <= FetchRun.longestWait else {
            target.finish(throwing: error("\(reason), and asks to wait \(Int(wanted)) seconds", "try again later"))
            return nil
        }
        return max(delay, wanted)
    }

    // MARK: In a connection

    /// Counts bytes that were received, for the limit of slow connections.
    private func count(_ bytes: Int, waiting: Duration = .zero) {
        window.bytes += bytes
        window = window.bytes >= FetchRun.leastBytes ? (clock.now, 0) : (window.start + waiting, window.bytes)
    }

    /// Adds a line of a head; false ends the connection.
    private func add(line: UnsafeRawBufferPointer) -> Bool {
        count(line.count)
        // After the body come trailers, which say nothing about it.
        guard !isAccepted else { return true }
        headBytes += line.count
        guard headBytes <= FetchRun.maxHeadBytes else {
            refusal = error("the head of the answer has more than \(FetchRun.maxHeadBytes) bytes", "check the address")
            return false
        }
        let text = String(decoding: line, as: UTF8.self).filter { $0 != "\r\n" && $0 != "\n" && $0 != "\r" }
        guard text.isEmpty else {
            head.add(text)
            return true
        }
        if head.isRedirection, let scheme = head.location?.lowercased() {
            if isSecure, scheme.hasPrefix("http:") {
                refusal = error("it redirects from https to http", "check the address")
                return false
            }
            isSecure = isSecure || scheme.hasPrefix("https:")
        }
        guard !head.isInterim else { return true }
        switch AnswerVerdict(head, at: position, after: first, name: request.name) {
        case .refused(let error): refusal = error
        case .later(let reason): later = reason
        case .ended: isEnded = true
        case .accepted(let count):
            (isAccepted, skipped) = (true, count)
            if head.status == 206 { length = head.span?.total } else { length = head.length ?? length }
            if first == nil { first = head }
            target.begin(head)
            return true
        }
        return false
    }

    /// Adds bytes of the body; false ends the connection.
    private func add(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let old = min(skipped, bytes.count)
        skipped -= old
        let start = clock.now
        if bytes.count > old {
            guard target.add(UnsafeRawBufferPointer(rebasing: bytes[old...])) else { return false }
            position += bytes.count - old
        }
        count(bytes.count, waiting: clock.now - start)
        guard position <= length ?? .max else {
            refusal = error("the server sends more than \(length ?? 0) bytes", "check the address")
            return false
        }
        return true
    }

    /// Whether a connection that waits for bytes ends.
    private func endsIdle() -> Bool {
        guard !target.isCancelled, !request.settings.isStopped() else { return true }
        let settings = request.settings
        let limit = settings.idleTimeout + (headBytes > 0 ? 0 : settings.connectTimeout)
        return clock.now - window.start > .seconds(limit)
    }
}
