/// Where the numbers of the rows come from that records make.
package enum RowNumbers {
    /// One was reserved for each record.
    case reserved([Int64])
    /// The next one is reserved for each record, used or not, before its setter runs.
    case next(() throws -> Int64)

    /// The number of the row that a record makes.
    func number(of record: Int) throws -> Int64 {
        switch self {
        case .reserved(let numbers): numbers[record]
        case .next(let reserve): try reserve()
        }
    }
}
