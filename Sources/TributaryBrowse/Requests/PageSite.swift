/// Answers requests that have passed the checks of the server, from any thread.
package protocol PageSite: Sendable {
    /// The answer; errors are pages, too.
    func answer(_ request: PageRequest) -> PageAnswer
}
