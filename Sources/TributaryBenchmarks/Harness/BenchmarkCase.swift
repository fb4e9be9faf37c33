import CTributaryTwins

/// A piece of work to time, and a C twin that does the same.
struct BenchmarkCase: Sendable {
    /// The name, as in `group/task`; a filter matches a part of it.
    let name: String
    /// Whether it reads the dump of the workload.
    var readsDump: Bool { name.hasPrefix("parse/") }
    /// The work to time; its result must equal that of the twin.
    let run: @Sendable (Workload) throws -> BenchmarkResult
    /// The twin with its name.
    let twin: (name: String, run: @Sendable (Workload) throws -> BenchmarkResult)

    /// A case whose twin is a function of C.
    init(
        _ name: String, _ run: @escaping @Sendable (Workload) throws -> BenchmarkResult,
        _ twin: String, _ runTwin: @escaping @Sendable (Workload) throws -> twin_result
    ) {
        (self.name, self.run) = (name, run)
        self.twin = (twin, { try BenchmarkResult(runTwin($0)) })
    }
}

/// The result of a run, which proves that it did its work.
struct BenchmarkResult: Equatable, Sendable, CustomStringConvertible {
    var records = 0
    var checksum = 0

    var description: String { "\(records) records, sum \(checksum)" }
}

extension BenchmarkResult {
    /// The result of a twin.
    init(_ twin: twin_result) throws {
        guard twin.failed == 0 else { throw Problem("the twin failed") }
        self.init(records: twin.records, checksum: twin.checksum)
    }
}
