package import TributaryStore
package import TributaryJSON

extension ImportStore {
    /// Deletes the rejects whose records were imported, and updates those that were rejected again, in the transaction of the
    /// import.
    ///
    /// `lines` are those of all records and rejects of a chunk, and `makeRow` makes the row of a reject that has none.
    package func resolve(
        _ lines: [(number: Int, line: PendingRejects.Line)], _ rejects: [Reject],
        makeRow: (Reject) -> RejectedRecord
    ) throws {
        let refused = Dictionary(
            rejects.map { ($0.error.position?.line ?? 0, $0) }, uniquingKeysWith: { one, _ in one })
        for (number, line) in lines {
            guard let reject = refused[number] else {
                if line.id > 0 { try deleteReject(line.id) }
                continue
            }
            guard line.id > 0 else {
                try insert([makeRow(reject)])
                continue
            }
            let (code, reason) = (reject.error.code.rawValue, reject.error.reason)
            try updateReject(line.id, code: code, reason: reason, edited: line.edited)
        }
    }
}
