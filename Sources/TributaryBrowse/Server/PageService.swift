import Synchronization

/// What the server does with requests, from any thread.
final class PageService: Sendable {
    private let gate: PageGate
    private let site: any PageSite
    private let isStopped = Atomic(false)

    /// A service that shows a site to those whom a gate admits.
    init(_ gate: PageGate, _ site: any PageSite) { (self.gate, self.site) = (gate, site) }

    /// Checks the head of a request.
    func check(_ head: RequestHead) -> PageGate.Verdict {
        let verdict = gate.verdict(head)
        guard case .admitted(var request) = verdict else { return verdict }
        request.isStopped = { [self] in isStopped.load(ordering: .relaxed) }
        return .admitted(request)
    }

    /// The answer to a request that is admitted.
    func answer(_ request: PageRequest) -> ServerAnswer { ServerAnswer(site.answer(request)) }

    /// Tells the requests in progress that no answer is needed.
    func stop() { isStopped.store(true, ordering: .relaxed) }
}
