import TributaryImport
import TributaryJSON

/// The ranges of a dump that several processes share.
struct Division {
    /// The ranges; none if one process reads the dump.
    private(set) var ranges: [RecordRange] = []

    /// Divides a file; other sources, several of them, and files without certain borders are not divided.
    init(_ sources: [any ByteSource], _ plan: PostgresPlan, _ settings: PostgresSettings) throws {
        // A limit counts the records of the whole dump; and records of two ranges may have the same nested objects, or
        // keys that only the server takes for equal.
        guard sources.count == 1, let file = sources[0] as? FileSource, plan.connections(2) > 1,
            plan.options.limit == nil
        else { return }
        let planner = RangePlanner(file, options: plan.rows.reading(plan.options), size: settings.rangeBytes)
        if case .divided(let found) = try planner.plan(), found.count > 1 { ranges = found }
    }

    /// The file of a range, after a check that it has the bytes for which the range was planned.
    static func file(of range: RecordRange, _ sources: [any ByteSource]) throws -> FileSource {
        guard let file = sources.first as? FileSource else {
            throw JSONError(.sourceChanged, "the source of a shared import is a file")
        }
        try range.verify(in: file)
        return file
    }
}
