package import TributaryStore
package import TributaryJSON

/// Returns why the target of a route cannot hold the row that was added last; nil if it can.
///
/// With nested objects, the number is that of a unit.
package typealias RowCheck = @Sendable (_ route: Int, _ batch: RowBatch) -> JSONError?
