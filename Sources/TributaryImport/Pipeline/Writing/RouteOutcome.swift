import TributaryStore
import TributaryJSON

/// What became of records of a route.
struct RouteOutcome {
    /// The outcome of rows; nil if there were only objects.
    var rows: BulkOutcome?
    /// The outcome of objects, whose contexts announce the changes.
    var objects = ObjectOutcome()
    /// The rejects, with the indexes of their shares.
    var rejects: [(share: Int, reject: Reject)] = []
    /// The number of records that are held back.
    var waiting = 0

    /// The number of records that have an outcome.
    var total: Int { (rows?.total ?? 0) + objects.counts.total }

    /// Adds the outcome of objects of a share.
    mutating func add(_ outcome: ObjectOutcome, of share: Int) {
        objects.counts += outcome.counts
        objects.seenKeys += outcome.seenKeys
        rejects += outcome.rejects.map { (share, $0) }
    }
}
