/// The source of the primary keys of new rows.
package enum RowNumbers {
    /// A key was reserved for each record.
    case reserved([Int64])
    /// The next key is reserved for each record before its setter runs, whether it is used or not.
    case next(() throws -> Int64)

    /// The primary key of the new row of a record.
    package func number(of record: Int) throws -> Int64 {
        switch self {
        case .reserved(let numbers): numbers[record]
        case .next(let reserve): try reserve()
        }
    }
}
