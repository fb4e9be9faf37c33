/// A piece of work that is timed, beside the C that does the same.
struct BenchmarkCase: Sendable {
    /// `group/what`; a filter looks for a part of it.
    let name: String
    /// Whether it reads the dump of the workload.
    var readsDump: Bool { name.hasPrefix("parse/") }
    /// What is timed; gives a result that must be that of the twin.
    let run: @Sendable (Workload) throws -> BenchmarkResult
    /// What the twin is called, and the twin; nil where C has nothing like it.
    let twin: (name: String, run: @Sendable (Workload) throws -> BenchmarkResult)?
}

/// What a run has read, to see that it did its work.
struct BenchmarkResult: Equatable, Sendable, CustomStringConvertible {
    var records: Int
    var checksum: Int

    var description: String { "\(records) records, sum \(checksum)" }
}
