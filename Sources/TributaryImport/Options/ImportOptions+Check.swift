import TributaryConcurrency
import TributaryJSON

extension ImportOptions {
    /// The number of threads that prepare chunks.
    var threads: Int { jobs ?? Processors.count }

    /// Whether records are imported that were rejected before.
    var isRetry: Bool { pendingRejects != nil }

    /// Throws if the options and routes of an import into any database contradict each other.
    package func check(_ routes: [ImportRoute]) throws {
        guard !routes.isEmpty else {
            throw ImportError(.route, "the import has no route", hint: "add an ImportRoute")
        }
        let withoutPath = routes.count { $0.path == nil }
        let haveConditions = routes.dropLast().allSatisfy { $0.condition != nil }
        guard routes.count == 1 || withoutPath == 0 || withoutPath == routes.count && haveConditions else {
            throw ImportError(
                .route, "several routes need a path each", hint: "pass `at:` to each route, or a condition with `when`")
        }
        guard reading.paths == nil || withoutPath == routes.count else {
            throw ImportError(
                .route, "both the options and a route set the path of records", hint: "remove reading.paths")
        }
        for route in routes { try route.filter?.check() }
        guard onError == .quarantine || rejects == nil else {
            throw ImportError(
                .misuse, "a file of rejects is named, but only quarantine keeps rejects",
                hint: "set onError to .quarantine, or remove rejects")
        }
        guard onError != .stop || maxErrors == nil else {
            throw ImportError(
                .misuse, "the import would end at the first reject, whatever maxErrors is",
                hint: "set onError to .skip or .quarantine, or remove maxErrors")
        }
    }
}
