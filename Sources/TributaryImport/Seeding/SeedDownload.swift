import Foundation
import TributaryConcurrency

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Receives one file from a `URLSession`.
final class SeedDownload: NSObject, URLSessionDataDelegate {
    /// Why a download failed.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private struct State {
        var data = Data()
        var expected = Int64(-1)
        var redirections = 0
        /// Why the file is refused, although the task has not ended yet.
        var refusal: Failure?
        var result: Result<Data, any Error>?
    }

    private static let maxRedirections = 5
    private let maxBytes: Int
    private let state = Monitor(State())

    init(maxBytes: Int) { self.maxBytes = maxBytes }

    /// The file, when it is complete.
    func wait(seconds: Double) throws -> Data {
        // The session has the same limit and reports it itself; the second one guards against a session that does not.
        let milliseconds = Int(max(1, min(seconds + 5, 86_400)) * 1000)
        guard let result = state.wait(milliseconds: milliseconds, until: { $0.result }) else {
            throw Failure(description: "there was no complete answer within \(Int(seconds)) seconds")
        }
        return try result.get()
    }

    /// Records the first reason; the task must end by itself, because `URLSession` traps if it is cancelled while it waits
    /// for a handler.
    private func refuse(_ reason: String) {
        state.update { if $0.refusal == nil { $0.refusal = Failure(description: reason) } }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        let (from, to) = (response.url?.scheme?.lowercased(), request.url?.scheme?.lowercased())
        let count = state.update { state in
            state.redirections += 1
            return state.redirections
        }
        guard count <= SeedDownload.maxRedirections, to == "https" || to == "http" && from == "http" else {
            refuse("it redirects more than 5 times, or to another scheme")
            return completionHandler(nil)
        }
        completionHandler(request)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let answer = response as? HTTPURLResponse
        guard let answer, answer.statusCode == 200 else {
            refuse("the server answered \(answer.map { "\($0.statusCode)" } ?? "without HTTP")")
            return completionHandler(.cancel)
        }
        // The length of an encoded body is not that of the decoded bytes.
        if answer.value(forHTTPHeaderField: "Content-Encoding") == nil {
            state.update { $0.expected = answer.expectedContentLength }
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = state.update { state in
            guard state.data.count + data.count <= maxBytes else { return true }
            state.data += data
            return false
        }
        if isTooLarge {
            refuse("it has more than \(maxBytes) bytes")
            dataTask.cancel()
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        state.update { state in
            var failure = state.refusal ?? error.map { Failure(description: $0.localizedDescription) }
            if failure == nil, state.data.count < state.expected {
                failure = Failure(description: "it ended after \(state.data.count) of \(state.expected) bytes")
            }
            state.result = failure.map { .failure($0) } ?? .success(state.data)
        }
    }
}
