import Foundation
import Tributary
import TributaryGraph
import TributaryJSON

/// Makes the import that a command line asks for.
enum ImportJobs {
    /// An import of `sources` into the database at `database`, which is opened and locked.
    static func make(
        _ target: ImportTarget, path: RecordPath?, database: String, from sources: [any ByteSource],
        _ options: ImportOptions
    ) throws -> any ImportJob {
        throw UsageError("imports are not built in yet")
    }
}
